-- Slides in, takes aim, and dives at the ship's position of that moment.
local spawnpool <const> = require "spawnpool"

local pools <const> = spawnpool.pools

local Diver <const> = spawnpool.class("Diver", {
  extends = "Enemy",
  sprite = "diver", radius = 14, scale = 2.5, vy = 190, ay = -130,
  fields = { health = 2, value = 150, diving = false },
})

Diver.tint = { 1, 0.71, 0.28 }

local AIM_TIME <const> = 1.5 -- seconds from entering to diving
local PUSH <const> = 520 -- acceleration of the dive

local function leave_trail(diver)
  local puff <const> = pools:alloc("Exhaust", 0.4, diver.x, diver.y)
  if puff then puff.r, puff.g, puff.b, puff.radius = 1, 0.6, 0.25, 8 end
end

function Diver:steer(diver)
  if diver.diving then
    leave_trail(diver)
  else
    local angle <const> = self:aim(diver)
    diver.angle = angle
    if diver.age > AIM_TIME then
      diver.diving = true
      diver.vx, diver.vy = 0, 0
      diver.ax, diver.ay = math.cos(angle) * PUSH, math.sin(angle) * PUSH
    end
  end
end

return Diver
