-- scripts/platformer/pools/Gull.lua
-- Flies to and fro, in waves.
local Gull <const> = require("spawnpool").class("Gull", {
  extends = "Enemy",
  sprite = "gull", animation = { frames = 2, fps = 7 },
})

local SPEED <const> = 46

function Gull:step(gull, dt)
  -- A wave of 12 points, by its slope in the middle of the step.
  gull.x, gull.y = gull.x + gull.way * SPEED * dt, gull.y + 36 * dt * math.cos(gull.age * 3 - dt * 1.5)
  if gull.x < 40 or gull.x > 290 then gull.way = gull.x < 40 and 1 or -1 end
end

return Gull
