-- A pool manager with alloc(type, lifetime) and recycle(obj), one pool class per type. C rows: what it can do, done our
-- way. B rows: what goes wrong in it, driven here.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

local STEP <const> = kit.STEP
local POOLS <const> = "tests/lua/fixtures/pools/?.lua"

local function alloc_many(pools, type, count, lifetime)
  local objects <const> = {}
  for i = 1, count do objects[i] = pools:alloc(type, lifetime) end
  return objects
end

spec.describe("ObjectPoolMgr", function()
  spec.test("C1 lifetime above 0 ends by itself or earlier by hand, 0 never, below 0 only makes the pool", function()
    local pools <const> = kit.new()
    spawnpool.class("Cube", { prealloc = 4 })
    spec.equal({ pools:alloc("Cube", -1) }, { nil, "prewarmed" })
    spec.equal({ pools:pool("Cube").idle, pools:pool("Cube").live }, { 4, 0 })
    local timed <const>, early <const>, manual <const> =
      pools:alloc("Cube", 2 * STEP), pools:alloc("Cube", 2 * STEP), pools:alloc "Cube"
    spec.equal(pools:recycle(early), true)
    kit.tick(pools)
    spec.equal({ timed.alive, early.alive, manual.alive }, { true, false, true })
    kit.tick(pools)
    spec.equal({ timed.alive, manual.alive, pools:stats("Cube").expired }, { false, true, 1 })
    kit.tick(pools, 64 * 60)
    spec.equal({ manual.alive, manual.lifetime, manual.remaining }, { true, 0.0, math.huge })
  end)

  spec.test("C2 a class per type, found by its name, overrides alloc and recycle; without one it works too", function()
    local pools <const> = kit.new { path = POOLS }
    spec.equal({ pools:alloc("Cube").x, pools:pool("Cube").class == spawnpool.class "Cube" }, { 4.0, true })
    spec.equal(#kit.warnings(function() spec.equal(pools:alloc("Nothing").alive, true) end), 1)
    local add <const>, log <const> = kit.log()
    local Ball <const> = spawnpool.class "Ball"
    function Ball:alloc(lifetime, speed)
      add("alloc", lifetime, speed)
      local o <const>, why = Ball.super.alloc(self, lifetime, 1, 2)
      if not o then return nil, why end
      o.vx = speed
      return o
    end
    function Ball:recycle(o, why)
      add("recycle", o.vx, why)
      return Ball.super.recycle(self, o)
    end
    local ball <const> = pools:alloc("Ball", STEP, 9)
    spec.equal({ ball.x, ball.vx, ball.lifetime }, { 1.0, 9.0, STEP })
    kit.tick(pools)
    spec.equal({ log(), ball.alive }, { "alloc 0.015625 9, recycle 9.0 expired", false })
    spec.equal({ pools:alloc("Ball", -1, 3), log() }, { nil, "alloc -1 3" })
  end)

  spec.test("C3 the manager is there by itself; sizes are settings that can be read and written", function()
    local pools <const> = spawnpool.pools
    spawnpool.class("Cube", { prealloc = 3, grow = 5, sprite = "square" })
    local pool <const> = pools:pool "Cube"
    spec.equal({ pool.total, pool.grow, pool.class.prealloc, pool.class.sprite }, { 3, 5, 3, "square" })
    spec.equal(#alloc_many(pools, "Cube", 4), 4)
    spec.equal({ pool.total, pool.live, pool.idle }, { 8, 4, 4 })
    pool.grow = 2
    alloc_many(pools, "Cube", 5)
    spec.equal(pool.total, 10)
    -- What its panel is for, choosing the sizes, is answered from what the game has used.
    spec.equal(pools:configure():match "Cube = (%b{})", "{ prealloc = 9, grow = 3, limit = 12, idle_limit = 9 }")
  end)

  spec.test("C4 a pool's counts and type; an object's type and lifetime; Cube for 5 s, then a Sphere", function()
    local pools <const> = kit.new()
    spawnpool.class("Cube", { prealloc = 2, grow = 1 })
    spawnpool.class "Sphere"
    local cube <const> = pools:alloc("Cube", 5)
    local pool <const> = cube.pool
    spec.equal({ pool.type, pool.live, pool.idle, pool.total, pool.peak }, { "Cube", 1, 1, 2, 1 })
    spec.equal({ cube.type, cube.lifetime, cube.remaining, cube.age }, { "Cube", 5.0, 5.0, 0.0 })
    kit.tick(pools, 2 * 64)
    spec.equal({ cube.remaining, cube.age }, { 3.0, 2.0 })
    kit.tick(pools, 3 * 64 - 1)
    spec.equal(cube.alive, true)
    kit.tick(pools)
    spec.equal(cube.alive, false)
    local sphere <const> = pools:alloc "Sphere"
    kit.tick(pools, 10 * 64)
    spec.equal({ sphere.alive, pools:recycle(sphere), sphere.alive }, { true, true, false })
  end)

  spec.test("B1 a lifetime belongs to one life: the next one, with 0, is never ended by it", function()
    local pools <const> = kit.new()
    spawnpool.class("Cube", { grow = 1, limit = 1 })
    pools:alloc("Cube", 3 * STEP):recycle()
    local next_life <const> = pools:alloc("Cube", 0)
    spec.equal({ next_life.id, next_life.lifetime, next_life.remaining }, { 1, 0.0, math.huge })
    kit.tick(pools, 1000)
    spec.equal({ next_life.alive, pools:stats("Cube").expired }, { true, 0 })
  end)

  spec.test("B2 a second recycle is known by the reference alone: 100000 idle objects do not slow it", function()
    local pools <const> = kit.new { misuse = "ignore" }
    local function seconds(type, idle)
      pools:pool(type):prewarm(idle)
      local o <const>, best = pools:alloc(type), math.huge
      o:recycle()
      for _ = 1, 7 do
        local begun <const> = os.clock()
        for _ = 1, 100 do pools:recycle(o) end
        best = math.min(best, os.clock() - begun)
      end
      spec.equal({ pools:pool(type).idle, pools:stats(type).double_recycles }, { idle, 700 })
      return best
    end
    spawnpool.class "Cube"
    spawnpool.class "Ball"
    local few <const>, many <const> = seconds("Cube", 100), seconds("Ball", 100000)
    if many > 20 * few + 2e-4 then error(("%g s grew to %g s"):format(few, many)) end -- a search would take 1000 times
  end)

  spec.test("B3 exactly as many idle ones are kept as idle_limit says, none too many", function()
    for _, cap in ipairs { 0, 1, 3 } do
      local pools <const> = kit.new()
      spawnpool.class("Cube", { idle_limit = cap, grow = 1 })
      for _, o in ipairs(alloc_many(pools, "Cube", cap + 1)) do o:recycle() end
      spec.equal({ pools:pool("Cube").idle, pools:stats("Cube").destroyed }, { cap, 1 })
    end
  end)

  spec.test("B4 growth comes in steps, and a limit bounds it; what is kept is a number of its own", function()
    local pools <const> = kit.new()
    spawnpool.class("Cube", { prealloc = 2, grow = 5, limit = 9, idle_limit = 6 })
    local pool <const>, totals <const> = pools:pool "Cube", {}
    local out <const> = {}
    for i = 1, 9 do
      out[i] = pools:alloc "Cube"
      totals[i] = pool.total
    end
    spec.equal(totals, { 2, 2, 7, 7, 7, 7, 7, 9, 9 })
    spec.equal({ pools:alloc "Cube" }, { nil, "full" })
    for _, o in ipairs(out) do o:recycle() end
    spec.equal({ pool.idle, pool.total }, { 6, 6 })
  end)

  spec.test("B5 a negative lifetime is quiet and repeatable; more can be asked for, in slices, ahead", function()
    local pools <const> = kit.new()
    spawnpool.class("Cube", { prealloc = 3, grow = 1 })
    local said <const> = kit.warnings(function()
      for _ = 1, 3 do spec.equal({ pools:alloc("Cube", -1) }, { nil, "prewarmed" }) end
    end)
    local pool <const> = pools:pool "Cube"
    spec.equal({ #said, pool.total, pool:prewarm(5), pool.total }, { 0, 3, 2, 5 })
    pool:prewarm(9, { per_frame = 3 })
    kit.tick(pools)
    spec.equal({ pool.total, pool:stats().prewarm }, { 8, { done = 8, wanted = 9 } })
    kit.tick(pools)
    spec.equal({ pool.total, pool:stats().prewarm }, { 9, { done = 9, wanted = 9 } })
    alloc_many(pools, "Cube", 9)
    spec.equal(pool:stats().created, 9) -- nothing is left to be made in the middle of the game
  end)

  spec.test("B6 another pool's object is refused, and one over the cap is gone at once, not a frame later", function()
    local pools <const> = kit.new { misuse = "ignore" }
    spawnpool.class("Cube", { idle_limit = 0 })
    spawnpool.class "Ball"
    local cube <const>, ball <const> = pools:alloc "Cube", pools:alloc "Ball"
    spec.equal({ pools:pool("Ball"):recycle(cube) }, { false, "foreign" })
    spec.equal({ pools:recycle(debug.upvalueid(function() return cube end, 1)) }, { false, "foreign" })
    spec.equal({ cube.alive, pools:recycle(cube), cube.alive, pools:pool("Cube").total }, { true, true, false, 0 })
    spec.equal({ pools:recycle(cube) }, { false, "stale" })
    spec.equal({ ball.alive, pools:pool("Cube").live, pools:pool("Ball").live }, { true, 0, 1 })
    kit.check(pools, "Cube", "Ball")
  end)

  spec.test("B7 queued last; idle ones cannot be lost; start-up code runs at alloc; every life is placed", function()
    local pools <const> = kit.new()
    local add <const>, log <const> = kit.log()
    local Cube <const> = spawnpool.class("Cube", { prealloc = 2, grow = 1 })
    function Cube:on_spawn(o) add("spawn", o.id, o.x, o.y) end
    function Cube:on_despawn(o) add("idle", self.idle, o.x) end
    pools:alloc("Cube", -1)
    spec.equal(log(), "")
    local first <const> = pools:alloc("Cube", 0, 5, 6)
    first.x = 99
    first:recycle()
    spec.equal(log(), "spawn 1 5.0 6.0, idle 1 99.0")
    pools:alloc "Cube"
    pools:alloc "Cube"
    spec.equal(log(), "spawn 2 0.0 0.0, spawn 1 0.0 0.0")
    spec.equal({ pools:clear(), pools:alloc("Cube").id }, { 0, 3 })
  end)

  spec.test("B8 timers die with the life by themselves, whatever the class does in recycle", function()
    local pools <const> = kit.new()
    local Cube <const> = spawnpool.class("Cube", { grow = 1, limit = 1 })
    local add <const>, log <const> = kit.log()
    function Cube:recycle(o) return Cube.super.recycle(self, o) end -- nothing is switched off here
    local o <const> = pools:alloc("Cube", 4 * STEP)
    o:after(2 * STEP, function() add "after" end)
    o:every(2 * STEP, function() add "every" end)
    o:run(function()
      coroutine.yield(2 * STEP)
      add "run"
    end)
    o:recycle()
    local next_life <const> = pools:alloc "Cube"
    kit.tick(pools, 100)
    spec.equal({ next_life.id, next_life.alive, log() }, { 1, true, "" })
  end)

  spec.test("B9 a slip in a type is told with the nearest name, or refused; and what it lacks", function()
    local pools <const>, strict <const> = kit.new(), kit.new { unknown = "error" }
    spawnpool.class("Sphere", { limit = 3, fields = { speed = 1 } })
    local said <const> = kit.warnings(function() pools:alloc "Sphare" end)
    spec.equal(said[1]:match "unknown type 'Sphare'.*did you mean 'Sphere'" ~= nil, true)
    kit.blames("unknown type 'Sphare'.*did you mean 'Sphere'", function() strict:alloc "Sphare" end)
    spec.equal(strict:stats().total, 0)
    -- despawn-all, statistics, a live cap, scenes, hooks, parameters
    local out <const> = alloc_many(pools, "Sphere", 3)
    spec.equal({ { pools:alloc "Sphere" }, pools:recycle_all { type = "Sphere" } }, { { nil, "full" }, 3 })
    spec.equal({ out[1].alive, pools:stats("Sphere").peak, pools:stats("Sphere").refused }, { false, 3, 1 })
    spec.equal(pools:alloc("Sphere", 0, { x = 4, speed = 7 }).speed, 7)
  end)
end)
