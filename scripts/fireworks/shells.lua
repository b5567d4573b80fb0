-- scripts/fireworks/shells.lua
-- What a rocket opens into. A shell is a function that gives each of its sparks a direction and a speed.
local spawnpool <const> = require "spawnpool"
local city <const> = require "city"
local stage <const> = require "stage"

local pools <const> = spawnpool.pools
local shells <const> = { plenty = 1 } -- how many times the usual number of sparks

local SPARKS <const> = 2000 -- of a large shell
local TAU <const> = 2 * math.pi
local cos <const>, sin <const>, sqrt <const>, random <const> = math.cos, math.sin, math.sqrt, math.random

shells.colors = {
  { 1, 0.14, 0.10 }, { 1, 0.45, 0.08 }, { 1, 0.68, 0.20 }, { 0.18, 1, 0.24 },
  { 0.14, 0.75, 1 }, { 0.24, 0.42, 1 }, { 0.58, 0.18, 1 }, { 1, 0.18, 0.52 },
}

-- {== Sparks ================================================================

local sparks <const> = pools:pool "Spark"

-- vx and vy are the first speed, which the drag of the class consumes.
local function add(x, y, vx, vy, lifetime, color, radius)
  local spark <const> = sparks:alloc(lifetime, x, y)
  if not spark then return end
  spark.vx, spark.vy, spark.radius = vx, vy, radius
  spark.r, spark.g, spark.b = color[1], color[2], color[3]
end

-- A ball, seen from the side: its rim is denser than its middle.
local function ball(x, y, count, speed, color, lifetime, radius)
  for _ = 1, count do
    local angle <const>, z <const> = random() * TAU, random() * 2 - 1
    local out <const> = speed * sqrt(1 - z * z) * (0.9 + 0.1 * random())
    add(x, y, cos(angle) * out, sin(angle) * out, lifetime * (0.6 + 0.4 * random()), color, radius)
  end
end

-- A circle in space, turned by `lean`.
local function hoop(x, y, count, speed, color, lifetime, turn, lean)
  local tc <const>, ts <const> = cos(turn), sin(turn)
  for i = 1, count do
    local angle <const> = i / count * TAU
    local out <const> = speed * (0.97 + 0.03 * random())
    local u <const>, v <const> = cos(angle) * out, sin(angle) * out * lean
    add(x, y, u * tc - v * ts, u * ts + v * tc, lifetime * (0.75 + 0.25 * random()), color, 4.5)
  end
end

-- }==

-- {== Kinds of shells =======================================================

local function other(color) return shells.colors[random(#shells.colors)] or color end

local kinds <const> = {}

function kinds.peony(x, y, n, size, color)
  ball(x, y, n * 0.7, 540 * size, color, 2.8, 6)
  ball(x, y, n * 0.3, 250 * size, other(color), 2.2, 4.5)
end

function kinds.willow(x, y, n, size)
  ball(x, y, n * 0.6, 430 * size, { 1, 0.74, 0.36 }, 4.6, 5.2)
  ball(x, y, n * 0.4, 300 * size, { 1, 0.6, 0.22 }, 4.2, 4.4)
end

function kinds.saturn(x, y, n, size, color)
  ball(x, y, n * 0.6, 300 * size, color, 2.3, 5)
  hoop(x, y, n * 0.4, 600 * size, other(color), 2.4, random() - 0.5, 0.3)
end

-- Arms of sparks behind each other.
function kinds.palm(x, y, n, size, color)
  local arms <const>, turn <const> = 9 + random(6), random() * TAU
  for arm = 1, arms do
    local angle <const> = turn + arm / arms * TAU
    for i = 1, n * 0.8 // arms do
      local out <const>, off <const> = 560 * size * sqrt(i * arms / n / 0.8), (random() - 0.5) * 0.08
      add(x, y, cos(angle + off) * out, sin(angle + off) * out, 2 + random(), color, 5)
    end
  end
  ball(x, y, n * 0.2, 120 * size, { 1, 0.95, 0.8 }, 1.4, 5)
end

function kinds.heart(x, y, n, size, color)
  local turn <const> = (random() - 0.5) * 0.5
  local tc <const>, ts <const> = cos(turn), sin(turn)
  for i = 1, n do
    local t <const>, fill <const> = i / n * TAU, i % 3 == 0 and sqrt(random()) or 0.97 + 0.03 * random()
    local u <const> = 16 * sin(t) ^ 3 * fill * 23 * size
    local v <const> = -(13 * cos(t) - 5 * cos(2 * t) - 2 * cos(3 * t) - cos(4 * t)) * fill * 23 * size
    add(x, y, u * tc - v * ts, u * ts + v * tc, 2.6, color, 5)
  end
end

function kinds.star(x, y, n, size, color)
  local turn <const> = random() * TAU
  for i = 1, n do
    local corner <const>, part <const> = i % 10, random()
    local a <const>, b <const> = turn + corner * TAU / 10, turn + (corner + 1) * TAU / 10
    local from <const>, to <const> = corner % 2 == 0 and 560 or 230, corner % 2 == 0 and 230 or 560
    local u <const> = cos(a) * from * (1 - part) + cos(b) * to * part
    local v <const> = sin(a) * from * (1 - part) + sin(b) * to * part
    add(x, y, u * size, v * size, 2.4 + 0.3 * random(), color, 5)
  end
end

shells.names = { "peony", "saturn", "palm", "peony", "willow", "heart", "star", "palm" }

-- }==

-- Opens a shell, with its light on the sky and in the water.
---@param kind string
---@param size number 1 is large
---@param color number[]
function shells.burst(kind, x, y, size, color)
  if kind == "willow" then color = { 1, 0.66, 0.28 } end
  local r <const>, g <const>, b <const> = color[1], color[2], color[3]
  kinds[kind](x, y, math.floor(SPARKS * size * size * shells.plenty), size, color)
  city.lighten(r, g, b, 0.6 * size)
  local flash <const> = pools:alloc("Flash", 0.8, x, y)
  if flash then flash.r, flash.g, flash.b, flash.radius = 0.5 + r / 2, 0.5 + g / 2, 0.5 + b / 2, 330 * size end
  local mirror <const> = pools:alloc("Mirror", 1.9, x, stage.horizon + 40)
  if mirror then mirror.r, mirror.g, mirror.b, mirror.radius = r, g, b, 46 * size end
  for _ = 1, 26 * size do
    local down <const> = random()
    local dash <const> = pools:alloc("Dash", 0.5 + 1.8 * random(), x + (random() + random() - 1) * 150 * size,
      stage.horizon + 6 + down * down * (stage.height - stage.horizon))
    if dash then dash.r, dash.g, dash.b, dash.radius = r, g, b, 5 + 13 * down end
  end
end

return shells
