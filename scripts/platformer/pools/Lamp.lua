-- scripts/platformer/pools/Lamp.lua
-- A lamp: once it is lit, the way goes on from here.
local spawnpool <const> = require "spawnpool"

local Lamp <const> = spawnpool.class("Lamp", {
  group = "room",
  sprite = "lamp", radius = 4, animation = { frames = { 1 } }, box = { w = 10, h = 24 }, layer = 5,
  fields = { is_lit = false },
})

-- It is higher than its tile.
function Lamp:alloc(lifetime, x, y) return Lamp.super.alloc(self, lifetime, x, y - 8) end

return Lamp
