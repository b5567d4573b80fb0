-- From an enemy: slower than a bullet, so that it can be dodged. `grazed` once it has passed close by the ship.
local spawnpool <const> = require "spawnpool"

return spawnpool.class("Shot", {
  extends = "Projectile",
  prealloc = 160, grow = 32, limit = 400,
  sprite = "orb", radius = 6, scale = 2.9, layer = 9,
  sound = "zap",
  fields = { speed = 190, grazed = false },
})
