-- A pool manager by group keys, PoolManager<K, V> with Push and Pop. C rows: what it can do, done our way. B rows: what
-- goes wrong in it, driven here.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

local STEP <const> = kit.STEP

local function alloc_many(pools, type, count)
  local objects <const> = {}
  for i = 1, count do objects[i] = pools:alloc(type) end
  return objects
end

-- Idle objects of a type, all of them.
local function make_idle(pools, type, count)
  pools:pool(type):prewarm(count)
end

spec.describe("PoolManager", function()
  spec.test("C1 a group, and hooks for Create, OnPush and FailedPush", function()
    local pools <const> = kit.new()
    local add <const>, log <const> = kit.log()
    local Bullet <const> = spawnpool.class("Bullet", kit.hooks(add, { group = "shots", idle_limit = 1, grow = 1 }))
    local first <const>, second <const> = pools:alloc "Bullet", pools:alloc "Bullet"
    first:recycle()
    spec.equal(log(), "create 1, spawn 1 fresh, create 2, spawn 2 fresh, despawn 1 recycled")
    second:recycle()
    spec.equal(log(), "despawn 2 recycled, reject 2, destroy 2")
    spec.equal({ pools:take({ group = "shots" }).id, Bullet.group }, { 1, "shots" })
    spec.equal(log(), "spawn 1 reused")
  end)

  spec.test("C2 a limit of idle ones, counts, whether there is room, whether any is there, Clear", function()
    local pools <const> = kit.new()
    spawnpool.class("Bullet", { idle_limit = 128 })
    local pool <const> = pools:pool "Bullet"
    local function can_push() return pool.idle < pool.idle_limit end
    spec.equal({ pool.idle_limit, pool.live, pool.idle, pool.total, can_push() }, { 128, 0, 0, 0, true })
    local objects <const> = alloc_many(pools, "Bullet", 130)
    for i = 1, 128 do spec.equal(objects[i]:recycle(), true) end
    spec.equal({ pool.live, pool.idle, pool.total, can_push() }, { 2, 128, 130, false })
    spec.equal({ pools:clear { type = "Bullet" }, pool.idle, pool.live }, { 128, 0, 2 })
  end)

  spec.test("C3 pop by group, by type and by predicate; nil when none is idle", function()
    local pools <const> = kit.new()
    spawnpool.class("Shell", { group = "shots", grow = 1, fields = { skin = spawnpool.keep "plain" } })
    spawnpool.class("Crate", { grow = 1 })
    for _, filter in ipairs { { group = "shots" }, { type = "Shell" }, { class = "Shell" }, print } do
      spec.equal({ pools:take(filter) }, { nil, "none" })
    end
    local shells <const> = alloc_many(pools, "Shell", 3)
    shells[2].skin = "gold"
    pools:alloc("Crate"):recycle()
    pools:recycle_all { type = "Shell" }
    local gold <const> = pools:take(function(o) return o.type == "Shell" and o.skin == "gold" end)
    spec.equal({ gold.id, gold.alive }, { 2, true })
    spec.equal({ pools:take({ group = "shots" }).id, pools:take({ type = "Shell" }).id }, { 1, 3 })
    spec.equal({ pools:take { group = "shots" } }, { nil, "none" })
    spec.equal(pools:pool("Crate").idle, 1)
  end)

  spec.test("C4 one manager for all, PopOrCreate at a place or the origin, self.Push(), the type as key", function()
    local pools <const> = spawnpool.pools
    spawnpool.class("Bullet", { grow = 1 })
    local placed <const>, plain <const> = pools:alloc("Bullet", 0, 7, 8, 1), pools:alloc "Bullet"
    spec.equal({ placed.x, placed.y, placed.angle, plain.x, plain.y, plain.angle }, { 7.0, 8.0, 1.0, 0.0, 0.0, 0.0 })
    spec.equal({ placed:recycle(), placed.alive, plain.type }, { true, false, "Bullet" })
    local again <const> = pools:alloc("Bullet", 0, 1, 2)
    spec.equal({ again.id, again.x, again.y, pools:pool("Bullet").total }, { 1, 1.0, 2.0, 2 })
    spec.equal(spawnpool.pools == pools, true)
  end)

  spec.test("C5 its own uses: a bullet that ends itself, a decal that fades, items that go with their list", function()
    local pools <const> = kit.new()
    local Bullet <const> = spawnpool.class "Bullet"
    spawnpool.class("Footprint", { over_life = { a = { 1, 0 } } })
    spawnpool.class("Item", { fields = { list = "" } })
    function Bullet:on_spawn(o) o:after(2 * STEP, function() o:recycle() end) end
    local bullet <const>, decal <const> = pools:alloc "Bullet", pools:alloc("Footprint", 4 * STEP)
    for i = 1, 6 do pools:alloc("Item", 0, { list = i <= 4 and "scores" or "names" }) end
    kit.tick(pools, 2)
    spec.equal({ bullet.alive, decal.alive, decal.a }, { false, true, 0.5 })
    kit.tick(pools, 2)
    spec.equal({ decal.alive, pools:alloc("Footprint").a }, { false, 1.0 })
    spec.equal(pools:recycle_all(function(o) return o.type == "Item" and o.list == "scores" end), 4)
    spec.equal({ pools:pool("Item").live, pools:pool("Item").idle }, { 2, 30 })
  end)

  spec.test("C6 what its readers asked for: no interface to implement, no singleton, one way to push", function()
    local pools <const>, others <const> = kit.new(), kit.new()
    spawnpool.class("Plain", {}) -- a class is settings; each function in it is optional
    local here <const>, there <const> = pools:alloc "Plain", others:alloc "Plain"
    spec.equal({ here ~= there, pools:pool("Plain").live, others:pool("Plain").live }, { true, 1, 1 })
    spec.equal({ pools:is_live(there), others:is_live(there) }, { false, true })
    spec.equal({ others:close() }, { 1, 32 })
    spec.equal({ here.alive, there.alive }, { true, false })
    -- The manager's call is the pool's: the same object comes back through either.
    spec.equal({ pools:pool("Plain"):recycle(here), pools:pool("Plain").idle }, { true, 32 })
  end)

  spec.test("B1 the limit counts objects, not groups: exactly as many as it says are kept, one as well", function()
    for _, cap in ipairs { 0, 1, 2, 5 } do
      local pools <const> = kit.new()
      spawnpool.class("Bullet", { idle_limit = cap, grow = 1 })
      local pool <const> = pools:pool "Bullet"
      local seen <const>, objects <const> = {}, alloc_many(pools, "Bullet", cap + 2)
      for i, o in ipairs(objects) do
        spec.equal(o:recycle(), true)
        seen[i] = pool.idle
      end
      for i = 1, cap + 2 do spec.equal(seen[i], math.min(i, cap), "idle after " .. i) end
      spec.equal(pool.total, cap)
    end
  end)

  spec.test("B2 recycle answers true when the object was taken back", function()
    local pools <const> = kit.new { misuse = "ignore" }
    spawnpool.class "Bullet"
    local o <const> = pools:alloc "Bullet"
    spec.equal({ pools:recycle(o) }, { true })
    spec.equal({ pools:recycle(o) }, { false, "stale" })
  end)

  spec.test("B3 a pop by predicate hands out each object once, and a group that nobody knows is no error", function()
    local pools <const> = kit.new()
    spawnpool.class("Bullet", { group = "shots", grow = 1 })
    make_idle(pools, "Bullet", 3)
    local function any(o) return o.type == "Bullet" end
    local seen <const> = {}
    for _ = 1, 3 do
      local o <const> = pools:take(any)
      spec.equal(seen[o], nil)
      seen[o] = o.id
    end
    spec.equal({ pools:take(any) }, { nil, "none" })
    spec.equal({ pools:take { type = "Bullet" } }, { nil, "none" })
    spec.equal({ pools:take { group = "nobody" } }, { nil, "none" })
    kit.check(pools, "Bullet")
  end)

  spec.test("B4 a pop when nothing is there, also after Clear, gives nil and runs no hook", function()
    local pools <const> = kit.new()
    local add <const>, log <const> = kit.log()
    spawnpool.class("Bullet", kit.hooks(add, { grow = 1 }))
    local old <const> = pools:alloc "Bullet"
    old:recycle()
    spec.equal(pools:clear(), 1)
    log()
    spec.equal({ pools:take { type = "Bullet" } }, { nil, "none" })
    spec.equal({ pools:pool("Bullet"):take() }, { nil, "none" })
    spec.equal({ log(), old.alive }, { "", false })
  end)

  spec.test("B5 Clear leaves nothing behind: every idle object is destroyed and counted", function()
    local pools <const> = kit.new()
    local destroyed = 0
    for _, name in ipairs { "Bullet", "Shell" } do
      spawnpool.class(name, { group = "shots", on_destroy = function() destroyed = destroyed + 1 end })
      make_idle(pools, name, 5)
    end
    spec.equal({ pools:clear { group = "shots" }, destroyed }, { 10, 10 })
    spec.equal({ pools:stats().total, pools:stats().destroyed }, { 0, 10 })
    spec.equal({ pools:take { group = "shots" } }, { nil, "none" })
    spec.equal(pools:take(function() return true end), nil)
  end)

  spec.test("B6 a group that changes while objects are idle gives no object a second owner", function()
    local pools <const> = kit.new()
    local Bullet <const> = spawnpool.class("Bullet", { group = "shots", grow = 1 })
    make_idle(pools, "Bullet", 2)
    Bullet.group = "shells"
    spec.equal({ pools:take { group = "shots" } }, { nil, "none" })
    local first <const> = pools:take { group = "shells" }
    Bullet.group = "shots"
    local second <const> = pools:take { group = "shots" }
    spec.equal({ first.id, second.id }, { 1, 2 })
    spec.equal({ pools:take { group = "shots" } }, { nil, "none" })
    spec.equal({ pools:take { group = "shells" } }, { nil, "none" })
    kit.check(pools, "Bullet")
  end)

  spec.test("B7 a pop by type is exact and a pop by class takes subclasses: one rule each, everywhere", function()
    local pools <const> = kit.new()
    local Shot <const> = spawnpool.class("Shot", { grow = 1 })
    spawnpool.class("Shell", { extends = "Shot", grow = 1 })
    make_idle(pools, "Shell", 2)
    spec.equal({ pools:take { type = "Shot" } }, { nil, "none" })
    spec.equal(pools:take({ class = "Shot" }).type, "Shell")
    local count = 0
    for _ in pools:each { class = Shot } do count = count + 1 end
    for _ in pools:each { type = "Shot" } do count = count + 10 end
    spec.equal(count, 1)
    spec.equal({ pools:clear { type = "Shot" }, pools:clear { class = Shot } }, { 0, 1 })
  end)

  spec.test("B8 an emptied group leaves nothing behind that counts against a limit", function()
    local pools <const> = kit.new()
    for i = 1, 20 do
      spawnpool.class("Shot" .. i, { group = "group" .. i, idle_limit = 1, grow = 1 })
      make_idle(pools, "Shot" .. i, 1)
    end
    for round = 1, 3 do
      for i = 1, 20 do
        local o <const> = pools:take { group = "group" .. i }
        spec.equal({ o.type, o:recycle(), pools:pool("Shot" .. i).idle }, { "Shot" .. i, true, 1 }, "round " .. round)
      end
    end
    spec.equal({ pools:stats().total, pools:stats().destroyed }, { 20, 0 })
  end)

  spec.test("B9 the same object is never pushed twice, not even from inside its own push", function()
    local pools <const> = kit.new { misuse = "ignore" }
    local Bullet <const> = spawnpool.class("Bullet", { grow = 1 })
    local inside
    function Bullet:on_despawn(o) inside = { o:recycle() } end
    local o <const> = pools:alloc "Bullet"
    spec.equal({ o:recycle() }, { true })
    spec.equal({ inside, { o:recycle() } }, { { false, "dying" }, { false, "stale" } })
    spec.equal(pools:pool("Bullet").idle, 1)
    local first <const>, second <const> = pools:alloc "Bullet", pools:alloc "Bullet"
    spec.equal({ first.id, second.id }, { 1, 2 })
  end)

  -- Seconds for some rounds of 100 pops and pushes with so many objects in the pool, the best of seven.
  local function seconds(count)
    local pools <const> = kit.new()
    local pool <const> = pools:pool "Bullet"
    make_idle(pools, "Bullet", count)
    local best = math.huge
    for _ = 1, 7 do
      local begun <const> = os.clock()
      for _ = 1, 100 do pool:recycle(pool:alloc()) end
      best = math.min(best, os.clock() - begun)
    end
    spec.equal(pool.total, count)
    return best
  end

  spec.test("B10 push and pop cost the same with 100 objects in the pool and with 100000", function()
    spawnpool.class("Bullet", { grow = 1 })
    local few <const>, many <const> = seconds(100), seconds(100000)
    if many > 20 * few + 2e-4 then error(("%g s grew to %g s"):format(few, many)) end -- a search would take 1000 times
  end)

  spec.test("B11 new objects run the hook too, in their place; what is refused has run its despawn hook", function()
    local pools <const> = kit.new()
    local add <const>, log <const> = kit.log()
    local Bullet <const> = spawnpool.class("Bullet", { idle_limit = 0, grow = 1 })
    function Bullet:on_spawn(o, fresh) add("spawn", o.x, o.y, fresh) end
    function Bullet:on_despawn(o) add("despawn", o.x) end
    function Bullet:on_reject(o) add("reject", o.id) end
    pools:alloc("Bullet", 0, 3, 4):recycle()
    spec.equal(log(), "spawn 3.0 4.0 true, despawn 3.0, reject 1")
    Bullet.idle_limit = 1
    pools:alloc("Bullet", 0, 5, 6):recycle()
    pools:alloc("Bullet", 0, 7, 8)
    spec.equal(log(), "spawn 5.0 6.0 true, despawn 5.0, spawn 7.0 8.0 false")
    spawnpool.class("Shell", { extends = "Bullet", idle_limit = 0, on_reject = function() add "mine" end })
    pools:alloc("Shell"):recycle()
    spec.equal(log(), "spawn 0.0 0.0 true, despawn 0.0, mine")
  end)

  spec.test("B12 managers live side by side, limits are per type, and a faded decal comes back opaque", function()
    local pools <const>, others <const> = kit.new(), kit.new()
    spawnpool.class("Footprint", { limit = 2, grow = 1, over_life = { a = { 1, 0 } } })
    spawnpool.class("Bullet", { limit = 5 })
    local decal <const> = pools:alloc("Footprint", STEP)
    decal.r = 0.25
    kit.tick(pools)
    spec.equal({ decal.alive, #alloc_many(pools, "Footprint", 3), #alloc_many(pools, "Bullet", 6) }, { false, 2, 5 })
    for o in pools:pool("Footprint"):each() do spec.equal({ o.a, o.r }, { 1.0, 1.0 }) end
    spec.equal({ others:pool("Footprint").live, others:alloc("Footprint").alive }, { 0, true })
    others:close()
    spec.equal(pools:pool("Footprint").live, 2)
  end)

  spec.test("B13 what it lacks: preload, lifetime, limits per group of objects, statistics", function()
    local pools <const> = kit.new()
    spawnpool.class("Bullet", { prealloc = 4, limit = 6, idle_limit = 5 })
    local pool <const> = pools:pool "Bullet"
    spec.equal({ pool.idle, pool.limit, pool.idle_limit }, { 4, 6, 5 })
    pools:alloc("Bullet", STEP)
    kit.tick(pools)
    local s <const> = pools:stats "Bullet"
    spec.equal({ s.allocs, s.expired, s.live, s.idle, s.total, s.peak, s.peak_time }, { 1, 1, 0, 4, 4, 1, 0.0 })
  end)
end)
