-- Comes in chains, swings from side to side, and fires now and then.
local spawnpool <const> = require "spawnpool"

local Drone <const> = spawnpool.class("Drone", {
  extends = "Enemy",
  prealloc = 24,
  sprite = "drone", scale = 2.1, vy = 85,
  fields = { health = 3, value = 100 },
})

Drone.tint = { 1, 0.44, 0.38 }

function Drone:steer(drone, dt)
  local swing <const> = drone.age * 1.7 + drone.phase
  drone.x = drone.home + math.sin(swing) * 95
  drone.angle = math.pi / 2 - math.cos(swing) * 0.55
  if self:may_fire(drone, dt, 2) then self:fire(drone, self:aim(drone)) end
end

return Drone
