-- prewarm in slices: quiet, delayed, within its budget, and with progress.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

local STEP <const> = kit.STEP

local function progress(pool)
  local p <const> = pool:stats().prewarm
  return { p.done, p.wanted }
end

spec.describe("prewarm", function()
  spec.test("at once makes up to the number asked for, live ones included", function()
    local pools <const> = kit.new()
    spawnpool.class("Cube", { grow = 1 })
    local pool <const> = pools:pool "Cube"
    pools:alloc "Cube"
    spec.equal({ pool:prewarm(10), pool:prewarm(10), pool:prewarm(5), pool.total, pool.live }, { 9, 0, 0, 10, 1 })
    spec.equal(progress(pool), { 5, 5 })
    kit.check(pools, "Cube")
  end)

  spec.test("in slices never makes more than its budget in one update", function()
    local pools <const> = kit.new()
    spawnpool.class("Cube", { grow = 1000 })
    local pool <const> = pools:pool "Cube"
    spec.equal(pool:prewarm(10000, { per_frame = 37 }), 0)
    spec.equal(progress(pool), { 0, 10000 })
    local before, updates = 0, 0
    repeat
      kit.tick(pools)
      updates = updates + 1
      local made <const> = pool.total - before
      if made > 37 then error(("%d made in one update"):format(made)) end
      before = pool.total
      spec.equal(progress(pool), { before, 10000 })
    until before == 10000
    spec.equal(updates, math.ceil(10000 / 37))
    kit.tick(pools, 10)
    spec.equal({ pool.total, pool.live }, { 10000, 0 })
  end)

  spec.test("waits for its delay of game time", function()
    local pools <const> = kit.new()
    spawnpool.class("Cube", {})
    local pool <const> = pools:pool "Cube"
    pool:prewarm(100, { delay = 8 * STEP })
    kit.tick(pools, 8)
    spec.equal(pool.total, 0)
    pools.paused = true
    kit.tick(pools, 100)
    pools.paused = false
    kit.tick(pools, 1)
    spec.equal(pool.total, 100)
    pool:prewarm(200, { delay = 1, per_frame = 60 })
    pools.time_scale = 0.5
    kit.tick(pools, 128)
    spec.equal(pool.total, 100)
    kit.tick(pools, 1)
    spec.equal(pool.total, 160)
    kit.tick(pools, 1)
    spec.equal(pool.total, 200)
  end)

  spec.test("counts what is made meanwhile", function()
    local pools <const> = kit.new()
    spawnpool.class("Cube", { grow = 10 })
    local pool <const> = pools:pool "Cube"
    pool:prewarm(50, { per_frame = 5 })
    for _ = 1, 40 do pools:alloc "Cube" end
    spec.equal(pool.total, 40)
    kit.tick(pools, 1)
    spec.equal({ pool.total, progress(pool) }, { 45, { 45, 50 } })
    kit.tick(pools, 5)
    spec.equal({ pool.total, progress(pool) }, { 50, { 50, 50 } })
  end)

  spec.test("repeated replaces what is under way, and zero ends it", function()
    local pools <const> = kit.new()
    spawnpool.class("Cube", {})
    local pool <const> = pools:pool "Cube"
    pool:prewarm(1000, { per_frame = 1 })
    kit.tick(pools, 3)
    pool:prewarm(20, { per_frame = 10 })
    kit.tick(pools, 10)
    spec.equal({ pool.total, progress(pool) }, { 20, { 20, 20 } })
    pool:prewarm(1000, { per_frame = 1 })
    pool:prewarm(0, {})
    kit.tick(pools, 10)
    spec.equal(pool.total, 20)
    pool:prewarm(40, {})
    kit.tick(pools, 1)
    spec.equal(pool.total, 40)
  end)

  spec.test("stops at the limits that stand in its way", function()
    local pools <const> = kit.new()
    spawnpool.class("Cube", { limit = 30 })
    spawnpool.class("Ball", { idle_limit = 12 })
    local cubes <const>, balls <const> = pools:pool "Cube", pools:pool "Ball"
    cubes:prewarm(100, { per_frame = 20 })
    balls:prewarm(100, { per_frame = 5 })
    kit.tick(pools, 20)
    spec.equal({ cubes.total, progress(cubes), balls.total, progress(balls) }, { 30, { 30, 100 }, 12, { 12, 100 } })
    cubes.limit = 50
    cubes:prewarm(100, { per_frame = 200 })
    kit.tick(pools, 1)
    spec.equal(cubes.total, 50)
    kit.check(pools, "Cube", "Ball")
  end)

  spec.test("runs on_create and no other hook, which may alloc, clear and remove", function()
    local pools <const> = kit.new()
    local add <const>, log <const> = kit.log()
    local Cube <const> = spawnpool.class("Cube", kit.hooks(add, { grow = 1 }))
    local pool <const> = pools:pool "Cube"
    pool:prewarm(3, { per_frame = 2 })
    kit.tick(pools, 1)
    spec.equal(log(), "create 1, create 2")
    kit.tick(pools, 1)
    spec.equal(log(), "create 3")
    local inside = false
    Cube.on_destroy, Cube.on_despawn, Cube.on_spawn = nil, nil, nil
    function Cube:on_create()
      if inside then return end
      inside = true
      pools:alloc "Cube"
      pools:remove "Ball"
      self:clear()
      spec.equal({ pools:remove "Cube" }, { false, "busy" })
      spec.equal({ pools:close() }, { false, "busy" })
      inside = false
    end
    pools:pool("Ball"):prewarm(100, { per_frame = 5 })
    pool:prewarm(40, { per_frame = 10 })
    kit.tick(pools, 20)
    kit.check(pools, "Cube")
    spec.equal(pool.total >= 40, true)
    function Cube:on_create() error "oops" end
    pool:prewarm(pool.total + 5, {})
    local said <const> = spec.hear(kit.tick, pools, 1)
    spec.equal(said:find "Cube.on_create: .*oops" ~= nil, true)
    kit.check(pools, "Cube")
  end)

  spec.test("by alloc with a negative lifetime is quiet and may be repeated", function()
    local pools <const> = kit.new()
    spawnpool.class("Cube", { prealloc = 8 })
    spec.equal({ pools:alloc("Cube", -1) }, { nil, "prewarmed" })
    spec.equal({ pools:alloc("Cube", -1, 1, 2, 3) }, { nil, "prewarmed" })
    spec.equal({ pools:alloc("Cube", -0.5, { x = 1 }) }, { nil, "prewarmed" })
    spec.equal({ pools:pool("Cube").total, pools:pool("Cube").live }, { 8, 0 })
  end)

  spec.test("refuses what makes no sense, at the caller's line", function()
    local pools <const> = kit.new()
    spawnpool.class("Cube", {})
    local pool <const> = pools:pool "Cube"
    for _, bad in ipairs { -1, 1.5, "5", {}, 1 << 25, 0 / 0 } do
      kit.blames("count must be an integer from 0 to 16777216", function() pool:prewarm(bad) end)
    end
    kit.blames("count must be", function() pool:prewarm() end)
    kit.blames("table expected", function() pool:prewarm(5, 5) end)
    kit.blames("no option 'per_fraem' %(per_frame, delay%)", function() pool:prewarm(5, { per_fraem = 1 }) end)
    for _, bad in ipairs { -1, 0 / 0, "x", 1.5 } do
      kit.blames("per_frame must be", function() pool:prewarm(5, { per_frame = bad }) end)
    end
    for _, bad in ipairs { -1, math.huge, {} } do
      kit.blames("delay must be", function() pool:prewarm(5, { delay = bad }) end)
    end
    spec.equal(pool.total, 0)
    pools:close()
    kit.blames("the pool was removed", function() pool:prewarm(5) end)
  end)
end)
