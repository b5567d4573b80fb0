-- A whole frame of 10 000 bullets that live for 1..600 ticks, microseconds: move all, end those whose time has come or
-- that have left the screen, respawn as many from the script. The median, because frames differ in how many end. Each
-- contestant makes N bullets and returns what runs a frame.

local measure = require "measure"

local frames = {}

local TICK = 1 / 60
local WIDTH, HEIGHT = 800, 600

-- A function that gives the lifetimes in ticks, the same in every contestant.
local function lifetimes()
  local lives, at = {}, 0
  math.randomseed(3)
  for i = 1, 65536 do lives[i] = math.random(600) end
  return function()
    at = at % 65536 + 1
    return lives[at]
  end
end

-- Pooled tables, each counts its own seconds down.
function frames.tables(count)
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
    o.life = life() / 60
    o.x = 0
    o.y = 0
    n = n + 1
    live[n] = o
  end
  for _ = 1, count do spawn() end
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

function frames.spawnpool(count)
  local spawnpool = require "spawnpool"
  spawnpool.class("Bullet", {
    prealloc = count + math.floor(count / 8) + 16,
    vx = 1,
    vy = 2,
    bounds = { x = 0, y = 0, w = WIDTH, h = HEIGHT, outside = "recycle" },
  })
  local pools = spawnpool.new()
  local bullets = pools:pool("Bullet")
  local life = lifetimes()
  local function spawn() bullets:alloc(life() / 60, 0, 0) end
  for _ = 1, count do spawn() end
  return function()
    pools:update(TICK)
    for _ = 1, count - bullets.live do spawn() end
  end
end

-- {== LuaJIT only ============================================================

-- C structs without a C library.
local function move_structs(count)
  local ffi = require "ffi"
  ffi.cdef "typedef struct { float x, y, vx, vy, life; uint32_t generation; } bullet;"
  local bullets = ffi.new("bullet[?]", count)
  local life = lifetimes()
  for i = 0, count - 1 do
    bullets[i].vx = 1
    bullets[i].vy = 2
    bullets[i].life = life() / 60
  end
  return function()
    for i = 0, count - 1 do
      local o = bullets[i]
      o.life = o.life - TICK
      o.x = o.x + o.vx * TICK
      o.y = o.y + o.vy * TICK
      if o.life <= 0 or o.x < 0 or o.x > WIDTH or o.y < 0 or o.y > HEIGHT then
        o.generation = o.generation + 2
        o.life = life() / 60
        o.x = 0
        o.y = 0
      end
    end
  end, bullets
end

-- Four corners for each bullet, as they go to a graphics card.
local function corners(count)
  local ffi = require "ffi"
  ffi.cdef "typedef struct { float x, y, u, v; uint32_t color; } corner;"
  local list = ffi.new("corner[?]", count * 4)
  return function(n, x, y)
    local to = list + n * 4
    to[0].x, to[0].y, to[0].u, to[0].v, to[0].color = x - 3, y - 3, 0, 0, -1
    to[1].x, to[1].y, to[1].u, to[1].v, to[1].color = x - 3, y + 3, 0, 1, -1
    to[2].x, to[2].y, to[2].u, to[2].v, to[2].color = x + 3, y - 3, 1, 0, -1
    to[3].x, to[3].y, to[3].u, to[3].v, to[3].color = x + 3, y + 3, 1, 1, -1
  end
end

function frames.structs(count)
  local frame, bullets = move_structs(count)
  local draw = corners(count)
  return function()
    frame()
    for i = 0, count - 1 do draw(i, bullets[i].x, bullets[i].y) end
  end
end

-- The C library by FFI.
local function move_pool(count)
  package.path = "build/lua/?.lua;" .. package.path
  local pools = require("spawnpool.ffi").new()
  pools:class("Bullet", {
    prealloc = count, order = "lifo", vx = 1, vy = 2,
    bounds = { x = 0, y = 0, w = WIDTH, h = HEIGHT, outside = "recycle" },
  })
  local bullets, life = pools:pool("Bullet"), lifetimes()
  for _ = 1, count do bullets:alloc(life() / 60, 0, 0) end
  return function()
    pools:update(TICK)
    for _ = 1, count - bullets.live do bullets:alloc(life() / 60, 0, 0) end
  end, bullets
end

function frames.drawn(count)
  local band, lshift = bit.band, bit.lshift -- luacheck: ignore 113
  local frame, bullets = move_pool(count)
  local draw, xs, ys = corners(count), bullets:column "x", bullets:column "y"
  return function()
    frame()
    local n = 0
    for k = 0, bullets:chunks() - 1 do
      local x, y, bits = xs[k], ys[k], bullets:live_bits(k)
      for word = 0, 1 do
        local live = bits[word]
        for i = word * 32, word * 32 + 31 do
          if band(live, lshift(1, i)) ~= 0 then
            draw(n, x[i], y[i])
            n = n + 1
          end
        end
      end
    end
  end
end

-- }==

local clock = os.clock
local frame = frames[arg[1]](10000)
local limit = measure.quick and 0.1 or 0.4
collectgarbage()

-- A whole lifetime, or as much of it as time allows.
local begin, warm = clock(), 0
while warm < 650 and clock() - begin < limit do
  frame()
  warm = warm + 1
end

local times = {}
begin = clock()
frame()
local batch = math.max(1, math.floor(2e-3 / math.max(clock() - begin, 1e-6)))
begin = clock()
while #times < 5 or (#times < 60 and clock() - begin < limit) do
  local from = clock()
  for _ = 1, batch do frame() end
  times[#times + 1] = (clock() - from) / batch * 1e6
end
table.sort(times)
measure.report("frame", times[math.floor(#times / 2) + 1])
