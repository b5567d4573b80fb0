-- Kit.ObjectPool, a pool of prefabs for Unity with Spawn and Despawn. C rows: what it can do, done our way. B rows:
-- what goes wrong in it, driven here.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

local STEP <const> = kit.STEP

local function alloc_many(pools, type, count)
  local objects <const> = {}
  for i = 1, count do objects[i] = pools:alloc(type) end
  return objects
end

spec.describe("Kit.ObjectPool", function()
  spec.test("C1 Spawn at a place under a parent, Despawn, IsSpawned, by name; Dispose", function()
    local pools <const> = kit.new()
    spawnpool.class("Cart")
    spawnpool.class("Crate", { fields = { load = 0 } })
    local cart <const> = pools:alloc "Cart"
    local crate <const> = pools:alloc("Crate", 0, 10, 20, 0.5, cart)
    spec.equal({ crate.x, crate.y, crate.angle, crate.parent, crate.type }, { 10.0, 20.0, 0.5, cart, "Crate" })
    spec.equal({ pools:is_live(crate), pools:recycle(crate), pools:is_live(crate) }, { true, true, false })
    local set <const> = pools:alloc("Crate", 0, { x = 3, load = 7 })
    spec.equal({ set.x, set.y, set.load, set.parent }, { 3.0, 0.0, 7 })
    spec.equal({ pools:close() }, { 2, 64 })
  end)

  spec.test("C2 settings per type, with defaults, and no parent once the object is back", function()
    local pools <const> = kit.new()
    spawnpool.class("Crate", { limit = 100, overflow = "refuse", grow = 1 })
    spawnpool.class("Plain")
    local crate <const>, plain <const> = pools:pool "Crate", pools:pool "Plain"
    spec.equal({ crate.type, crate.limit, crate.overflow, crate.grow }, { "Crate", 100, "refuse", 1 })
    spec.equal({ plain.type, plain.limit, plain.idle_limit, plain.overflow, plain.grow, plain.total },
      { "Plain", nil, nil, "refuse", 32, 0 })
    local cart <const> = pools:alloc "Plain"
    pools:alloc("Crate", 0, 1, 2, 0, cart):recycle()
    local again <const> = pools:alloc "Crate"
    spec.equal({ again.id, again.parent, again.x, again.y }, { 1, nil, 0.0, 0.0 })
    spec.equal(plain:recycle_all(), 1)
    spec.equal(again.alive, true)
  end)

  spec.test("C3 preload after a delay, so many a frame, and no spawn hook before the first spawn", function()
    local pools <const> = kit.new()
    local add <const>, log <const> = kit.log()
    spawnpool.class("Crate", kit.hooks(add, { grow = 1 }))
    local pool <const> = pools:pool "Crate"
    spec.equal(pool:prewarm(3, { per_frame = 1, delay = 2 * STEP }), 0)
    local seen <const> = {}
    for i = 1, 6 do
      kit.tick(pools)
      seen[i] = pool.idle
    end
    spec.equal(seen, { 0, 0, 1, 2, 3, 3 })
    spec.equal(log(), "create 1, create 2, create 3")
    pools:alloc "Crate"
    spec.equal(log(), "spawn 1 fresh")
    -- A stopped clock does not stop a prewarm that has begun: a loading screen may hold the game still.
    pool:prewarm(5, { per_frame = 1 })
    pools.time_scale = 0
    kit.tick(pools, 2)
    spec.equal({ pool.total, pools.time }, { 5, 6 * STEP })
  end)

  spec.test("C4 preload stops at the limit, and objects made meanwhile count; each type has its own", function()
    local pools <const> = kit.new()
    spawnpool.class("Crate", { limit = 6, grow = 1 })
    spawnpool.class("Barrel", { grow = 1 })
    local crates <const>, barrels <const> = pools:pool "Crate", pools:pool "Barrel"
    crates:prewarm(10, { per_frame = 1 })
    barrels:prewarm(3, { per_frame = 2 })
    alloc_many(pools, "Crate", 4)
    kit.tick(pools)
    spec.equal({ crates.live, crates.idle, barrels.idle }, { 4, 1, 2 })
    kit.tick(pools, 10)
    spec.equal({ crates.live, crates.idle, barrels.idle }, { 4, 2, 3 })
    spec.equal({ crates:stats().prewarm, barrels:stats().prewarm },
      { { done = 6, wanted = 10 }, { done = 3, wanted = 3 } })
    spec.equal(crates:prewarm(10), 0)
  end)

  spec.test("C5 at the limit a spawn returns nil and says so, or goes over by choice", function()
    local pools <const> = kit.new()
    spawnpool.class("Crate", { limit = 2, prealloc = 2 })
    alloc_many(pools, "Crate", 2)
    spec.equal({ pools:alloc "Crate" }, { nil, "full" })
    pools:pool("Crate").overflow = "grow"
    spec.equal({ pools:alloc("Crate").alive, pools:pool("Crate").live }, { true, 3 })
  end)

  spec.test("C6 the longest idle object is reused first; a double or foreign despawn is told", function()
    local pools <const>, others <const> = kit.new(), kit.new()
    spawnpool.class("Crate", { prealloc = 3 })
    local objects <const> = alloc_many(pools, "Crate", 3)
    for _, i in ipairs { 2, 3, 1 } do objects[i]:recycle() end
    local ids <const> = {}
    for i, o in ipairs(alloc_many(pools, "Crate", 3)) do ids[i] = o.id end
    spec.equal(ids, { 2, 3, 1 })
    local foreign <const> = others:alloc "Crate"
    local results <const> = {}
    local said <const> = kit.warnings(function()
      results[1] = { pools:recycle(objects[1]) }
      results[2] = { pools:recycle(foreign) }
    end)
    spec.equal(results, { { false, "stale" }, { false, "foreign" } })
    spec.equal({ #said, said[1]:match "recycle of Crate#1 refused: stale", said[2]:match "refused: foreign" },
      { 2, "recycle of Crate#1 refused: stale", "refused: foreign" })
    spec.equal({ pools:is_live(foreign), foreign.alive }, { false, true })
  end)

  spec.test("C7 an unknown type gets a pool with defaults and a warning; its class may come later", function()
    local pools <const> = kit.new()
    local first
    local said <const> = kit.warnings(function() first = pools:alloc "Crate" end)
    spec.equal({ #said, said[1]:match "unknown type 'Crate'" }, { 1, "unknown type 'Crate'" })
    local pool <const> = pools:pool "Crate"
    spec.equal({ first.alive, pool.limit, pool.class }, { true })
    local Crate <const> = spawnpool.class("Crate", { limit = 2, fields = { load = 5 } })
    spec.equal({ pools:pool "Crate" == pool, pool.class == Crate, pool.limit }, { true, true, 2 })
    spec.equal({ first.alive, first.load, pools:alloc("Crate").load }, { true, 5, 5 })
    spec.equal({ pools:alloc "Crate" }, { nil, "full" })
  end)

  spec.test("C8 hooks get the pool, reach what is inside the object, and are optional; objects are numbered", function()
    local pools <const> = kit.new()
    local add <const>, log <const> = kit.log()
    local Crate <const>, Lid <const> = spawnpool.class("Crate", { grow = 1 }), spawnpool.class("Lid", { grow = 1 })
    spawnpool.class("Plain")
    function Crate:on_spawn(o)
      add("spawned", self.type, o)
      pools:alloc("Lid", 0, 0, 1, 0, o)
    end
    function Crate:on_despawn(o, why) add("despawned", self.type, o, why) end
    function Lid:on_spawn(o) add("spawned", self.type, o) end
    function Lid:on_despawn(o, why) add("despawned", self.type, o, why) end
    pools:recycle(pools:alloc "Crate")
    spec.equal(log(), "spawned Crate Crate#1 (live), spawned Lid Lid#1 (live), "
      .. "despawned Crate Crate#1 (dying) recycled, despawned Lid Lid#1 (dying) parent")
    spec.equal(pools:recycle(pools:alloc "Plain"), true)
  end)

  spec.test("C9 after close, spawn and despawn are refused and nothing is spawned", function()
    local pools <const> = kit.new()
    spawnpool.class "Crate"
    local o <const> = pools:alloc "Crate"
    spec.equal({ pools:close() }, { 1, 32 })
    spec.equal({ pools:alloc "Crate" }, { nil, "closed" })
    spec.equal(kit.warnings(function() spec.equal({ pools:recycle(o) }, { false, "closed" }) end), {})
    spec.equal({ pools:is_live(o), o.alive }, { false, false })
    spec.equal({ pools:close() }, { 0, 0 })
  end)

  -- The demo scene of that pool, eight minutes of it: every second at most, a coin decides whether a crate comes, under
  -- a random parent, or a random one goes.
  local function random_spawn(seed)
    local pools <const> = kit.new { seed = seed }
    spawnpool.class "Root"
    spawnpool.class("Crate", { limit = 40, grow = 4 })
    local crates <const>, live <const>, roots <const> = pools:pool "Crate", {}, alloc_many(pools, "Root", 5)
    local function come()
      local angle <const>, distance <const> = math.random() * 2 * math.pi, 3 * math.sqrt(math.random())
      local x <const>, y <const> = distance * math.cos(angle), distance * math.sin(angle)
      local o <const> = crates:alloc(0, x, y, 0, roots[math.random(5)])
      if o then live[#live + 1] = o end
    end
    local function go()
      if #live > 0 then spec.equal(table.remove(live, math.random(#live)):recycle(), true) end
    end
    roots[1]:run(function()
      while true do
        coroutine.yield(math.random())
        if math.random() < 0.5 then come() else go() end
      end
    end)
    for _ = 1, 8 * 60 * 8 do pools:update(1 / 8) end
    kit.check(pools, "Crate", "Root")
    local places <const> = {}
    for i, o in ipairs(live) do
      if o.x * o.x + o.y * o.y > 9.0001 then error "outside the circle" end
      places[i] = ("%a %a %d"):format(o.x, o.y, o.parent.id)
    end
    spec.equal(crates.live, #live)
    return table.concat(places, "\n"), crates:stats().allocs
  end

  spec.test("C10 the demo of random spawns: every count holds, and the same seed gives the same game", function()
    local first <const>, allocs <const> = random_spawn(7)
    local second <const>, again <const> = random_spawn(7)
    spec.equal({ second, again }, { first, allocs })
    spec.equal({ allocs > 300, allocs < 600, (random_spawn(8)) ~= first }, { true, true, true })
  end)

  spec.test("B1 the despawn hook always arrives, once, while the object can be read", function()
    local pools <const> = kit.new()
    local add <const>, log <const> = kit.log()
    local Crate <const> = spawnpool.class("Crate", { visible = false, grow = 1, limit = 1, overflow = "oldest" })
    function Crate:on_despawn(o, why) add(why, o.x, o.visible) end
    pools:alloc("Crate", 0, 1):recycle()
    pools:alloc("Crate", STEP, 2)
    kit.tick(pools)
    pools:alloc("Crate", 0, 3)
    pools:alloc("Crate", 0, 4)
    pools:recycle_all()
    pools:alloc("Crate", 0, 5)
    pools:remove "Crate"
    spec.equal(log(), "recycled 1.0 false, expired 2.0 false, evicted 3.0 false, cleared 4.0 false, removed 5.0 false")
  end)

  spec.test("B2 a spawn from inside a despawn never gets the object that is being despawned", function()
    local pools <const> = kit.new()
    local Crate <const> = spawnpool.class("Crate", { grow = 1 })
    local spawned
    function Crate:on_despawn(o)
      if not spawned then spawned = pools:alloc("Crate", 0, 9) end
    end
    local first <const> = pools:alloc("Crate", 0, 1)
    spec.equal(first:recycle(), true)
    spec.equal({ spawned.alive, spawned.id, spawned.x, spawned ~= first }, { true, 2, 9.0, true })
    spec.equal({ pools:pool("Crate").live, pools:pool("Crate").idle }, { 1, 1 })
    kit.check(pools, "Crate")
  end)

  spec.test("B3 a despawn inside the spawn hook gives the caller nil and the reason, also for a new object", function()
    local pools <const> = kit.new { misuse = "ignore" }
    local Crate <const> = spawnpool.class("Crate", { grow = 1 })
    local results <const> = {}
    function Crate:on_create(o) results[#results + 1] = { o:recycle() } end
    function Crate:on_spawn(o) results[#results + 1] = { o:recycle() } end
    spec.equal({ pools:alloc "Crate" }, { nil, "recycled" })
    spec.equal({ pools:alloc "Crate" }, { nil, "recycled" })
    spec.equal(results, { { false, "stale" }, { true }, { true } })
    spec.equal({ pools:pool("Crate").live, pools:pool("Crate").idle }, { 0, 1 })
    kit.check(pools, "Crate")
  end)

  spec.test("B4 what went over the limit is destroyed when it comes back, and idle ones can be trimmed", function()
    local pools <const> = kit.new()
    spawnpool.class("Crate", { limit = 2, prealloc = 1, overflow = "grow" })
    local pool <const> = pools:pool "Crate"
    local objects <const> = alloc_many(pools, "Crate", 5)
    spec.equal(pool.total, 5)
    for _, o in ipairs(objects) do o:recycle() end
    spec.equal({ pool.total, pool.idle, pool:stats().destroyed }, { 2, 2, 3 })
    spec.equal({ pool:trim(), pool.total }, { 1, 1 })
  end)

  spec.test("B5 a preload leaves the class as it is, also when its pool goes or another one shares it", function()
    local pools <const>, others <const> = kit.new(), kit.new()
    local Crate <const> = spawnpool.class("Crate", { visible = true, radius = 4, grow = 1 })
    local function before() return { Crate.visible, Crate.radius, Crate.prealloc, Crate.grow } end
    local was <const> = before()
    pools:pool("Crate"):prewarm(9, { per_frame = 1 })
    others:pool("Crate"):prewarm(9, { per_frame = 1 })
    kit.tick(pools, 3)
    kit.tick(others, 2)
    spec.equal({ pools:remove "Crate" }, { 0, 3 })
    kit.tick(pools, 3)
    spec.equal(before(), was)
    local here <const>, there <const> = pools:alloc "Crate", others:alloc "Crate"
    spec.equal({ here.visible, there.visible, here.radius, pools:pool("Crate").total, others:pool("Crate").total },
      { true, true, 4.0, 1, 2 })
  end)

  spec.test("B6 nothing is destroyed behind the pool's back: capacity stays, and the dead are known", function()
    local pools <const> = kit.new { misuse = "ignore" }
    spawnpool.class("Crate", { limit = 3, grow = 3 })
    local pool <const> = pools:pool "Crate"
    local old <const> = {}
    for round = 1, 50 do -- the pool's own clear and trim are the only doors
      for _, o in ipairs(alloc_many(pools, "Crate", 3)) do
        old[#old + 1] = o
        if round % 2 == 0 then o:recycle() end
      end
      spec.equal({ pool.live, pool:recycle_all(), pool:clear() }, { round % 2 * 3, round % 2 * 3, 3 })
    end
    local now <const> = alloc_many(pools, "Crate", 3)
    spec.equal({ #now, pool.total }, { 3, 3 })
    for _, o in ipairs(old) do spec.equal({ o.alive, pools:recycle(o) }, { false, false, "stale" }) end
    kit.check(pools, "Crate")
  end)

  spec.test("B7 clear and close destroy what they say, whatever hooks do, and can be called again", function()
    local pools <const> = kit.new()
    local Crate <const> = spawnpool.class("Crate", { grow = 1 })
    local destroyed, spawned, objects = 0, 0, nil
    function Crate:on_destroy() destroyed = destroyed + 1 end
    function Crate:on_despawn(o)
      for _, other in ipairs(objects) do
        if other.alive then other:recycle() end
      end
      if pools:alloc "Crate" then spawned = spawned + 1 end
    end
    objects = alloc_many(pools, "Crate", 4)
    spec.equal({ pools:recycle_all(), spawned }, { 1, 4 }) -- one by recycle_all, three by its hook
    kit.check(pools, "Crate")
    Crate.on_despawn = function() if pools:alloc "Crate" then spawned = spawned + 1 end end
    local total <const>, live <const> = pools:pool("Crate").total, pools:pool("Crate").live
    spec.equal({ pools:close() }, { live, total })
    spec.equal({ destroyed, spawned }, { total, 4 })
    spec.equal({ pools:close() }, { 0, 0 })
  end)

  spec.test("B8 a name always finds its pool, made on demand or not; a slip is told with the nearest name", function()
    local pools <const>, strict <const> = kit.new(), kit.new { unknown = "error" }
    spawnpool.class "Crate"
    local first
    local said <const> = kit.warnings(function() first = pools:alloc "Crat" end)
    spec.equal(#said, 1)
    spec.equal(said[1]:match "did you mean '(%w+)'", "Crate")
    spec.equal({ first.pool == pools:pool "Crat", pools:pool("Crat").live }, { true, 1 })
    spec.equal(kit.warnings(function() pools:alloc "Crat" end), {})
    spec.equal(pools:pool("Crat").live, 2)
    kit.blames("unknown type 'Crat'.*did you mean 'Crate'", function() strict:alloc "Crat" end)
  end)

  spec.test("B9 what is given to one spawn is that object's alone, and a prewarm follows new settings", function()
    local pools <const> = kit.new()
    spawnpool.class("Crate", { grow = 1, limit = 50, radius = 2, fields = { load = 1 } })
    local pool <const> = pools:pool "Crate"
    pool:prewarm(20, { per_frame = 1 })
    kit.tick(pools, 2)
    local heavy <const> = pools:alloc("Crate", 3, { radius = 9, load = 8 })
    local light <const> = pools:alloc "Crate"
    spec.equal({ heavy.radius, heavy.load, heavy.lifetime }, { 9.0, 8, 3.0 })
    spec.equal({ light.radius, light.load, light.lifetime, pool.limit }, { 2.0, 1, 0.0, 50 })
    pool.limit = 4
    kit.tick(pools, 20)
    spec.equal(pool.total, 4)
  end)

  spec.test("B10 new and used objects start alike, and IsSpawned takes anything", function()
    local pools <const> = kit.new()
    local add <const>, log <const> = kit.log()
    local Crate <const> = spawnpool.class("Crate", { grow = 1, scale = 2, fields = { hits = 0 } })
    function Crate:on_spawn(o, fresh) add(fresh, o.x, o.y, o.scale, o.hits, o.lifetime, o.parent) end
    local first <const> = pools:alloc("Crate", 0, 5, 6)
    first.scale, first.hits, first.vx, first.visible = 7, 3, 4, false
    first:recycle()
    local again <const> = pools:alloc("Crate", 0, 5, 6)
    spec.equal({ again.id, again.vx, again.visible }, { 1, 0.0, true })
    spec.equal(log(), "true 5.0 6.0 2.0 0 0.0 nil, false 5.0 6.0 2.0 0 0.0 nil")
    for _, value in ipairs { false, 0, "Crate", {}, pools, print, first } do
      spec.equal(pools:is_live(value), false)
    end
    spec.equal({ pools:is_live(nil), pools:is_live() }, { false, false })
  end)

  spec.test("B11 what it lacks: lifetime, recycle_all, overflow 'oldest', trim, stats, prewarm, a result", function()
    local pools <const> = kit.new { misuse = "ignore" }
    spawnpool.class("Crate", { limit = 2, overflow = "oldest", grow = 1 })
    local pool <const> = pools:pool "Crate"
    local timed <const> = pools:alloc("Crate", STEP)
    kit.tick(pools)
    spec.equal(timed.alive, false)
    local objects <const> = alloc_many(pools, "Crate", 3)
    spec.equal({ objects[1].alive, objects[2].alive, objects[3].alive }, { false, true, true })
    spec.equal({ pool:recycle_all(), pool:trim(), pool:prewarm(2) }, { 2, 2, 2 })
    local s <const> = pool:stats()
    spec.equal({ s.allocs, s.expired, s.evicted, s.recycles, s.peak }, { 4, 1, 1, 4, 2 })
    spec.equal({ s.created, s.destroyed }, { 4, 2 })
    local o <const> = pools:alloc "Crate"
    spec.equal({ { pools:recycle(o) }, { pools:recycle(o) } }, { { true }, { false, "stale" } })
  end)
end)
