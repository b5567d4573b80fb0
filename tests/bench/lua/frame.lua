-- A whole frame of 10 000 bullets that live for 1..600 ticks, microseconds: move all, end those whose time has come or
-- that have left the screen, respawn as many from the script. A hundred frames together, because they differ in how
-- many end. Each contestant makes the bullets and returns what runs a frame.

local measure = require "measure"

local frames = {}

local COUNT, TICK = 10000, 1 / 60
local WIDTH, HEIGHT = 800, 600

-- A function that gives lifetimes in seconds, the same in every contestant.
local function lifetimes()
  local lives, at = {}, 0
  math.randomseed(3)
  for i = 1, 65536 do lives[i] = math.random(600) / 60 end
  return function()
    at = at % 65536 + 1
    return lives[at]
  end
end

-- Pooled tables, each counts its own seconds down.
function frames.tables()
  local live, n, idle, idle_count = {}, 0, {}, 0
  local life = lifetimes()
  local function spawn()
    local o
    if idle_count > 0 then
      o = idle[idle_count]
      idle_count = idle_count - 1
    else
      o = { x = 0, y = 0, vx = 1, vy = 2, life = 0, pooled = true }
    end
    o.pooled = false
    o.life = life()
    o.x = 0
    o.y = 0
    n = n + 1
    live[n] = o
  end
  for _ = 1, COUNT do spawn() end
  return function()
    local i, expired = 1, 0
    while i <= n do
      local o = live[i]
      local left, x, y = o.life - TICK, o.x + o.vx * TICK, o.y + o.vy * TICK
      o.life, o.x, o.y = left, x, y
      if left <= 0 or x < 0 or x > WIDTH or y < 0 or y > HEIGHT then
        o.pooled = true
        idle_count = idle_count + 1
        idle[idle_count] = o
        live[i] = live[n]
        live[n] = nil
        n = n - 1
        expired = expired + 1
      else
        i = i + 1
      end
    end
    for _ = 1, expired do spawn() end
  end
end

function frames.spawnpool()
  local spawnpool = require "spawnpool"
  spawnpool.class("Bullet", {
    prealloc = COUNT, vx = 1, vy = 2,
    bounds = { x = 0, y = 0, w = WIDTH, h = HEIGHT, outside = "recycle" },
  })
  local pools = spawnpool.new()
  local bullets, life = pools:pool "Bullet", lifetimes()
  for _ = 1, COUNT do bullets:alloc(life(), 0, 0) end
  return function()
    pools:update(TICK)
    for _ = 1, COUNT - bullets.live do bullets:alloc(life(), 0, 0) end
  end
end

local frame = frames[arg[1]]()
for _ = 1, 650 do frame() end -- a whole lifetime
measure.report("frame", measure.least(12, function()
  for _ = 1, 100 do frame() end
end) / 100 * 1e6)
