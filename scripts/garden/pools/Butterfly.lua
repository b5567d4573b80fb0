-- scripts/garden/pools/Butterfly.lua
-- Flutters about, with no aim.
local spawnpool <const> = require "spawnpool"

local Butterfly <const> = spawnpool.class("Butterfly", {
  group = "garden",
  sprite = "butterfly", radius = 4, layer = 600, animation = { frames = 2, fps = 9 },
  bounds = { x = -10, y = -10, w = 340, h = 200, outside = "wrap" },
  fields = { way = 0 },
})

function Butterfly:update(dt)
  for butterfly in self:each() do
    butterfly.way = butterfly.way + (math.random() - 0.5) * 14 * dt
    butterfly.vx, butterfly.vy = math.cos(butterfly.way) * 22, math.sin(butterfly.way) * 22
  end
end

return Butterfly
