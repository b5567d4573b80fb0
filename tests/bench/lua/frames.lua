-- Ways to run a frame of N bullets that live for 1..600 ticks: move all, end those whose time has come or that have
-- left the screen, respawn as many from the script. Each function makes N bullets and returns what runs a frame.

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

-- One Lua array per field: the quickest shape that plain Lua has.
function frames.columns(count)
  local x, y, vx, vy, left = {}, {}, {}, {}, {}
  local life = lifetimes()
  for i = 1, count do
    x[i], y[i], vx[i], vy[i], left[i] = 0.0, 0.0, 1.0, 2.0, life() / 60
  end
  return function()
    for i = 1, count do
      local l, nx, ny = left[i] - TICK, x[i] + vx[i] * TICK, y[i] + vy[i] * TICK
      if l <= 0 or nx < 0 or nx > WIDTH or ny < 0 or ny > HEIGHT then
        l, nx, ny = life() / 60, 0.0, 0.0
      end
      left[i], x[i], y[i] = l, nx, ny
    end
  end
end

-- LuaJIT only: C structs without a C library.
function frames.ffi(count)
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

return frames
