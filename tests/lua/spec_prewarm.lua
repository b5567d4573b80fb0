-- prewarm, at once and in slices: delay, hooks, progress and wrong options.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

local function progress(pool)
  local p <const> = pool:stats().prewarm
  return { p.done, p.wanted }
end

spec.describe("prewarm", function()
  kit.test("runs on_create and no other hook", function(pools)
    local add <const>, log <const> = kit.log()
    spawnpool.class("Cube", kit.hooks(add, { grow = 1 }))
    local pool <const> = pools:pool "Cube"
    pool:prewarm(3, { per_frame = 2 })
    kit.tick(pools, 1)
    spec.equal(log(), "create 1, create 2")
    spec.equal(progress(pool), { 2, 3 })
    kit.tick(pools, 1)
    spec.equal(log(), "create 3")
  end)

  kit.test("with a delay begins in the update in which that passes", {}, function(pools)
    local pool <const> = pools:pool "Cube"
    pool:prewarm(10, { per_frame = 6, delay = 0.5 })
    for _ = 1, 29 do pools:update(1 / 60) end
    spec.equal(pool.total, 0)
    pools:update(1 / 60)
    spec.equal(pool.total, 6)
    pool:prewarm(20, { delay = 1 })
    pools:update(1.5)
    spec.equal(pool.total, 20)
  end)

  kit.test("and a refused alloc keep idle_limit, whatever on_create does", { idle_limit = 3 }, function(pools, Cube)
    local pool <const> = pools:pool "Cube"
    function Cube:on_create() self.idle_limit = 0 end
    pool:prewarm(2)
    spec.equal(pool.idle, 0)
    pool.limit = 1
    function Cube:on_create()
      Cube.on_create = nil
      pools:alloc "Cube"
    end
    spec.equal({ pools:alloc "Cube" }, { nil, "full" })
    spec.equal({ pool.live, pool.idle, pool.idle_limit }, { 1, 0, 0 })
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
