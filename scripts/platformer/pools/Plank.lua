-- scripts/platformer/pools/Plank.lua
-- A plank that swings to and fro. Lift extends it.
local spawnpool <const> = require "spawnpool"

local Plank <const> = spawnpool.class("Plank", {
  group = "room",
  sprite = "plank", radius = 12, layer = 6,
  fields = { home_x = 0.0, home_y = 0.0, dx = 0.0, dy = 0.0 }, -- dx, dy: how far it came in this step
})

local PERIOD <const>, SWING <const> = 4, 34 -- seconds, points to each side

function Plank:on_spawn(plank) plank.home_x, plank.home_y = plank.x, plank.y end

function Plank:place(plank, swing) return plank.home_x + swing, plank.home_y end

function Plank:update()
  for plank in self:each() do
    local x <const>, y <const> = self:place(plank, math.sin(plank.age * 2 * math.pi / PERIOD) * SWING)
    plank.dx, plank.dy, plank.x, plank.y = x - plank.x, y - plank.y, x, y
  end
end

return Plank
