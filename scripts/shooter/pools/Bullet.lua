-- From the ship. It needs no check for the edge: its lifetime takes it back soon after it has left the picture.
local spawnpool <const> = require "spawnpool"

return spawnpool.class("Bullet", {
  extends = "Projectile",
  prealloc = 64, grow = 32, limit = 256,
  sprite = "bolt", radius = 7, scale = 4.2, layer = 5,
  fields = { speed = 780 },
})
