-- From the ship. No code tracks it: when it leaves the frame it is recycled.
local spawnpool <const> = require "spawnpool"

return spawnpool.class("Bullet", {
  extends = "Projectile",
  prealloc = 64, grow = 32, limit = 256,
  sprite = "bolt", radius = 7, scale = 4.2, layer = 5,
  sound = "shot",
  fields = { speed = 780 },
})
