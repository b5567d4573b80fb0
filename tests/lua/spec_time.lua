-- time_scale, paused, remaining, and errors of a manager's fields.
local spec <const> = require "spec"
local kit <const> = require "kit"

local STEP <const> = kit.STEP

kit.test("time_scale: stretches everything that takes time", { vx = 64 }, function(pools, Cube)
  local dts <const> = {}
  function Cube:update(dt) dts[#dts + 1] = dt end
  local o <const> = pools:alloc("Cube", 1)
  pools.time_scale = 2
  spec.equal(pools.time_scale, 2)
  kit.tick(pools, 8)
  spec.equal({ o.x, o.age, o.remaining, pools.time, dts[1] }, { 16, 0.25, 0.75, 0.25, 2 * STEP })
  pools.time_scale = 0
  kit.tick(pools, 100)
  spec.equal({ o.x, o.age, pools.time, dts[#dts] }, { 16, 0.25, 0.25, 0 })
  pools.time_scale = 1
  kit.tick(pools, 47)
  spec.equal(o.alive, true)
  kit.tick(pools, 1)
  spec.equal(o.alive, false)
end)

kit.test("paused: stops the clock, the hooks and the prewarm, and nothing else", { vx = 64 }, function(pools, Cube)
  local updates = 0
  function Cube:update() updates = updates + 1 end
  local o <const> = pools:alloc("Cube", 1)
  pools:pool("Cube"):prewarm(100, { per_frame = 10 })
  pools.paused = true
  spec.equal(pools.paused, true)
  kit.tick(pools, 1000)
  spec.equal({ pools.time, o.x, o.alive, updates, pools:pool("Cube").total }, { 0, 0, true, 0, 32 })
  local other <const> = pools:alloc("Cube", 1)
  spec.equal({ other:recycle(), o.remaining }, { true, 1 })
  pools.paused = false
  kit.tick(pools, 1)
  spec.equal({ o.x, updates, pools:pool("Cube").total }, { 1, 1, 42 })
end)

kit.test("fields of a manager: are told by name, with the nearest one", function(pools)
  kit.blames("no field 'tiem' %(did you mean 'time'%?%)", function() return (pools.tiem) end)
  kit.blames("no field 'recylce' %(did you mean 'recycle'%?%)", function() return (pools:recylce()) end)
  kit.blames("no writable field 'pased'.*paused", function() pools.pased = true end)
  kit.blames("no writable field 'time'", function() pools.time = 1 end)
  kit.blames("no field '5'", function() return (pools[5]) end)
end)

spec.describe("remaining", function()
  kit.test("can be set: sooner, later, never, at once", {}, function(pools)
    local o <const> = pools:alloc("Cube", 1)
    kit.tick(pools, 32)
    spec.equal({ o.remaining, o.lifetime, o.age }, { 0.5, 1, 0.5 })
    o.remaining = 2
    spec.equal({ o.remaining, o.lifetime }, { 2, 2.5 })
    kit.tick(pools, 127)
    spec.equal({ o.alive, o.remaining }, { true, STEP })
    o.remaining = math.huge
    spec.equal({ o.remaining, o.lifetime }, { math.huge, 0 })
    kit.tick(pools, 1000)
    o.remaining = 0
    spec.equal(o.alive, true)
    kit.tick(pools, 1)
    spec.equal({ o.alive, pools:stats("Cube").expired }, { false, 1 })
  end)

  kit.test("makes an endless life end, and can be set in every hook", {}, function(pools, Cube)
    function Cube:on_spawn(o) o.remaining = 4 * STEP end
    function Cube:on_despawn(o) o.remaining = 5 end
    local o <const> = pools:alloc "Cube"
    spec.equal(o.remaining, 4 * STEP)
    kit.tick(pools, 4)
    spec.equal(o.alive, false)
    Cube.on_spawn = nil
    local again <const> = pools:alloc "Cube"
    kit.tick(pools, 1000)
    spec.equal({ again.alive, again.remaining }, { true, math.huge })
    local given <const> = pools:alloc("Cube", 0, { remaining = 2 * STEP })
    kit.tick(pools, 2)
    spec.equal(given.alive, false)
  end)

  kit.test("refuses what is no time", {}, function(pools)
    local o <const> = pools:alloc("Cube", 1)
    for _, bad in ipairs { -1, 0 / 0, -math.huge, "1", {}, 1e12 } do
      kit.blames("field 'remaining' of Cube#1 must be", function() o.remaining = bad end)
    end
    kit.blames("read only", function() o.age = 1 end)
    kit.blames("read only", function() o.lifetime = 1 end)
    spec.equal(o.remaining, 1)
  end)
end)
