-- motion, bounds and over_life: settings of a class that the core applies to every object.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

spec.describe("motion", function()
  kit.test("is inherited and replaced as a whole", function(pools)
    spawnpool.class("Falls", { motion = { gravity = 64, drag = 64, face_velocity = true } })
    spawnpool.class("Child", { extends = "Falls" })
    spawnpool.class("Rests", { extends = "Falls", motion = {} })
    local a <const>, b <const> = pools:alloc("Child", 0, { vx = 64 }), pools:alloc("Rests", 0, { vx = 64 })
    kit.tick(pools)
    spec.equal({ a.vx, a.vy > 0, a.angle > 0, b.vx, b.vy, b.angle }, { 32, true, true, 64, 0, 0 })
  end)
end)

spec.describe("bounds", function()
  local BOX <const> = { x = -10, y = 5, w = 20, h = 30 }

  local function box(outside)
    return { x = BOX.x, y = BOX.y, w = BOX.w, h = BOX.h, outside = outside }
  end

  kit.test("recycle: what leaves goes, says outside, or vetoes", { bounds = box "recycle" }, function(pools, Cube)
    local why
    function Cube:on_despawn(_, reason) why = reason end
    local edge <const>, out <const> = pools:alloc("Cube", 0, 10, 35), pools:alloc("Cube", 0, 10.5, 20)
    kit.tick(pools)
    spec.equal({ edge.alive, out.alive, why }, { true, false, "outside" })
    function Cube:recycle() end
    local stays <const> = pools:alloc("Cube", 0, 100, 100)
    kit.tick(pools, 3)
    spec.equal({ stays.alive, pools:stats("Cube").vetoed }, { true, 3 })
  end)

  kit.test("wrap comes in at the other side, bounce turns, clamp stops", { bounds = box "wrap" }, function(pools, Cube)
    local o <const> = pools:alloc("Cube", 0, 0, 20)
    for outside, want in pairs { wrap = { -9, 128 }, bounce = { 9, -128 }, clamp = { 10, 0 } } do
      Cube.bounds, o.x, o.vx = box(outside), 9, 128
      kit.tick(pools)
      spec.equal({ o.x, o.vx }, want, outside)
    end
  end)
end)

spec.describe("over_life", function()
  kit.test("follows the share of the lifetime", function(pools)
    spawnpool.class("Spark", { over_life = { a = { 1, 0 }, scale = { 1, 3, 1 }, spin = { 0, 8 } } })
    local o <const>, endless <const> = pools:alloc("Spark", 1), pools:alloc "Spark"
    kit.tick(pools, 16)
    spec.equal({ o.a, o.scale, o.spin, endless.a, endless.scale, endless.spin }, { 0.75, 2, 2, 1, 1, 0 })
  end)

  kit.test("starts with its first point, before the first update", function(pools)
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
end)
