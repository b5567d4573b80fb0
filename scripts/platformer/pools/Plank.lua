-- scripts/platformer/pools/Plank.lua
-- A plank that swings to and fro. Lift extends it.
local spawnpool <const> = require "spawnpool"

local Plank <const> = spawnpool.class("Plank", {
  group = "room",
  sprite = "plank", radius = 12, box = { w = 24, h = 6 }, layer = 6,
  fields = { home = 0.0, dx = 0.0, dy = 0.0 }, -- dx, dy: how far it came in this step
})

Plank.PERIOD, Plank.WAY = 4, 34 -- seconds, points to each side

function Plank:on_spawn(plank) plank.home = plank.x end

function Plank:swing(plank) return math.sin(plank.age * 2 * math.pi / self.PERIOD) * self.WAY end

function Plank:update()
  for plank in self:each() do
    local x <const> = plank.home + self:swing(plank)
    plank.dx, plank.x = x - plank.x, x
  end
end

return Plank
