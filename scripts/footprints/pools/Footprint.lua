local spawnpool <const> = require "spawnpool"

return spawnpool.class("Footprint", {
  extends = "Decal",
  prealloc = 32, grow = 64, limit = 512,
  sprite = "foot", radius = 6, r = 0.17, g = 0.22, b = 0.40,
  sound = "step",
})
