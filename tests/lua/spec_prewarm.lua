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
end)
