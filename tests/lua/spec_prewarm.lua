-- prewarm, at once and in slices: delay, hooks, progress and wrong options.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

local function progress(pool)
  local p <const> = pool:stats().prewarm
  return { p.done, p.wanted }
end

spec.describe("prewarm", function()
  kit.test("runs on_create and no other hook, which may alloc, clear and remove", function(pools)
    local add <const>, log <const> = kit.log()
    local Cube <const> = spawnpool.class("Cube", kit.hooks(add, { grow = 1 }))
    local pool <const> = pools:pool "Cube"
    pool:prewarm(3, { per_frame = 2 })
    kit.tick(pools, 1)
    spec.equal(log(), "create 1, create 2")
    spec.equal(progress(pool), { 2, 3 })
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
