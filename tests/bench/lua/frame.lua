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

-- Pools that have this class.
local function move_pool(pools)
  local bullets, life = pools:pool "Bullet", lifetimes()
  for _ = 1, COUNT do bullets:alloc(life(), 0, 0) end
  return function()
    pools:update(TICK)
    for _ = 1, COUNT - bullets.live do bullets:alloc(life(), 0, 0) end
  end
end

local BULLET = {
  prealloc = COUNT, vx = 1, vy = 2,
  bounds = { x = 0, y = 0, w = WIDTH, h = HEIGHT, outside = "recycle" },
}

function frames.spawnpool()
  local spawnpool = require "spawnpool"
  spawnpool.class("Bullet", BULLET)
  return move_pool(spawnpool.new())
end

-- {== LuaJIT only ============================================================

-- Four corners for each bullet, as they go to a graphics card.
local function corners()
  local ffi = require "ffi"
  ffi.cdef "typedef struct { float x, y, u, v; uint32_t color; } corner;"
  local list = ffi.new("corner[?]", COUNT * 4)
  return function(n, x, y)
    local to = list + n * 4
    to[0].x, to[0].y, to[0].u, to[0].v, to[0].color = x - 3, y - 3, 0, 0, -1
    to[1].x, to[1].y, to[1].u, to[1].v, to[1].color = x - 3, y + 3, 0, 1, -1
    to[2].x, to[2].y, to[2].u, to[2].v, to[2].color = x + 3, y - 3, 1, 0, -1
    to[3].x, to[3].y, to[3].u, to[3].v, to[3].color = x + 3, y + 3, 1, 1, -1
  end
end

-- C structs without a C library.
function frames.structs()
  local ffi = require "ffi"
  ffi.cdef "typedef struct { float x, y, vx, vy, life; uint32_t generation; } bullet;"
  local bullets, life, draw = ffi.new("bullet[?]", COUNT), lifetimes(), corners()
  for i = 0, COUNT - 1 do bullets[i].vx, bullets[i].vy, bullets[i].life = 1, 2, life() end
  return function()
    for i = 0, COUNT - 1 do
      local o = bullets[i]
      o.life = o.life - TICK
      o.x = o.x + o.vx * TICK
      o.y = o.y + o.vy * TICK
      if o.life <= 0 or o.x < 0 or o.x > WIDTH or o.y < 0 or o.y > HEIGHT then
        o.generation = o.generation + 2
        o.life = life()
        o.x = 0
        o.y = 0
      end
    end
    for i = 0, COUNT - 1 do draw(i, bullets[i].x, bullets[i].y) end
  end
end

-- The C library by FFI.
function frames.drawn()
  package.path = "build/lua/?.lua;" .. package.path
  local band, lshift = bit.band, bit.lshift -- luacheck: ignore 113
  local pools = require("spawnpool.ffi").new()
  pools:class("Bullet", BULLET)
  local frame, bullets, draw = move_pool(pools), pools:pool "Bullet", corners()
  local xs, ys = bullets:column "x", bullets:column "y"
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

local frame = frames[arg[1]]()
for _ = 1, 650 do frame() end -- a whole lifetime
measure.report("frame", measure.least(12, function()
  for _ = 1, 100 do frame() end
end) / 100 * 1e6)
