-- A large faint cloud: the colour of the sky. It drifts, and wraps to the other side.
local spawnpool <const> = require "spawnpool"
local palette <const> = require "palette"

local Haze <const> = spawnpool.class("Haze", {
  prealloc = 12, grow = 4, limit = 24,
  sprite = "glow", layer = -10, a = 0.11,
})

function Haze:on_spawn(haze)
  haze.radius = 180 + math.random() * 170
  haze.vx = math.random() * 8 - 4
  palette.dye(haze, math.random(3, 6))
end

return Haze
