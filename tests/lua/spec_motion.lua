-- motion, bounds and over_life: what the class says once and C does for every object.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

local STEP <const> = kit.STEP

spec.describe("motion", function()
  spec.test("gravity pulls what lives, exactly, and leaves idle objects alone", function()
    local pools <const> = kit.new()
    spawnpool.class("Cube", { motion = { gravity = 64 }, prealloc = 2, grow = 1 })
    local pool <const> = pools:pool "Cube"
    kit.tick(pools, 10)
    local o <const> = pools:alloc("Cube", 0, 0, 0)
    kit.tick(pools, 64)
    spec.equal({ o.x, o.y, o.vy }, { 0, 32, 64 })
    local other <const> = pool:take()
    spec.equal({ other.y, other.vy }, { 0, 0 })
    o:recycle()
    kit.tick(pools, 64)
    local again <const> = pool:take()
    spec.equal({ again.id, again.y, again.vy }, { 1, 0, 0 })
  end)

  spec.test("drag slows down and never turns round", function()
    local pools <const> = kit.new()
    spawnpool.class("Cube", { motion = { drag = 64 } })
    local o <const> = pools:alloc("Cube", 0, { vx = 64, vy = -64 })
    kit.tick(pools, 1)
    spec.equal({ o.vx, o.vy, o.x }, { 32, -32, 1 })
    kit.tick(pools, 3)
    spec.equal({ o.vx, o.vy }, { 4, -4 })
    pools:update(1000)
    spec.equal({ o.vx > 0, o.vx < 1 }, { true, true })
  end)

  spec.test("face_velocity turns the object, and keeps it when it stops", function()
    local pools <const> = kit.new()
    local Cube <const> = spawnpool.class("Cube", { motion = { face_velocity = true } })
    local o <const>, still <const> = pools:alloc("Cube", 0, { vx = 3, vy = 3 }), pools:alloc("Cube", 0, 0, 0, 2)
    kit.tick(pools)
    spec.near(o.angle, math.pi / 4, 1e-6)
    spec.equal(still.angle, 2)
    o.vx, o.vy = 0, 0
    kit.tick(pools)
    spec.near(o.angle, math.pi / 4, 1e-6)
    Cube.motion = {}
    o.vx = -1
    kit.tick(pools)
    spec.near(o.angle, math.pi / 4, 1e-6)
  end)

  spec.test("is inherited, replaced as a whole, and refused when it makes no sense", function()
    local pools <const> = kit.new()
    spawnpool.class("Falls", { motion = { gravity = 64 } })
    spawnpool.class("Child", { extends = "Falls" })
    spawnpool.class("Rests", { extends = "Falls", motion = {} })
    local a <const>, b <const> = pools:alloc "Child", pools:alloc "Rests"
    kit.tick(pools, 64)
    spec.equal({ a.y, b.y }, { 32, 0 })
    for pattern, bad in pairs {
      ["motion must be a table"] = 5,
      ["motion has no entry 'gravty' %(did you mean 'gravity'%?%)"] = { gravty = 1 },
      ["motion.gravity must be a finite number"] = { gravity = 0 / 0 },
      ["motion.drag must not be negative"] = { drag = -1 },
      ["motion.face_velocity must be a boolean"] = { face_velocity = 1 },
      ["motion has no entry 1"] = { 5 },
    } do
      kit.blames("class 'Child': " .. pattern, function() spawnpool.class("Child", { motion = bad }) end)
    end
  end)
end)

