local spawnpool <const> = require "spawnpool"

return spawnpool.class("Ember", {
  prealloc = 48, grow = 16, limit = 96, overflow = "oldest",
  sprite = "glow", radius = 11, layer = 4, r = 1, b = 0.2,
  over_life = { a = { 0.9, 0.8, 0 }, scale = { 1.1, 0.2 }, g = { 0.8, 0.3 } },
})
