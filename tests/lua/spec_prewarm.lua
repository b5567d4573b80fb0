-- prewarm, at once and in slices: delay, hooks, progress and wrong options.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

local STEP <const> = kit.STEP

local function progress(pool)
  local p <const> = pool:stats().prewarm
  return { p.done, p.wanted }
end

spec.describe("prewarm", function()
  kit.test("at once makes up to the number asked for, live ones included", { grow = 1 }, function(pools)
    local pool <const> = pools:pool "Cube"
    pools:alloc "Cube"
    spec.equal({ pool:prewarm(10), pool:prewarm(10), pool:prewarm(5), pool.total, pool.live }, { 9, 0, 0, 10, 1 })
    spec.equal(progress(pool), { 5, 5 })
  end)

  kit.test("waits for its delay of game time", {}, function(pools)
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

  kit.test("runs on_create and no other hook, which may alloc, clear and remove", function(pools)
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
  end)

  kit.test("refuses what makes no sense, at the caller's line", {}, function(pools)
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
