-- scripts/survivors/pools/Blade.lua
-- Turns around the hero; weapons.lua places it.
local spawnpool <const> = require "spawnpool"

return spawnpool.class("Blade", {
  group = "world", sprite = "blade", radius = 20, layer = 9, spin = 14,
})
