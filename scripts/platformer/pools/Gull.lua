-- scripts/platformer/pools/Gull.lua
-- Flies to and fro, in waves.
local Gull <const> = require("spawnpool").class("Gull", {
  extends = "Enemy",
  sprite = "gull", animation = { frames = 2, fps = 7 },
})

local SPEED <const> = 46

function Gull:step(gull, dt)
  gull.x, gull.y = gull.x + gull.way * SPEED * dt, gull.home + 12 * math.sin(gull.age * 3)
  if gull.x < 40 or gull.x > 290 then gull.way = gull.x < 40 and 1 or -1 end
end

return Gull
