-- scripts/breakout/pools/Trail.lua
-- Where a ball was.
local spawnpool <const> = require "spawnpool"

return spawnpool.class("Trail", {
  group = "flying",
  prealloc = 512, grow = 512, limit = 8000, overflow = "oldest",
  sprite = "light", layer = 8, r = 0.35, g = 0.65, b = 1,
  over_life = { a = { 0.5, 0.22, 0 }, scale = { 1.5, 0.6 } },
})
