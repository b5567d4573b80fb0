-- A gem that makes the ship's gun stronger. It sinks, sways, and is lost at the lower edge.
local spawnpool <const> = require "spawnpool"

local Pickup <const> = spawnpool.class("Pickup", {
  prealloc = 4, grow = 4, limit = 16,
  sprite = "gem", radius = 15, scale = 1.7, layer = 4, vy = 80,
  fields = { home = 0 },
})

function Pickup:alloc(lifetime, x, y)
  local gem <const>, why = Pickup.super.alloc(self, lifetime, x, y)
  if gem then gem.home = x end
  return gem, why
end

local function sway(_, _, home, age) return home + math.sin(age * 2.4) * 22 end

function Pickup:update() self:map({ "x", "home", "age" }, sway) end

return Pickup
