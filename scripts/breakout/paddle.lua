-- scripts/breakout/paddle.lua
-- The paddle: moved by a person, or, after some seconds without one, by itself.
local spawnpool <const> = require "spawnpool"
local field <const> = require "field"

local input <const>, pools <const> = spawnpool.input, spawnpool.pools
local paddle <const> = { x = field.WIDTH / 2, Y = field.HEIGHT - 34, half = 62, wide = 0 }

local SPEED <const> = 900 -- of keys
local OWN_SPEED <const> = 1000 -- when it plays alone
local HALF <const>, HALF_WIDE <const> = 62, 105
local PATIENCE <const> = 5 -- seconds

local idle = PATIENCE
local aim, lit = 0, 0 -- where on the paddle the next ball shall be met; the light of the last bounce

function paddle.reset() paddle.wide = 0 end

function paddle.touched() idle = 0 end

---@return boolean
function paddle.is_alone() return idle >= PATIENCE end

---@param x number
function paddle.bounced(x)
  aim, lit = (math.random() * 2 - 1) * 0.7, 1
  spawnpool.audio.play("paddle", { pan = x / field.WIDTH * 1.4 - 0.7, volume = 0.7 })
end

local function follow_keys(dt)
  local way = input.axis "leftx" + (input.pad "dpright" and 1 or 0) - (input.pad "dpleft" and 1 or 0)
  if input.down("left", "a") then way = way - 1 end
  if input.down("right", "d") then way = way + 1 end
  if way ~= 0 then
    paddle.touched()
    paddle.x = paddle.x + way * SPEED * dt
  end
end

---@param x number
function paddle.mouse_moved(x)
  paddle.touched()
  paddle.x = x
end

-- The x at which something will be at the height of the paddle, reflected by the walls.
local function landing(x, vx, time)
  local width <const> = field.WIDTH
  local at <const> = (x + vx * time) % (2 * width)
  return at > width and 2 * width - at or at
end

-- Where the next ball comes down; or the next prize, if that is in time.
local function wish()
  local soonest, x = math.huge, field.WIDTH / 2
  for ball in pools:pool("Ball"):each() do
    local vy <const>, left <const> = ball.vy, paddle.Y - ball.y
    local time <const> = vy > 0 and left / vy or 9 + left / 900
    if left > 0 and time < soonest then soonest, x = time, landing(ball.x, ball.vx, math.min(time, 2)) end
  end
  for prize in pools:pool("Prize"):each() do
    local time <const> = (paddle.Y - prize.y) / math.max(prize.vy, 1)
    if time > 0 and time < soonest - 0.35 then soonest, x = time, prize.x end
  end
  return x
end

local function follow_balls(dt)
  local off <const> = wish() - aim * paddle.half - paddle.x
  local most <const> = OWN_SPEED * dt
  paddle.x = paddle.x + math.max(-most, math.min(off * math.min(14 * dt, 1), most))
end

---@param dt number
function paddle.update(dt)
  idle, paddle.wide, lit = idle + dt, paddle.wide - dt, lit - lit * math.min(8 * dt, 1)
  follow_keys(dt)
  if paddle.is_alone() then follow_balls(dt) end
  local half <const> = paddle.wide > 0 and HALF_WIDE or HALF
  paddle.half = paddle.half + (half - paddle.half) * math.min(10 * dt, 1)
  paddle.x = math.max(paddle.half, math.min(paddle.x, field.WIDTH - paddle.half))
end

local function bar(g, half, high)
  local x <const>, y <const> = paddle.x, paddle.Y
  g:rect(x - half + high, y - high, 2 * (half - high), 2 * high)
  g:circle(x - half + high, y, high)
  g:circle(x + half - high, y, high)
end

function paddle.draw(g)
  g:color(0.3, 0.6, 1, 0.10 + 0.12 * lit)
  bar(g, paddle.half + 7, 15)
  g:color(0.36, 0.72, 1, 1)
  bar(g, paddle.half, 8)
  g:color(0.75 + 0.25 * lit, 0.92, 1, 0.9)
  bar(g, paddle.half - 4, 3.5)
end

return paddle
