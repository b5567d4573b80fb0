-- The hot paths from Lua, to be counted under callgrind by count.sh: `count.lua PATH N` does one thing N times.

local spawnpool = require "spawnpool"

local Bullet = spawnpool.class("Bullet", { prealloc = 200, fields = { damage = 1 } })
local pools = spawnpool.new()
local bullets = pools:pool("Bullet")

local paths = {}

function paths.pair(times)
  for _ = 1, times do
    local o = pools:alloc("Bullet", 2)
    pools:recycle(o)
  end
end

function paths.pair_override(times)
  function Bullet:alloc(life)
    local o = Bullet.super.alloc(self, life)
    o.x = 1
    return o
  end
  paths.pair(times)
end

function paths.get(times)
  local o = bullets:alloc()
  for _ = 1, times do local _ = o.x end
end

function paths.set(times)
  local o = bullets:alloc()
  for i = 1, times do o.x = i end
end

function paths.own_set(times)
  local o = bullets:alloc()
  for i = 1, times do o.damage = i end
end

function paths.own_get(times)
  local o = bullets:alloc()
  for _ = 1, times do local _ = o.damage end
end

function paths.walk(times)
  for _ = 1, 100 do bullets:alloc() end
  for _ = 1, times, 100 do
    for _ in bullets:each() do end
  end
end

paths[arg[1]](tonumber(arg[2]))
