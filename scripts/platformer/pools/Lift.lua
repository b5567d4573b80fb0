-- scripts/platformer/pools/Lift.lua
-- A plank that goes up and down.
local Lift <const> = require("spawnpool").class("Lift", { extends = "Plank" })

function Lift:place(lift, swing) return lift.home_x, lift.home_y + swing end

return Lift
