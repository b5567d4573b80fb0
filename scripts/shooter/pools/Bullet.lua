-- From the ship. Nobody looks after it: when it leaves the picture it goes back to its pool.
local spawnpool <const> = require "spawnpool"

return spawnpool.class("Bullet", {
  extends = "Projectile",
  prealloc = 64, grow = 32, limit = 256,
  sprite = "bolt", radius = 7, scale = 4.2, layer = 5,
  fields = { speed = 780 },
})
