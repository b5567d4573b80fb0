-- scripts/platformer/pools/Lift.lua
-- A plank that goes up and down.
local spawnpool <const> = require "spawnpool"

local Lift <const> = spawnpool.class("Lift", { extends = "Plank" })

function Lift:on_spawn(lift) lift.home = lift.y end

function Lift:update()
  for lift in self:each() do
    local y <const> = lift.home + self:swing(lift)
    lift.dy, lift.y = y - lift.y, y
  end
end

return Lift
