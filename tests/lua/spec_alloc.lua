-- alloc: what it returns, the state of the new object, and errors of on_spawn.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

spec.describe("alloc", function()
  local DEFAULTS <const> = {
    x = 0.0, y = 0.0, vx = 0.0, vy = 0.0, ax = 0.0, ay = 0.0, angle = 0.0, spin = 0.0, scale = 1.0, r = 1.0, g = 1.0,
    b = 1.0, a = 1.0, radius = 8.0, layer = 0, sprite = "circle", visible = true,
  }
  local VALUES <const> = {
    x = 1.0, y = 2.0, vx = 3.0, vy = 4.0, ax = 5.0, ay = 6.0, angle = 7.0, spin = 8.0, scale = 0.5, r = 0.25, g = 0.125,
    b = 0.0, a = 0.75, radius = 3.0, layer = -2, sprite = "star", visible = false,
  }

  for title, case in pairs { ["the default"] = { {}, DEFAULTS }, ["the value of the class"] = { VALUES, VALUES } } do
    kit.test("starts every field at " .. title, case[1], function(pools)
      local o <const> = pools:alloc "Cube"
      for name, want in pairs(case[2]) do
        spec.equal({ o[name], math.type(o[name]) }, { want, math.type(want) }, name)
      end
      spec.equal({ o.pinned, o.age, o.lifetime, o.remaining }, { false, 0.0, 0.0, math.huge })
    end)
  end

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

  for _, name in ipairs { "on_spawn", "alloc" } do
    kit.test("raises the error value of " .. name .. " itself, table or nil", {}, function(pools, Cube)
      local raised
      Cube[name] = function() error(raised, 0) end
      for _, value in ipairs { { code = 7 }, "text", 12, false, "nil" } do
        raised = value
        if value == "nil" then raised = nil end
        spec.equal(table.pack(pcall(pools.alloc, pools, "Cube")), { n = 2, false, raised })
      end
      spec.equal(pools:pool("Cube").live, 0)
    end)
  end

  kit.test("warns once for a line that gives x and y where a lifetime is due", {}, function(pools)
    local pool <const> = pools:pool "Cube"
    local Own <const> = spawnpool.class("Own", {})
    function Own:alloc(lifetime) return Own.super.alloc(self, lifetime) end
    local said <const> = kit.warnings(function()
      for _ = 1, 3 do pools:alloc("Cube", 300, 200) end
      pool:alloc(5, 6)
      pools:alloc("Cube", 0, 200)
      pools:alloc("Cube", 2)
      pools:alloc("Cube", 300, 200, 1)
      pools:alloc("Cube", 2, { x = 3 })
      pools:alloc("Own", 300, 200)
    end)
    spec.equal(#said, 2)
    spec.equal(said[1]:match "spec_alloc.lua:%d+: (.*)", "alloc of Cube: the first number is its lifetime in " ..
      'seconds, the second one x. For x and y write alloc("Cube", 0, 300.0, 200.0)')
    local quiet <const> = spawnpool.new { misuse = "ignore" }
    spec.equal(#kit.warnings(function() quiet:alloc("Cube", 300, 200) end), 0)
    quiet:close()
  end)
end)
