-- The trail of a comet: fades and shrinks over its life, without code.
local spawnpool <const> = require "spawnpool"

return spawnpool.class("Dust", {
  prealloc = 256, grow = 64, limit = 512, overflow = "oldest",
  sprite = "glow", radius = 7, layer = 3, r = 0.5, g = 0.8, b = 1,
  over_life = { a = { 0.7, 0.25, 0 }, scale = { 1, 0.4 } },
})
