-- The lifetime of a snowball is its flight, so no code checks for its arrival: when it expires it leaves a splat.
local spawnpool <const> = require "spawnpool"
local list <const> = require "list"

local pools <const> = spawnpool.pools

local REACH <const> = 15 -- from the centre of a walker

local Snowball <const> = spawnpool.class("Snowball", {
  prealloc = 16, grow = 8, limit = 64,
  sprite = "circle", radius = 3, layer = 6, r = 0.97, g = 0.98, b = 1,
  sound = "throw",
  over_life = { scale = { 1, 1.6, 1.8, 1.6, 1 } }, -- up and down again
  fields = { thrower = spawnpool.ref },
})

---@param to_x number
---@param to_y number
function Snowball:alloc(lifetime, x, y, to_x, to_y)
  local ball <const>, why = Snowball.super.alloc(self, lifetime, x, y)
  if not ball then return nil, why end
  ball.vx, ball.vy = (to_x - x) / lifetime, (to_y - y) / lifetime
  pools:alloc("Shadow", lifetime, 0, 0, 0, ball)
  return ball
end

-- Returns the walker at this position, except the thrower.
local function victim_of(ball)
  for walker in pools:pool("Walker"):within(ball.x, ball.y, REACH) do
    if walker ~= ball.thrower then return walker end
  end
  return nil
end

function Snowball:on_despawn(ball, why)
  if why ~= "expired" then return end
  pools:alloc("Splat", 7, ball.x, ball.y)
  pools:pool("Powder"):burst(ball.x, ball.y, 7, 60)
  local victim <const> = victim_of(ball)
  if not victim then return end
  victim:fall()
  -- A `ref` field reads nil once that life has ended: the thrower may have fallen while the ball was in the air.
  local thrower <const> = ball.thrower
  if thrower then
    thrower.hits = thrower.hits + 1
    list.change(thrower)
  end
end

return Snowball
