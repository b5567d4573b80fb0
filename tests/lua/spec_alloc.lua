-- alloc: what it returns, the state of the new object, and errors of on_spawn.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

spec.describe("alloc", function()
  kit.test("starts every field at the default when the class says nothing", {}, function(pools)
    local o <const> = pools:alloc "Cube"
    for _, name in ipairs { "x", "y", "vx", "vy", "ax", "ay", "angle", "spin" } do spec.equal(o[name], 0.0, name) end
    for _, name in ipairs { "scale", "r", "g", "b", "a" } do spec.equal(o[name], 1.0, name) end
    spec.equal({ o.radius, o.layer, o.sprite, o.visible, o.pinned }, { 8.0, 0, "circle", true, false })
    spec.equal({ o.age, o.lifetime, o.remaining }, { 0.0, 0.0, math.huge })
  end)

  kit.test("starts every field at the value of the class", {
    x = 1, y = 2, vx = 3, vy = 4, ax = 5, ay = 6, angle = 7, spin = 8, scale = 0.5, r = 0.25, g = 0.125,
    b = 0, a = 0.75, radius = 3, layer = -2, sprite = "star", visible = false,
    fields = { hp = 10, speed = 1.5, armed = true, calm = false, name = "crate" },
  }, function(pools)
    local o <const> = pools:alloc "Cube"
    spec.equal({ o.x, o.y, o.vx, o.vy, o.ax, o.ay, o.angle, o.spin }, { 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0 })
    spec.equal({ o.scale, o.r, o.g, o.b, o.a }, { 0.5, 0.25, 0.125, 0.0, 0.75 })
    spec.equal({ o.radius, o.layer, o.sprite, o.visible }, { 3.0, -2, "star", false })
    spec.equal({ o.hp, o.speed, o.armed, o.calm, o.name }, { 10, 1.5, true, false, "crate" })
    spec.equal(math.type(o.hp), "integer")
    spec.equal(math.type(o.speed), "float")
  end)

  kit.test("places the object before on_spawn sees it", { x = 5, y = 6, angle = 7 }, function(pools, Cube)
    local seen
    function Cube:on_spawn(o) seen = { o.x, o.y, o.angle, o.lifetime, o.alive } end
    pools:alloc("Cube", 2, 10, 20, 0.5)
    spec.equal(seen, { 10.0, 20.0, 0.5, 2.0, true })
    pools:alloc("Cube", 0, 10)
    spec.equal(seen, { 10.0, 6.0, 7.0, 0.0, true })
    pools:alloc("Cube", 0, nil, 20)
    spec.equal(seen, { 5.0, 20.0, 7.0, 0.0, true })
    pools:alloc("Cube", nil, nil, nil, 3)
    spec.equal(seen, { 5.0, 6.0, 3.0, 0.0, true })
  end)

  kit.test("fills fields from a table before on_spawn sees them", function(pools)
    local seen
    local Cube <const> = spawnpool.class("Cube", { fields = { hp = 1, name = "crate", armed = false } })
    function Cube:on_spawn(o) seen = { o.x, o.layer, o.sprite, o.hp, o.name, o.armed, o.y } end
    pools:alloc("Cube", 0, { x = 3, layer = 2, sprite = "ring", hp = 9, name = "barrel", armed = true })
    spec.equal(seen, { 3.0, 2, "ring", 9, "barrel", true, 0.0 })
    pools:alloc("Cube", 0, {})
    spec.equal(seen, { 0.0, 0, "circle", 1, "crate", false, 0.0 })
  end)

  kit.test("lets nobody close the manager while fields are filled in", {}, function(pools)
    local ran = false
    local sly <const> = setmetatable({}, {
      __name = "sly",
      __tostring = function()
        ran = true
        pools:close()
        return "sly"
      end,
    })
    spec.expect_error("field 'x' must be a number, got sly: 0x", pools.alloc, pools, "Cube", 0, { x = sly })
    spec.equal({ ran, pools:pool("Cube").live }, { false, 0 })
  end)

  kit.test("raises the error value of on_spawn itself, table or nil", {}, function(pools, Cube)
    local raised
    function Cube:on_spawn() error(raised, 0) end
    for _, value in ipairs { { code = 7 }, "text", 12, false } do
      raised = value
      local ok <const>, got <const> = pcall(pools.alloc, pools, "Cube")
      spec.equal({ ok, got == value }, { false, true })
    end
    raised = nil
    spec.equal({ pcall(pools.alloc, pools, "Cube") }, { false, nil })
    spec.equal(pools:pool("Cube").live, 0)
  end)

  kit.test("makes the pool ready and hands out nothing for a lifetime below 0", function(pools)
    spawnpool.class("Spark", { prealloc = 5 })
    spawnpool.class("Cube", { grow = 3 })
    spec.equal({ pools:alloc("Spark", -1) }, { nil, "prewarmed" })
    spec.equal({ pools:pool("Spark").idle, pools:pool("Spark").live }, { 5, 0 })
    spec.equal({ pools:alloc("Cube", -0.5, 1, 2, 3) }, { nil, "prewarmed" })
    spec.equal({ pools:alloc("Cube", -0.5, { x = 1 }) }, { nil, "prewarmed" })
    spec.equal(pools:pool("Cube").idle, 3)
    local s <const> = pools:stats()
    spec.equal({ s.allocs, s.refused }, { 0, 0 })
    kit.check(pools, "Spark", "Cube")
  end)

  kit.test("is the same from the manager and from the pool", { fields = { hp = 1 } }, function(pools)
    local pool <const> = pools:pool "Cube"
    local a <const>, b <const> = pools:alloc("Cube", 3, 1, 2, 0.5), pool:alloc(3, 1, 2, 0.5)
    for _, name in ipairs { "x", "y", "angle", "lifetime", "remaining", "hp", "type", "pool" } do
      spec.equal(a[name], b[name], name)
    end
    spec.equal(pool:alloc().lifetime, 0.0)
    spec.equal(pool:alloc(0, { hp = 4 }).hp, 4)
  end)
end)
