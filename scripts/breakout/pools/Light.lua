-- scripts/breakout/pools/Light.lua
-- The light of a hit.
local spawnpool <const> = require "spawnpool"

return spawnpool.class("Light", {
  prealloc = 64, grow = 32, limit = 256, overflow = "oldest",
  sprite = "light", layer = 4,
  over_life = { a = { 0.9, 0.4, 0.12, 0 }, scale = { 0.7, 1.15 } },
})
