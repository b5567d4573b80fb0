-- 10 000 objects that the game's own Lua moves, nanoseconds an object; the same body for pooled tables and for a pool.
--   homing    the angle to a target, and the velocity of it: two fields read, three written
--   add       two additions: four fields read, two written
--   read      the nearest to a point: two fields read

local measure = require "measure"

local COUNT, DT = 10000, 1 / 60
local TARGET_X, TARGET_Y, SPEED = 400, 300, 120
local atan, cos, sin = math.atan, math.cos, math.sin

local function report(pattern, work)
  for _ = 1, 5 do work() end
  measure.report(pattern, measure.least(60, work) / COUNT * 1e9)
end

local function tables()
  local live = {}
  for i = 1, COUNT do live[i] = { x = i % 800, y = i % 600, vx = 1, vy = 2, angle = 0 } end
  report("homing", function()
    for i = 1, COUNT do
      local o = live[i]
      local angle = atan(TARGET_Y - o.y, TARGET_X - o.x)
      o.angle, o.vx, o.vy = angle, cos(angle) * SPEED, sin(angle) * SPEED
    end
  end)
  report("add", function()
    for i = 1, COUNT do
      local o = live[i]
      o.x, o.y = o.x + o.vx * DT, o.y + o.vy * DT
    end
  end)
  report("read", function()
    local least, nearest = math.huge, nil
    for i = 1, COUNT do
      local o = live[i]
      local dx, dy = o.x - TARGET_X, o.y - TARGET_Y
      local distance = dx * dx + dy * dy
      if distance < least then least, nearest = distance, o end
    end
    return nearest
  end)
end

local function open()
  local spawnpool = require "spawnpool"
  spawnpool.class("Moved", { prealloc = COUNT })
  local pool = spawnpool.new():pool "Moved"
  for i = 1, COUNT do
    local o = pool:alloc(0, i % 800, i % 600)
    o.vx, o.vy = 1, 2
  end
  return pool
end

local function map()
  local pool = open()
  local HOMING, ADD = { "x", "y", "angle", "vx", "vy" }, { "x", "y", "vx", "vy" }
  local function home(_, x, y)
    local angle = atan(TARGET_Y - y, TARGET_X - x)
    return nil, nil, angle, cos(angle) * SPEED, sin(angle) * SPEED
  end
  local function add(_, x, y, vx, vy) return x + vx * DT, y + vy * DT end
  report("homing", function() pool:map(HOMING, home) end)
  report("add", function() pool:map(ADD, add) end)
end

local function each()
  local pool = open()
  report("homing", function()
    for o, x, y in pool:each("x", "y") do
      local angle = atan(TARGET_Y - y, TARGET_X - x)
      o.angle, o.vx, o.vy = angle, cos(angle) * SPEED, sin(angle) * SPEED
    end
  end)
  report("read", function()
    local least, nearest = math.huge, nil
    for o, x, y in pool:each("x", "y") do
      local dx, dy = x - TARGET_X, y - TARGET_Y
      local distance = dx * dx + dy * dy
      if distance < least then least, nearest = distance, o end
    end
    return nearest
  end)
end

({ tables = tables, map = map, each = each })[arg[1]]()
