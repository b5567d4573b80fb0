-- scripts/fireworks/pools/Star.lua
-- Stands in the sky, behind everything.
local spawnpool <const> = require "spawnpool"

return spawnpool.class("Star", { prealloc = 160, layer = -5, r = 0.85, g = 0.9 })
