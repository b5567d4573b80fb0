-- scripts/fireworks/pools/Mirror.lua
-- A burst's streak of light in the water.
local spawnpool <const> = require "spawnpool"

return spawnpool.class("Mirror", {
  prealloc = 32, grow = 16, limit = 96, overflow = "oldest",
  sprite = "mirror", layer = 8,
  over_life = { a = { 0.55, 0.34, 0.2, 0.08, 0 } },
})
