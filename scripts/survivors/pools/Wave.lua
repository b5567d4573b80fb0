-- scripts/survivors/pools/Wave.lua
-- A ring of light that grows to its radius.
local spawnpool <const> = require "spawnpool"

return spawnpool.class("Wave", {
  group = "world",
  prealloc = 8, grow = 8, limit = 32, overflow = "oldest",
  sprite = "wave", layer = 5,
  over_life = { a = { 0.9, 0.6, 0 }, scale = { 0.1, 0.7, 0.95, 1 } },
})
