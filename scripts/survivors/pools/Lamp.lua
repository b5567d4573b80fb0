-- scripts/survivors/pools/Lamp.lua
-- The light around the hero.
local spawnpool <const> = require "spawnpool"

return spawnpool.class("Lamp", {
  group = "world", prealloc = 1,
  sprite = "light", radius = 330, layer = -1, r = 0.55, g = 0.38, b = 0.2,
  over_life = { a = { 1, 0 } },
})
