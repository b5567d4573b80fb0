-- Managers: their clock, is_live, remove and close, and the answers of a closed one.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

kit.test("is_live: answers for anything at all", {}, function(pools)
  local o <const>, dead <const> = pools:alloc "Cube", pools:alloc "Cube"
  pools:recycle(dead)
  spec.equal({ pools:is_live(o), pools:is_live(dead), pools:is_live() }, { true, false, false })
  local thread <const> = coroutine.create(print)
  for _, value in ipairs { 1, 1.5, 0 / 0, "Cube", true, {}, print, pools, pools:pool "Cube", thread } do
    spec.equal(pools:is_live(value), false)
  end
  spec.equal(pools:is_live(nil), false)
end)

kit.test("update: runs once per update and pool, with the scaled dt, live objects or not", {}, function(pools, Cube)
  local add <const>, log <const> = kit.log()
  function Cube:update(dt) add(self.type, dt * 64) end
  spawnpool.class("Sub", { extends = "Cube" })
  pools:pool "Sub"
  pools:pool "Cube"
  kit.tick(pools)
  pools.time_scale = 2
  kit.tick(pools)
  pools.time_scale, pools.paused = 1, true
  kit.tick(pools)
  pools.paused = false
  spec.equal({ log(), pools.time_scale, pools.paused }, { "Sub 1.0, Cube 1.0, Sub 2.0, Cube 2.0", 1, false })
  function Cube:update() error "oops" end
  local said <const> = spec.hear(kit.tick, pools, 2)
  spec.equal({ said:find "Cube.update: .*oops" ~= nil, said:find "Sub.update" ~= nil }, { true, true })
end)

spec.describe("remove", function()
  kit.test("recycles, destroys, forgets, and returns both counts", function(pools)
    local add <const>, log <const> = kit.log()
    spawnpool.class("Cube", kit.hooks(add, { grow = 3 }))
    local o <const> = pools:alloc "Cube"
    log()
    spec.equal({ pools:remove "Cube" }, { 1, 3 })
    spec.equal(log(), "despawn 1 removed, destroy 2, destroy 3, destroy 1")
    spec.equal({ o.alive, pools:stats().total, tostring(pools) }, { false, 0, "pools (0 types, 0 live)" })
    spec.equal({ pools:remove "Cube" }, { 0, 0 })
  end)

  kit.test("gives memory back, and types can come and go for ever", {}, function(pools)
    local function bytes() return pools:stats().bytes end
    for _ = 1, 3 do
      pools:alloc "Cube"
      pools:remove "Cube"
    end
    local before <const> = bytes()
    for _ = 1, 200 do
      pools:alloc "Cube"
      pools:remove "Cube"
    end
    spec.equal(bytes(), before)
  end)

  kit.test("keeps many types apart", function(pools)
    for i = 1, 300 do spawnpool.class("Type" .. i, { limit = i }) end
    for i = 1, 300 do pools:alloc("Type" .. i) end
    for i = 1, 300, 2 do pools:remove("Type" .. i) end
    for i = 1, 300 do
      spec.equal(pools:pool("Type" .. i).limit, i)
      spec.equal(pools:pool("Type" .. i).live, (i + 1) % 2)
    end
    spec.equal(pools:stats().live, 150)
  end)
end)

spec.describe("close", function()
  local function closed(settings)
    local pools <const> = kit.new()
    spawnpool.class("Cube", settings)
    local o <const>, pool <const> = pools:alloc("Cube", 1), pools:pool "Cube"
    spec.equal((pools:close()), 1)
    return pools, pool, o
  end

  spec.test("recycles and destroys everything, and returns both counts", function()
    local add <const>, log <const> = kit.log()
    local pools <const> = kit.new()
    spawnpool.class("Cube", kit.hooks(add, { grow = 2 }))
    spawnpool.class("Ball", kit.hooks(add, { grow = 1 }))
    pools:alloc "Cube"
    pools:alloc "Ball"
    log()
    spec.equal({ pools:close() }, { 2, 3 })
    spec.equal(log(), "despawn 1 removed, destroy 2, destroy 1, despawn 1 removed, destroy 1")
    spec.equal({ pools:close() }, { 0, 0 })
    spec.equal(tostring(pools), "pools (closed)")
  end)

  kit.test("happens at the end of a scope that says so", {}, function(pools)
    local o
    do
      local scope <close> = pools
      o = scope:alloc "Cube"
    end
    spec.equal({ o.alive, tostring(pools) }, { false, "pools (closed)" })
  end)

  spec.test("makes every method refuse cleanly", function()
    local pools <const>, _, o <const> = closed()
    spec.equal({ pools:alloc "Cube" }, { nil, "closed" })
    spec.equal({ pools:alloc("Unheard", 1, 2, 3) }, { nil, "closed" })
    spec.equal({ pools:pool "Cube" }, { nil, "closed" })
    spec.equal({ pools:recycle(o) }, { false, "closed" })
    spec.equal({ pools:update(1) }, { false, "closed" })
    spec.equal({ pools:is_live(o) }, { false })
    spec.equal({ pools:recycle_all() }, { 0 })
    spec.equal({ pools:recycle_all(function() return true end) }, { 0 })
    spec.equal({ pools:clear() }, { 0 })
    spec.equal({ pools:remove "Cube" }, { 0, 0 })
    spec.equal({ pools:close() }, { 0, 0 })
    kit.blames("the manager is closed", function() pools:each() end)
    kit.blames("the manager is closed", function() pools:stats() end)
    kit.blames("the manager is closed", function() return pools.time end)
    kit.blames("the manager is closed", function() return pools.nothing end)
    kit.blames("the manager is closed", function() pools.paused = true end)
  end)

  spec.test("still tells wrong types from right ones", function()
    local pools <const> = closed()
    kit.blames("bad argument #1 to 'alloc'", function() pools:alloc(12) end)
    kit.blames("bad argument #1 to 'update'", function() pools:update "x" end)
    kit.blames("bad argument #1 to 'recycle'", function() pools:recycle "x" end)
  end)

  spec.test("leaves the classes as they are", function()
    local pools <const> = closed { limit = 3 }
    local Cube <const> = spawnpool.class "Cube"
    Cube.limit = 2
    function Cube:on_spawn() end
    spec.equal({ kit.new():pool("Cube").limit, tostring(pools) }, { 2, "pools (closed)" })
  end)

  spec.test("of the default manager leaves the module standing", function()
    spawnpool.class "Cube"
    spawnpool.pools:alloc "Cube"
    spec.equal({ spawnpool.pools:close() }, { 1, 32 })
    spec.equal({ spawnpool.pools:alloc "Cube" }, { nil, "closed" })
    spec.equal(kit.new():alloc("Cube").alive, true)
  end)
end)
