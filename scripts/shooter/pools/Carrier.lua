-- The end of every fourth wave: strong, slow, and full of drones.
local spawnpool <const> = require "spawnpool"
local effects <const> = require "effects"
local session <const> = require "session"
local stage <const> = require "stage"

local pools <const> = spawnpool.pools

local Carrier <const> = spawnpool.class("Carrier", {
  extends = "Enemy",
  prealloc = 1, grow = 1, limit = 2,
  sprite = "carrier", radius = 62, scale = 1.75, vy = 70, layer = 5,
  fields = { health = 120, most = 120, value = 5000, gems = 1, turn = 0, bay = 4 },
})

Carrier.tint = { 1, 0.4, 0.62 }

local DEPTH <const> = 130

function Carrier:alloc(lifetime, x, y)
  local carrier <const>, why = Carrier.super.alloc(self, lifetime, x, y)
  if not carrier then return nil, why end
  carrier.health = 90 + 30 * session.wave // 4
  carrier.most = carrier.health
  return carrier
end

-- Two arms of shots that turn against each other.
local function fire_spiral(self, carrier)
  carrier.turn = carrier.turn + 0.29
  for i = 0, 2 do
    self:fire(carrier, carrier.turn + i * 2 * math.pi / 3)
    self:fire(carrier, -carrier.turn + i * 2 * math.pi / 3)
  end
end

local function launch_drones(carrier)
  for side = -1, 1, 2 do
    local drone <const> = pools:alloc("Drone", 0, carrier.x + side * 60, carrier.y + 30)
    if drone then drone.phase = side * 1.5 end
  end
end

function Carrier:steer(carrier, dt)
  if carrier.y >= DEPTH then carrier.vy = 0 end
  carrier.x = stage.width / 2 + math.sin(carrier.age * 0.5) * stage.width * 0.28
  carrier.angle = math.pi / 2 - math.cos(carrier.age * 0.5) * 0.12
  if self:may_fire(carrier, dt, 0.42) then fire_spiral(self, carrier) end
  carrier.bay = carrier.bay - dt
  if carrier.bay <= 0 and not session.over then
    carrier.bay = 5
    launch_drones(carrier)
  end
end

-- It ends in many small explosions and a large one, with its shots.
function Carrier:die(carrier)
  local x <const>, y <const> = carrier.x, carrier.y
  for _ = 1, 9 do
    effects.explode(x + math.random(-70, 70), y + math.random(-60, 60), math.random(10, 22), 1, 0.7, 0.5)
  end
  for shot in pools:pool("Shot"):each() do
    effects.burst(shot.x, shot.y, 3, 80, 1, 0.5, 0.7)
    shot:recycle()
  end
  Carrier.super.die(self, carrier)
end

return Carrier
