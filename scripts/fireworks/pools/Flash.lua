-- scripts/fireworks/pools/Flash.lua
-- The light of a burst in the smoke around it.
local spawnpool <const> = require "spawnpool"

return spawnpool.class("Flash", {
  prealloc = 32, grow = 16, limit = 96, overflow = "oldest",
  sprite = "light", layer = 2,
  over_life = { a = { 0.85, 0.34, 0.2, 0.1, 0.04, 0 }, scale = { 0.75, 1, 1.1 } },
})
