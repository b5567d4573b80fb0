-- The hot paths from Lua, counted by script.c: `counted(path, times)` is what callgrind counts.

local spawnpool = require "spawnpool"

local OPERATIONS = 2000

local paths = {}

local function pair(pools)
  return function(times)
    for _ = 1, times do
      local o = pools:alloc("Bullet", 2)
      pools:recycle(o)
    end
  end
end

function paths.pair(pools)
  return pair(pools)
end

function paths.pair_object(_, bullets)
  return function(times)
    for _ = 1, times do
      local o = bullets:alloc(2)
      o:recycle()
    end
  end
end

-- With a place, as most games spawn.
function paths.pair_placed(pools)
  return function(times)
    for _ = 1, times do
      local o = pools:alloc("Bullet", 2, 10, 20.5)
      pools:recycle(o)
    end
  end
end

function paths.pair_override(pools, _, Bullet)
  function Bullet:alloc(life)
    local o = Bullet.super.alloc(self, life)
    o.x = 1
    return o
  end
  return pair(pools)
end

function paths.pair_spawn(pools, _, Bullet)
  function Bullet.on_spawn(_, o)
    o.x = 1
  end
  return pair(pools)
end

-- Alloc with a lifetime of less than a tick, and the update that ends it.
local function expiry(pools, bullets)
  return function(times)
    for _ = 1, times, 100 do
      for _ = 1, 100 do bullets:alloc(0.016) end
      pools:update(1 / 60)
    end
  end
end

function paths.expiry(pools, bullets)
  return expiry(pools, bullets)
end

function paths.expiry_recycle(pools, bullets, Bullet)
  function Bullet:recycle(o)
    return Bullet.super.recycle(self, o)
  end
  return expiry(pools, bullets)
end

function paths.get(_, bullets)
  local o = bullets:alloc()
  return function(times)
    for _ = 1, times do local _ = o.x end
  end
end

function paths.set(_, bullets)
  local o = bullets:alloc()
  return function(times)
    for i = 1, times do o.x = i end
  end
end

function paths.own_get(_, bullets)
  local o = bullets:alloc()
  return function(times)
    for _ = 1, times do local _ = o.damage end
  end
end

function paths.own_set(_, bullets)
  local o = bullets:alloc()
  return function(times)
    for i = 1, times do o.damage = i end
  end
end

function paths.any_get(_, bullets)
  local o = bullets:alloc()
  return function(times)
    for _ = 1, times do local _ = o.bag end
  end
end

function paths.any_set(_, bullets)
  local o, bags = bullets:alloc(), { {}, {} }
  return function(times)
    for i = 1, times do o.bag = bags[i % 2 + 1] end
  end
end

function paths.method(_, bullets)
  local o = bullets:alloc()
  return function(times)
    for _ = 1, times do o:act() end
  end
end

function paths.walk(_, bullets)
  for _ = 1, 100 do bullets:alloc() end
  return function(times)
    for _ = 1, times, 100 do
      for _ in bullets:each() do end
    end
  end
end

local names = {}
for name in pairs(paths) do names[#names + 1] = name end
table.sort(names)
for _, name in ipairs(names) do
  local Bullet = spawnpool.class("Bullet", {
    prealloc = 200,
    fields = { damage = 1, bag = name:find "^any" and spawnpool.any() or nil },
    methods = { act = function() end },
  })
  local pools = spawnpool.new()
  local path = paths[name](pools, pools:pool("Bullet"), Bullet)
  path(OPERATIONS / 2)
  collectgarbage()
  collectgarbage("stop")
  print(("lua_%s %d"):format(name, OPERATIONS))
  counted(path, OPERATIONS) -- luacheck: ignore
  collectgarbage("restart")
  Bullet.alloc, Bullet.on_spawn, Bullet.recycle = nil, nil, nil
  pools:close()
end
