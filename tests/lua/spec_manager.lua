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

  kit.test("keeps many types apart, some by the end of a long name only", function(pools)
    local function name(i) return ("Type"):rep(i % 3 * 4 + 1) .. i end
    for i = 1, 300 do spawnpool.class(name(i), { limit = i }) end
    for i = 1, 300 do pools:alloc(name(i)) end
    for i = 1, 300, 2 do pools:remove(name(i)) end
    for i = 1, 300 do
      spec.equal(pools:pool(name(i)).limit, i)
      spec.equal(pools:pool(name(i)).live, (i + 1) % 2)
    end
    spec.equal(pools:stats().live, 150)
  end)
end)

spec.describe("close", function()
  kit.test("recycles, destroys and forgets, as remove does, and returns both counts", function(pools)
    local add <const>, log <const> = kit.log()
    spawnpool.class("Cube", kit.hooks(add, { grow = 3 }))
    spawnpool.class("Ball", kit.hooks(add, { grow = 1 }))
    for _, calls in ipairs {
      { function() return pools:remove "Cube" end, function() return pools:remove "Ball" end },
      { function() return pools:close() end },
    } do
      local o <const> = pools:alloc "Cube"
      pools:alloc "Ball"
      log()
      local recycled, destroyed = 0, 0
      for _, call in ipairs(calls) do
        local live <const>, total <const> = call()
        recycled, destroyed = recycled + live, destroyed + total
      end
      spec.equal({ recycled, destroyed, o.alive, calls[1]() }, { 2, 4, false, 0, 0 })
      spec.equal(log(), "despawn 1 removed, destroy 2, destroy 3, destroy 1, despawn 1 removed, destroy 1")
      if #calls == 2 then spec.equal({ pools:stats().total, tostring(pools) }, { 0, "pools (0 types, 0 live)" }) end
    end
  end)

  kit.test("happens at the end of a scope that says so", {}, function(pools)
    local o
    do
      local scope <close> = pools
      o = scope:alloc "Cube"
    end
    spec.equal({ o.alive, tostring(pools) }, { false, "pools (closed)" })
  end)

  spec.test("makes every call refuse cleanly, and so does the removal of a pool", function()
    local pools <const>, other <const> = kit.new(), kit.new()
    local Cube <const> = spawnpool.class("Cube", { limit = 3 })
    local it <const> = {
      pools = pools, pool = other:pool "Cube", o = pools:alloc("Cube", 1), dead = other:alloc "Cube", base = Cube.super,
      of_closed = pools:pool "Cube", snapshot = pools:snapshot(), save = pools:save(), f = print,
    }
    other:remove "Cube"
    pools:close()
    local NIL <const>, FALSE <const>, NONE <const> = { nil, "closed" }, { false, "closed" }, { 0 }
    for code, want in pairs {
      ["pools:alloc 'Cube'"] = NIL, ["pools:alloc('Unheard', 1, 2, 3)"] = NIL, ["pools:pool 'Cube'"] = NIL,
      ["pools:take 'Cube'"] = NIL, ["pools:snapshot()"] = NIL, ["pools:hash()"] = NIL, ["pools:save()"] = NIL,
      ["pools:recycle(o)"] = FALSE, ["pools:update(1)"] = FALSE, ["pools:restore(snapshot)"] = FALSE,
      ["pools:restore(save)"] = FALSE, ["o:recycle()"] = FALSE, ["pools:is_live(o)"] = { false },
      ["pools:recycle_all()"] = NONE, ["pools:recycle_all(f)"] = NONE, ["pools:clear()"] = NONE,
      ["pools:remove 'Cube'"] = { 0, 0 }, ["pools:close()"] = { 0, 0 }, ["tostring(pools)"] = { "pools (closed)" },
      ["pool:alloc()"] = NIL, ["pool:take()"] = NIL, ["base.alloc(pool)"] = NIL, ["pool:recycle(dead)"] = FALSE,
      ["base.recycle(pool, dead)"] = FALSE, ["pool:recycle_all()"] = NONE, ["pool:clear()"] = NONE,
      ["pool:trim()"] = NONE, ["of_closed:alloc()"] = NIL, ["tostring(pool)"] = { "pool (removed)" },
    } do
      it.tostring = tostring
      spec.equal({ assert(load("return " .. code, "=row", "t", it))() }, want, code)
    end
    local closed <const>, gone <const> = "the manager is closed", "the pool was removed, or its manager closed"
    local KEYS <const> = { "live", "idle", "total", "peak", "type", "class", "limit", "overflow", "nothing" }
    kit.refuses(it, {
      { "pools:each()", closed }, { "pools:stats()", closed }, { "pools.time", closed }, { "pools.nothing", closed },
      { "pools.paused = true", closed }, { "pools:configure()", closed }, { "pools:leaks()", closed },
      { "pools:after(1, f)", closed }, { "pools:run(f)", closed },
      { "pools:alloc(12)", "bad argument #1 to 'alloc'" }, { "pools:update 'x'", "bad argument #1 to 'update'" },
      { "pools:recycle 'x'", "bad argument #1 to 'recycle'" },
      { "pool:prewarm(1)", gone }, { "pool:each()", gone }, { "pool:stats()", gone }, { "pool[V]", gone, KEYS },
      { "pool[V] = 1", gone, KEYS }, { "of_closed.live", gone },
    })
    Cube.limit = 2 -- the class is as it was
    function Cube:on_spawn() end
    spec.equal({ kit.new():pool("Cube").limit, other:stats("Cube").total }, { 2, 0 })
  end)

  spec.test("of the default manager leaves the module standing", function()
    spawnpool.class "Cube"
    spawnpool.pools:alloc "Cube"
    spec.equal({ spawnpool.pools:close() }, { 1, 32 })
    spec.equal({ spawnpool.pools:alloc "Cube" }, { nil, "closed" })
    spec.equal(kit.new():alloc("Cube").alive, true)
  end)
end)