spec.describe("bounds", function()
  local BOX <const> = { x = -10, y = 5, w = 20, h = 30 }

  local function box(outside)
    return { x = BOX.x, y = BOX.y, w = BOX.w, h = BOX.h, outside = outside }
  end

  local function is_inside(o) return o.x >= -10 and o.x <= 10 and o.y >= 5 and o.y <= 35 end

  spec.test("recycle: what leaves goes, and says outside", function()
    local pools <const> = kit.new()
    local Cube <const> = spawnpool.class("Cube", { bounds = box "recycle" })
    local why
    function Cube:on_despawn(_, reason) why = reason end
    local edge <const>, out <const> = pools:alloc("Cube", 0, 10, 35), pools:alloc("Cube", 0, 10.5, 20)
    local mover <const> = pools:alloc("Cube", 0, { x = 0, y = 20, vy = 64 })
    kit.tick(pools)
    spec.equal({ edge.alive, out.alive, mover.alive, why }, { true, false, true, "outside" })
    kit.tick(pools, 14)
    spec.equal(mover.alive, true)
    kit.tick(pools)
    spec.equal({ mover.alive, pools:stats("Cube").recycles }, { false, 2 })
    function Cube:recycle() end
    local stays <const> = pools:alloc("Cube", 0, 100, 100)
    kit.tick(pools, 3)
    spec.equal({ stays.alive, pools:stats("Cube").vetoed }, { true, 3 })
  end)

  spec.test("wrap, bounce and clamp bring anything back, however far", function()
    local seed <const> = 12345
    for _, outside in ipairs { "wrap", "bounce", "clamp" } do
      local pools <const> = spawnpool.new { step = STEP }
      math.randomseed(seed)
      spawnpool.class("Cube", { bounds = box(outside) })
      local objects <const> = {}
      for i = 1, 400 do
        local far <const> = 10.0 ^ math.random(0, i % 2 == 0 and 3 or 38)
        objects[i] = pools:alloc("Cube", 0, {
          x = (math.random() - 0.5) * far, y = (math.random() - 0.5) * far, vx = (math.random() - 0.5) * 1e4, vy = 1,
        })
      end
      for _ = 1, 20 do
        kit.tick(pools)
        for i, o in ipairs(objects) do
          if not is_inside(o) then error(("%s: object %d at %g, %g (seed %d)"):format(outside, i, o.x, o.y, seed)) end
        end
      end
      pools:close()
    end
  end)

  spec.test("wrap comes in at the other side, bounce turns, clamp stops", function()
    local pools <const> = kit.new()
    local Cube <const> = spawnpool.class("Cube", { bounds = box "wrap" })
    local o <const> = pools:alloc("Cube", 0, { x = 9, y = 20, vx = 128, vy = -64 })
    kit.tick(pools)
    spec.equal({ o.x, o.y, o.vx, o.vy }, { -9, 19, 128, -64 })
    Cube.bounds = box "bounce"
    o.x = 9
    kit.tick(pools)
    spec.equal({ o.x, o.vx, o.vy }, { 9, -128, -64 })
    o.x, o.vx, o.y, o.vy = 0, 0, 5.5, -64
    kit.tick(pools)
    spec.equal({ o.y, o.vy }, { 5.5, 64 })
    o.y, o.vy = 35 + 31, -64 -- two reflections
    kit.tick(pools)
    spec.equal({ o.y, o.vy }, { 5, -64 })
    Cube.bounds = box "clamp"
    o.x, o.vx = 100, 64
    kit.tick(pools)
    spec.equal({ o.x, o.vx }, { 10, 0 })
  end)

  spec.test("leave children to their parents", function()
    local pools <const> = kit.new()
    spawnpool.class("Cube", { bounds = box "recycle" })
    spawnpool.class "Ship"
    local ship <const> = pools:alloc("Ship", 0, 1000, 1000)
    local child <const> = pools:alloc("Cube", 0, 500, 500, 0, ship)
    kit.tick(pools)
    spec.equal(child.alive, true)
    child.parent = nil
    kit.tick(pools)
    spec.equal(child.alive, false)
  end)

  spec.test("hooks may spawn outside, recycle others, clear, and remove other pools", function()
    local pools <const> = kit.new()
    local Cube <const> = spawnpool.class("Cube", { bounds = box "recycle" })
    spawnpool.class("Ball", { bounds = box "recycle" })
    local objects <const> = {}
    for i = 1, 600 do
      objects[i] = pools:alloc("Cube", 0, 1000, 0)
      pools:alloc("Ball", 0, 1000, 0)
    end
    local turn, spawned = 0, 0
    function Cube:on_despawn()
      turn = turn + 1
      if turn % 2 == 0 then
        pools:alloc("Cube", 0, 2000, 0)
        spawned = spawned + 1
      end
      if turn % 50 == 0 then objects[601 - turn // 2]:recycle() end
      if turn % 100 == 0 then self:clear() end
      if turn == 150 then pools:remove "Ball" end
    end
    kit.tick(pools)
    spec.equal({ turn, pools:pool("Cube").live }, { 600, spawned })
    kit.check(pools, "Cube", "Ball")
    Cube.on_despawn = nil
    kit.tick(pools)
    spec.equal(pools:pool("Cube").live, 0)
  end)

  spec.test("are refused when they make no sense", function()
    for pattern, bad in pairs {
      ["bounds needs 'outside'"] = { x = 0, y = 0, w = 1, h = 1 },
      ["bounds needs 'x'"] = { y = 0, w = 1, h = 1, outside = "wrap" },
      ["bounds.w must be above 0"] = box "wrap",
      ["bounds.outside must be one of .* %(did you mean 'bounce'%?%)"] = box "bonce",
      ["bounds has no entry 'width'"] = { x = 0, y = 0, width = 1, h = 1, outside = "wrap" },
    } do
      if pattern:find "w must" then bad.w = 0 end
      kit.blames("class 'Cube': " .. pattern, function() spawnpool.class("Cube", { bounds = bad }) end)
    end
  end)
end)

spec.describe("over_life", function()
  spec.test("follows the share of the lifetime, from its first moment to its last", function()
    local pools <const> = kit.new()
    spawnpool.class("Spark", { over_life = { a = { 1, 0 }, scale = { 1, 3, 1 }, spin = { 0, 8 } } })
    local o <const> = pools:alloc("Spark", 1)
    local endless <const> = pools:alloc "Spark"
    kit.tick(pools, 16)
    spec.equal({ o.a, o.scale, o.spin }, { 0.75, 2, 2 })
    kit.tick(pools, 16)
    spec.equal({ o.a, o.scale }, { 0.5, 3 })
    kit.tick(pools, 31)
    spec.equal({ o.a, endless.a, endless.scale, endless.spin }, { 1 / 64, 1, 1, 0 })
    o.remaining = 3
    kit.tick(pools, 64)
    spec.near(o.a, 1 - (1 + 63 / 64) / (3 + 63 / 64), 1e-6)
  end)

  spec.test("starts with its first point, before the first update", function()
    local pools <const> = kit.new()
    local Spark <const> = spawnpool.class("Spark", { grow = 1, a = 0.25, over_life = { a = { 0.5, 0 }, x = { 7, 9 } } })
    local seen
    function Spark:on_spawn(o) seen = o.a end
    local o = pools:alloc("Spark", 1)
    spec.equal({ o.a, o.x, seen }, { 0.5, 7, 0.5 })
    spec.equal(pools:alloc("Spark").a, 0.25)
    o:recycle()
    o = pools:alloc("Spark", 0)
    spec.equal({ o.id, o.a, o.x }, { 1, 0.25, 0 })
    spec.equal(pools:alloc("Spark", 1, { a = 0.125 }).a, 0.125)
    Spark.on_spawn = nil
    spec.equal(pools:alloc("Spark", 1).a, 0.5)
  end)

  spec.test("leaves the next life as the class says", function()
    local pools <const> = kit.new()
    spawnpool.class("Spark", { grow = 1, over_life = { a = { 1, 0 } } })
    local o = pools:alloc("Spark", 1)
    kit.tick(pools, 32)
    o:recycle()
    o = pools:alloc("Spark", 0)
    spec.equal({ o.id, o.a }, { 1, 1 })
  end)

  spec.test("is refused when it makes no sense", function()
    for pattern, bad in pairs {
      ["over_life has no entry 'alpha'.*built%-in number fields"] = { alpha = { 1, 0 } },
      ["over_life has no entry 'raduis' %(did you mean 'radius'%?%)"] = { raduis = { 1, 0 } },
      ["over_life.a must list 2 to 8 numbers"] = { a = { 1 } },
      ["over_life.b must list 2 to 8 numbers"] = { b = { 1, 2, 3, 4, 5, 6, 7, 8, 9 } },
      ["over_life.g must be a finite number"] = { g = { 1, "0" } },
      ["over_life.r must list 2 to 8 numbers"] = { r = 5 },
      ["over_life must be a table"] = 5,
    } do
      kit.blames("class 'Spark': " .. pattern, function() spawnpool.class("Spark", { over_life = bad }) end)
    end
  end)
end)
