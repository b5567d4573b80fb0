-- A queue-based pool controller with keys, and the searching pool of the tutorial that it answers. C rows: what they
-- can do, done our way. B rows: what goes wrong in them, driven here.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

local STEP <const> = kit.STEP

local function alloc_many(pools, type, count)
  local objects <const> = {}
  for i = 1, count do objects[i] = pools:alloc(type) end
  return objects
end

-- Takes `count`, then gives all back, the last one first.
local function round(pools, type, count, objects)
  for i = 1, count do objects[i] = pools:alloc(type) end
  for i = count, 1, -1 do pools:recycle(objects[i]) end
end

-- Seconds for 100 times one out and in while `live` others are out, the best of seven.
local function seconds(pools, type, live)
  local pool <const> = pools:pool(type)
  while pool.live < live do pool:alloc() end
  local best = math.huge
  for _ = 1, 7 do
    local begun <const> = os.clock()
    for _ = 1, 100 do pool:recycle(pool:alloc()) end
    best = math.min(best, os.clock() - begun)
  end
  return best
end

spec.describe("the pool controller", function()
  spec.test("C1 twenty made ahead, growing at will, a shot every 1/16 s, each ended after 2 s by its timer", function()
    local pools <const> = kit.new()
    spawnpool.class "Gun"
    spawnpool.class("Bullet", { prealloc = 20, grow = 1 })
    local bullets <const> = pools:pool "Bullet"
    spec.equal(bullets.total, 20)
    local gun <const> = pools:alloc "Gun"
    gun:every(4 * STEP, function() pools:alloc("Bullet", 128 * STEP) end)
    kit.tick(pools, 3 * 64)
    spec.equal({ bullets.live, bullets.total, bullets:stats().allocs, bullets:stats().expired }, { 32, 32, 48, 16 })
    -- One that is disabled early takes its timer along: who comes next in its place lives its own two seconds.
    gun:recycle()
    kit.tick(pools, 128)
    spec.equal(bullets.live, 0)
    for _ = 1, 32 do pools:alloc("Bullet", 128 * STEP):recycle() end
    local heir <const> = pools:alloc("Bullet", 200 * STEP)
    kit.tick(pools, 199)
    spec.equal({ heir.alive, bullets.live }, { true, 1 })
    kit.tick(pools)
    spec.equal(heir.alive, false)
  end)

  spec.test("C2 live is no matter of the hierarchy, a lost parent breaks nothing, and growth may be bounded", function()
    local pools <const> = kit.new()
    spawnpool.class("Ship")
    spawnpool.class("Bullet", { grow = 1, limit = 3 })
    spawnpool.class("Smoke", { grow = 1, on_parent_end = "detach" })
    local ship <const> = pools:alloc("Ship", 0, 10, 0)
    local first <const> = pools:alloc("Bullet", 0, 1, 0, 0, ship)
    local smoke <const> = pools:alloc("Smoke", 0, 1, 0, 0, ship)
    first.visible, ship.visible = false, false -- hidden is not free
    local second <const> = pools:alloc "Bullet"
    spec.equal({ first.alive, first.id, second.id, pools:pool("Bullet").live }, { true, 1, 2, 2 })
    ship:recycle()
    spec.equal({ first.alive, second.alive, smoke.alive, smoke.parent, smoke.x }, { false, true, true, nil, 11.0 })
    spec.equal({ #alloc_many(pools, "Bullet", 3), pools:pool("Bullet").live }, { 2, 3 })
    kit.check(pools, "Ship", "Bullet", "Smoke")
  end)

  spec.test("C3 one out and in costs the same with 100 others out and with 100000", function()
    local pools <const> = kit.new()
    spawnpool.class "Bullet"
    local few <const>, many <const> = seconds(pools, "Bullet", 100), seconds(pools, "Bullet", 100000)
    if many > 20 * few + 2e-4 then error(("%g s grew to %g s"):format(few, many)) end -- a search would take 1000 times
  end)

  spec.test("C4 its benchmark, take 100 and return all in reverse: no object and no garbage is made", function()
    local pools <const> = kit.new()
    spawnpool.class("Cube", { prealloc = 100 })
    local pool <const>, objects <const> = pools:pool "Cube", {}
    round(pools, "Cube", 100, objects)
    collectgarbage()
    local before <const> = collectgarbage "count"
    for _ = 1, 20 do round(pools, "Cube", 100, objects) end
    spec.equal(collectgarbage "count" - before, 0.0)
    local s <const> = pool:stats()
    spec.equal({ s.allocs, s.recycles, s.created, s.total, s.peak }, { 2100, 2100, 100, 100, 100 })
  end)

  spec.test("C5 AddEntry, SetMaxCount, ClearEntry, Enqueue, Dequeue, and nil for a key without objects", function()
    local pools <const> = kit.new { misuse = "ignore" }
    local Cube <const> = spawnpool.class("Cube", { prealloc = 10, idle_limit = 15 })
    local pool <const> = pools:pool "Cube"
    spec.equal({ pool.idle, pool:prewarm(10), spawnpool.class "Cube" == Cube }, { 10, 0, true })
    pool.idle_limit = 4
    spec.equal(pool.idle, 4)
    local o <const> = pools:take { type = "Cube" }
    spec.equal({ o.type, o.alive, pool.idle }, { "Cube", true, 3 })
    spec.equal({ { pools:recycle(o) }, { pools:recycle(o) }, pool.idle }, { { true }, { false, "stale" }, 4 })
    spec.equal({ pools:clear { type = "Cube" }, pool.idle }, { 4, 0 })
    spec.equal({ { pools:take { type = "Cube" } }, { pools:take { type = "Nobody" } } },
      { { nil, "none" }, { nil, "none" } })
    spec.equal({ pools:remove "Cube" }, { 0, 0 })
  end)

  spec.test("C6 the first number and the most kept are chosen apart, and the manager outlives every scene", function()
    local pools <const> = kit.new()
    spawnpool.class("Scene")
    spawnpool.class("Cube", { prealloc = 2, idle_limit = 4, grow = 1 })
    local pool <const> = pools:pool "Cube"
    for _ = 1, 3 do
      local scene <const> = pools:alloc "Scene"
      for _ = 1, 6 do pools:alloc("Cube", 0, 0, 0, 0, scene) end
      scene:recycle()
      spec.equal({ pool.live, pool.idle }, { 0, 4 })
    end
    spec.equal({ pool:trim(), pool.idle, pool:stats().allocs }, { 2, 2, 18 })
  end)

  spec.test("C7 its demo: two scenes, cubes to dequeue and enqueue, the second scene finds all configured", function()
    local pools <const> = kit.new { seed = 3 }
    local function enter()
      local Cube <const> = spawnpool.class("Cube") -- of the first scene, when there is one
      if not Cube.idle_limit then spawnpool.class("Cube", { prealloc = 10, idle_limit = 15 }) end
      return pools:pool("Cube"):prewarm(10)
    end
    spec.equal({ enter(), pools:pool("Cube").idle }, { 0, 10 }) -- the class itself asks for the ten
    local out <const> = {}
    for i = 1, 4 do
      out[i] = pools:alloc("Cube", 0, math.random(-10, 10), math.random(0, 5))
      spec.equal({ math.abs(out[i].x) <= 10, out[i].y >= 0, out[i].y <= 5 }, { true, true, true })
    end
    spec.equal({ table.remove(out):recycle(), pools:pool("Cube").idle }, { true, 7 })
    spec.equal({ pools:recycle_all { type = "Cube" }, enter() }, { 3, 0 })
    spec.equal({ pools:pool("Cube").idle, pools:pool("Cube").idle_limit, pools:stats("Cube").created }, { 10, 15, 10 })
  end)

  spec.test("B1 its benchmark is run with guards: what comes back twice is refused in every round", function()
    local pools <const> = kit.new { misuse = "ignore" }
    spawnpool.class("Cube", { prealloc = 10 })
    local objects <const> = {}
    local refused = 0
    for _ = 1, 5 do
      round(pools, "Cube", 10, objects)
      for i = 1, 10 do
        local done <const>, why <const> = pools:recycle(objects[i])
        if not done and why == "stale" then refused = refused + 1 end
      end
    end
    spec.equal({ refused, pools:pool("Cube").idle, pools:stats("Cube").double_recycles }, { 50, 10, 50 })
    local seen <const> = {}
    for _, o in ipairs(alloc_many(pools, "Cube", 10)) do
      spec.equal(seen[o.id], nil)
      seen[o.id] = true
    end
  end)

  spec.test("B2 nil is refused with the argument's number and the caller's line, never followed", function()
    local pools <const> = kit.new()
    spawnpool.class "Cube"
    kit.blames("bad argument #1 to 'alloc' %(string expected, got nil%)", function() pools:alloc(nil) end)
    kit.blames("bad argument #1 to 'recycle' %(object expected, got nil%)", function() pools:recycle(nil) end)
    kit.blames("bad argument #1 to 'pool' %(string expected, got nil%)", function() pools:pool(nil) end)
    kit.blames("bad argument #1 to 'remove' %(string expected, got nil%)", function() pools:remove(nil) end)
    spec.equal(pools:is_live(nil), false)
  end)

  spec.test("B3 clearing an entry forgets no live object: it comes back as ever, or is ended and counted", function()
    local pools <const> = kit.new { misuse = "ignore" }
    spawnpool.class("Cube", { prealloc = 5 })
    local pool <const> = pools:pool "Cube"
    local first <const>, second <const> = pools:alloc "Cube", pools:alloc "Cube"
    spec.equal({ pool:clear(), first.alive, pool.total }, { 3, true, 2 })
    spec.equal({ first:recycle(), pool.idle }, { true, 1 })
    spec.equal({ pools:remove "Cube" }, { 1, 2 })
    spec.equal({ second.alive, pools:recycle(second) }, { false, false, "stale" })
    spec.equal(pools:alloc("Cube").id, 1)
  end)

  spec.test("B4 live objects can be limited", function()
    local pools <const> = kit.new()
    spawnpool.class("Cube", { limit = 2 })
    spec.equal({ #alloc_many(pools, "Cube", 2), { pools:alloc "Cube" } }, { 2, { nil, "full" } })
  end)

  spec.test("B5 a lowered maximum trims at once, and nothing is made only to be destroyed", function()
    local pools <const> = kit.new()
    spawnpool.class("Cube", { prealloc = 10, idle_limit = 4, grow = 8 })
    local pool <const> = pools:pool "Cube"
    spec.equal({ pool.idle, pool:stats().created, pool:stats().destroyed }, { 4, 4, 0 })
    pool.idle_limit = 1
    spec.equal({ pool.idle, pool:stats().destroyed }, { 1, 3 })
    local out <const> = alloc_many(pools, "Cube", 3)
    for _, o in ipairs(out) do o:recycle() end
    spec.equal({ pool.idle, pool.live }, { 1, 0 })
  end)

  spec.test("B6 objects come out live and seen, and a scene takes along what is its own", function()
    local pools <const> = kit.new()
    spawnpool.class("Scene")
    spawnpool.class("Cube", { group = "level", grow = 1 })
    local scene <const> = pools:alloc "Scene"
    local owned <const> = pools:alloc("Cube", 0, 1, 1, 0, scene)
    local loose <const> = pools:alloc "Cube"
    spec.equal({ owned.alive, owned.visible, loose.parent }, { true, true })
    scene:recycle()
    spec.equal({ owned.alive, loose.alive }, { false, true })
    spec.equal({ pools:recycle_all { group = "level" }, loose.alive }, { 1, false })
  end)

  spec.test("B7 an object can be dequeued again only when its hooks are through", function()
    local pools <const> = kit.new()
    local Cube <const> = spawnpool.class("Cube", { prealloc = 1, grow = 1 })
    local seen <const> = {}
    function Cube:on_despawn(o)
      seen[1] = pools:take { type = "Cube" } or "none"
      seen[2] = #seen == 1 and pools:alloc("Cube", 0, 5).id
      seen[3] = o.x
    end
    local o <const> = pools:alloc("Cube", 0, 2)
    spec.equal({ o:recycle(), seen }, { true, { "none", 2, 2.0 } })
    spec.equal(pools:take({ type = "Cube" }).id, 1)
  end)

  spec.test("B8 a class that is declared again with other settings has them from then on, same table", function()
    local pools <const> = kit.new()
    local Cube <const> = spawnpool.class("Cube", { radius = 2, limit = 1 })
    local old <const> = pools:alloc "Cube"
    spec.equal(spawnpool.class("Cube", { radius = 9, limit = 2 }) == Cube, true)
    spec.equal({ old.alive, pools:alloc("Cube").radius, pools:pool("Cube").limit }, { true, 9.0, 2 })
  end)

  spec.test("B9 what it lacks: hooks, lifetime, preload in slices, statistics", function()
    local pools <const> = kit.new()
    local add <const>, log <const> = kit.log()
    spawnpool.class("Cube", kit.hooks(add, { grow = 1 }))
    local pool <const> = pools:pool "Cube"
    pool:prewarm(4, { per_frame = 2 })
    kit.tick(pools)
    spec.equal({ log(), pool:stats().prewarm }, { "create 1, create 2", { done = 2, wanted = 4 } })
    pools:alloc("Cube", STEP)
    kit.tick(pools)
    spec.equal(log(), "spawn 1 fresh, create 3, create 4, despawn 1 expired")
    spec.equal({ pool:stats().expired, pool:stats().peak, pool:stats().created }, { 1, 1, 4 })
  end)
end)
