-- scripts/breakout/balls.lua
-- The balls: their class moves them and reflects them from the walls; here they meet the paddle and the bricks.
local spawnpool <const> = require "spawnpool"
local effects <const> = require "effects"
local field <const> = require "field"
local paddle <const> = require "paddle"
local session <const> = require "session"

local pools <const> = spawnpool.pools
local balls <const> = { burning = 0 } -- seconds for which balls go through bricks

local SPEED <const> = 500 -- of the first level
local FASTER <const> = 14 -- per level
local FASTEST <const> = 640
local STEEP <const> = 0.3 -- least share of the speed that is up or down: flat balls would take for ever
local WIDE <const> = 1.1 -- the largest angle from straight up at which the paddle returns a ball

local pool <const> = pools:pool "Ball"
local waiting -- the ball on the paddle, until it is served

local function speed() return math.min(SPEED + FASTER * session.level, FASTEST) end

function balls.put_on_paddle()
  balls.burning = 0
  waiting = pool:alloc(0, paddle.x, paddle.Y - 14)
end

function balls.serve()
  if not waiting or not waiting.alive then return end
  waiting:launch(-math.pi / 2 + (math.random() - 0.5) * 0.9, speed())
  waiting = nil
end

---@return boolean
function balls.are_lost() return pool.live == 0 end

-- Each ball becomes `times` balls.
---@param times integer
function balls.split(times)
  for ball in pool:each() do
    local angle <const> = math.atan(ball.vy, ball.vx)
    for i = 1, ball ~= waiting and times - 1 or 0 do
      local new <const> = pool:alloc(0, ball.x, ball.y)
      if not new then return end
      new:launch(angle + (i % 2 == 0 and 1 or -1) * (0.25 + 0.2 * math.random()), speed())
    end
  end
end

-- {== Meeting things ========================================================

-- Gives a ball its direction and the speed of the level.
local function send(ball, vx, vy)
  local all <const> = speed()
  local least <const> = STEEP * all
  local length <const> = math.sqrt(vx * vx + vy * vy)
  vx, vy = vx / length * all, vy / length * all
  if math.abs(vy) < least then vy = vy < 0 and -least or least end
  ball.vx, ball.vy = vx, vy
end

local function meet_paddle(ball, x, vy)
  local off <const> = (x - paddle.x) / (paddle.half + 6)
  if vy < 0 or math.abs(off) > 1 then return end
  ball:launch(-math.pi / 2 + off * WIDE, speed())
  ball.y = paddle.Y - 9
  effects.light(x, paddle.Y, 46, 0.5, 0.8, 1)
  paddle.bounced(x)
end

-- Looks ahead sideways, then up or down, then at the corner; the side that meets a brick is reflected.
local function meet_bricks(ball, x, y, vx, vy)
  local dx <const>, dy <const> = vx < 0 and -5 or 5, vy < 0 and -5 or 5
  local beside <const>, above <const> = field.at(x + dx, y), field.at(x, y + dy)
  local corner <const> = not (beside or above) and field.at(x + dx * 0.7, y + dy * 0.7) or nil
  if not (beside or above or corner) then return end
  field.strike(beside)
  field.strike(above)
  field.strike(corner)
  if balls.burning > 0 then return end
  if beside or corner then vx = -vx end
  if above or corner then vy = -vy end
  send(ball, vx, vy)
end

local function leave_trail(ball, x, y)
  local trail <const> = pools:alloc("Trail", 0.26, x, y)
  if trail and balls.burning > 0 then trail.r, trail.g, trail.b = 1, 0.5, 0.2 end
  if trail then trail.radius = ball.radius end
end

local function meet(ball)
  local x <const>, y <const>, vy <const> = ball.x, ball.y, ball.vy
  leave_trail(ball, x, y)
  if y > field.HEIGHT + 12 then
    ball:recycle()
  elseif y > paddle.Y - 9 and y < paddle.Y + 12 then
    meet_paddle(ball, x, vy)
  else
    meet_bricks(ball, x, y, ball.vx, vy)
  end
end

-- }==

---@param dt number
function balls.update(dt)
  balls.burning = balls.burning - dt
  if waiting and waiting.alive then
    waiting.x, waiting.y = paddle.x, paddle.Y - 14
    if paddle.is_alone() and waiting.age > 1 then balls.serve() end
  end
  for ball in pool:each() do
    if ball ~= waiting then meet(ball) end
  end
  if pool.live > 1 then pool:separate() end
  field.update(dt)
end

return balls
