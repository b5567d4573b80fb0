-- scripts/platformer/pools/Lamp.lua
-- A lamp: once it is lit, the way goes on from here.
local spawnpool <const> = require "spawnpool"
local effects <const> = require "effects"

local Lamp <const> = spawnpool.class("Lamp", {
  group = "room",
  sprite = "lamp", radius = 4, animation = { frames = { 1 } }, box = { w = 10, h = 24 }, layer = 5,
  fields = { is_lit = false },
})

-- A lamp stands in the tile below.
function Lamp:alloc(lifetime, x, y) return Lamp.super.alloc(self, lifetime, x, y - 8) end

function Lamp:light(lamp)
  if lamp.is_lit then return false end
  lamp.is_lit, lamp.animation = true, "lit"
  effects.light(lamp.x, lamp.y - 8)
  return true
end

return Lamp
