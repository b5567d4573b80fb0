-- take: brings an idle object to life by type, class, group or predicate, and never makes a new one.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

local function ids(pool)
  local list <const> = {}
  for o in pool:each() do list[#list + 1] = o.id end
  return list
end

-- A pool of `type` whose objects 1..count are idle, in order.
local function idle(pools, type, count)
  pools:pool(type):prewarm(count)
  return pools:pool(type)
end

spec.describe("take", function()
  kit.test("by predicate sees idle objects only, over all types, with their kept fields",
    { fields = { skin = spawnpool.keep "plain", n = spawnpool.keep(0), hits = 0 } }, function(pools)
    local pool <const> = pools:pool "Cube"
    local a <const>, b <const> = pools:alloc "Cube", pools:alloc "Cube"
    local live <const> = pools:alloc "Cube"
    b.skin, b.n, b.hits = "red", 7, 3
    live.skin = "red"
    a:recycle()
    b:recycle()
    local seen <const> = {}
    local function red(o)
      spec.equal(o.alive, false)
      seen[#seen + 1] = o.id
      return o.skin == "red" and o.n == 7
    end
    local got <const> = pools:take(red)
    spec.equal({ got.id, got.skin, got.n, got.hits, got ~= b }, { 2, "red", 7, 0, true })
    spec.equal(seen[#seen], 2)
    spec.equal({ pool:take(red) }, { nil, "none" })
    spec.equal(pool:take(function(o) return o.id == 1 end).id, 1)
    spec.equal(#ids(pool), 3)
  end)

  kit.test("runs on_spawn, not fresh, and starts from the class like any alloc", function(pools)
    local add <const>, log <const> = kit.log()
    spawnpool.class("Cube", kit.hooks(add, { grow = 1, x = 4, fields = { hp = 9, list = spawnpool.any() } }))
    local pool <const> = pools:pool "Cube"
    local o = pools:alloc("Cube", 5, 1, 2, 3)
    o.hp, o.list, o.vx = 1, {}, 8
    o:after(1, function() add "late" end)
    o:recycle()
    log()
    o = pool:take()
    spec.equal(log(), "spawn 1 reused")
    spec.equal({ o.x, o.y, o.angle, o.hp, o.list, o.vx, o.lifetime, o.age }, { 4, 0, 0, 9, nil, 0, 0, 0 })
    kit.tick(pools, 640)
    spec.equal({ log(), o.alive }, { "", true })
    pool:prewarm(2)
    log()
    pool:take()
    spec.equal(log(), "spawn 2 fresh")
  end)

  kit.test("of an object that its own on_spawn recycles says so", { prealloc = 1 }, function(pools, Cube)
    pools:pool "Cube"
    function Cube:on_spawn(o) o:recycle() end
    spec.equal({ pools:take "Cube" }, { nil, "recycled" })
    function Cube:on_spawn(o) error("no " .. o.id) end
    spec.expect_error("no 1", pools.take, pools, "Cube")
    spec.equal({ pools:pool("Cube").live, pools:pool("Cube").idle }, { 0, 1 })
  end)

  kit.test("after close is refused", function(pools)
    local pool <const> = idle(pools, "Cube", 1)
    pools:close()
    spec.equal({ pools:take "Cube" }, { nil, "closed" })
    spec.equal({ pool:take() }, { nil, "closed" })
  end)
end)

spec.describe("take, with a predicate that acts", function()
  kit.test("ends even when every question makes another idle object", { grow = 1 }, function(pools)
    local pool <const> = idle(pools, "Cube", 4)
    local asked = 0
    spec.equal({ pool:take(function()
      asked = asked + 1
      if asked < 500 then pool:prewarm(pool.total + 1) end
      return false
    end) }, { nil, "none" })
    spec.equal(asked < 10, true)
  end)

  kit.test("writes: what is reset at alloc stays reset, what is kept stays", { fields = {
    n = 1, kept = spawnpool.keep(1), list = spawnpool.any(), name = "x",
    made = spawnpool.fresh(function() return {} end),
  } }, function(pools)
    local pool <const> = idle(pools, "Cube", 1)
    local early
    local got <const> = pool:take(function(o)
      early = o.made
      o.n, o.kept, o.list, o.name, o.x = 2, 2, {}, "y", 50
      return true
    end)
    spec.equal({ got.n, got.kept, got.list, got.name, got.x }, { 1, 2, nil, "x", 0 })
    spec.equal(got.made ~= early, true)
    spec.equal(got.made, got.made)
  end)
end)
