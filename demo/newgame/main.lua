-- A new game. Play it, change something here and save: the change takes effect at once, and the game keeps running.
--
--   click, space   another ball     c   colors of their own     F1   keys of the player
local spawnpool <const> = require "spawnpool"
local colors <const> = require "colors"

local pools <const>, input <const> = spawnpool.pools, spawnpool.input

local BEAT <const> = 1.2 -- seconds between two balls: try 0.1
local BALL_LIFE <const> = 6 -- seconds
local TRAIL <const> = 2 -- sparks that each ball leaves behind in a frame

local game <const> = {}

local beat = 0

---@param x? number
---@param y? number
local function throw_ball(x, y)
  pools:alloc("Ball", BALL_LIFE, x or math.random(100, 700), y or math.random(60, 240))
end

function game.load()
  for _ = 1, 3 do throw_ball() end
end

---@param dt number seconds
function game.update(dt)
  beat = beat + dt
  if beat >= BEAT then
    beat = beat - BEAT
    throw_ball()
  end
  for ball in pools:pool("Ball"):each() do
    for _ = 1, TRAIL do
      local spark <const> = pools:alloc("Spark", 0.6, ball.x, ball.y, math.random() * 6.28)
      if spark then spark.r, spark.g, spark.b = ball.r, ball.g, ball.b end
    end
  end
end

---@param g spawnpool.Graphics
function game.draw(g)
  local balls <const>, sparks <const> = pools:pool "Ball", pools:pool "Spark"
  g:color(1, 1, 1, 0.6)
  g:text(12, 10, ("%d balls, %d sparks"):format(balls.live, sparks.live))
  if input.down "space" then g:text(12, 34, "space") end
end

---@param key string
function game.key_pressed(key)
  if key == "space" then throw_ball() end
  if key == "c" then colors.turn() end
end

---@param x number
---@param y number
function game.mouse_pressed(x, y)
  throw_ball(x, y)
end

return game
