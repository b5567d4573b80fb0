-- The hot paths from Lua, counted by count.c: `counted(path, times)` is what callgrind counts. Each is text that stands
-- in a loop, with what comes before, and how many operations it has.

local spawnpool = require "spawnpool"

local OPERATIONS = 2000

local PAIR = 'local o = pools:alloc("Bullet", 2) pools:recycle(o)'
-- Alloc with a lifetime of less than a tick, and the update that ends it.
local EXPIRY = "for _ = 1, 100 do bullets:alloc(0.016) end pools:update(1 / 60)"
local OBJECT = "o = bullets:alloc()"

local paths = {
  { "any_get", "local _ = o.bag", OBJECT },
  { "any_set", "o.bag = bags[i % 2 + 1]", "o, bags = bullets:alloc(), { {}, {} }" },
  { "expiry", EXPIRY, "", 100 },
  { "expiry_recycle", EXPIRY, "function Bullet:recycle(o) return Bullet.super.recycle(self, o) end", 100 },
  { "get", "local _ = o.x", OBJECT },
  { "method", "o:act()", OBJECT },
  { "own_get", "local _ = o.damage", OBJECT },
  { "own_set", "o.damage = i", OBJECT },
  { "pair", PAIR },
  { "pair_object", "local o = bullets:alloc(2) o:recycle()" },
  { "pair_override", PAIR, [[function Bullet:alloc(life)
    local o = Bullet.super.alloc(self, life)
    o.x = 1
    return o
  end]] },
  { "pair_placed", 'local o = pools:alloc("Bullet", 2, 10, 20.5) pools:recycle(o)' }, -- as most games spawn
  { "pair_spawn", PAIR, "function Bullet.on_spawn(_, o) o.x = 1 end" },
  { "set", "o.x = i", OBJECT },
  { "walk", "for _ in bullets:each() do end", "for _ = 1, 100 do bullets:alloc() end", 100 },
}

local function compile(work, before, operations)
  return assert(load(([[
    local pools, bullets, Bullet, o, bags = ...
    %s
    return function(times)
      for i = 1, times, %d do %s end
    end]]):format(before or "", operations or 1, work)))
end

for _, it in ipairs(paths) do
  local name = it[1]
  local Bullet = spawnpool.class("Bullet", {
    prealloc = 200,
    fields = { damage = 1, bag = name:find "^any" and spawnpool.any() or nil },
    methods = { act = function() end },
  })
  local pools = spawnpool.new()
  local path = compile(it[2], it[3], it[4])(pools, pools:pool("Bullet"), Bullet)
  path(OPERATIONS / 2)
  collectgarbage()
  collectgarbage("stop")
  print(("lua_%s %d"):format(name, OPERATIONS))
  counted(path, OPERATIONS) -- luacheck: ignore
  collectgarbage("restart")
  Bullet.alloc, Bullet.on_spawn, Bullet.recycle = nil, nil, nil
  pools:close()
end
