-- scale_x and scale_y: fields that a pool has from their first use on.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

local equal <const> = spec.equal

spec.describe("scales of objects", function()
  kit.test("are 1, and cost a pool nothing, until one is written", function(pools)
    spawnpool.class("Plain", { fields = { hp = 3 } })
    local a <const>, b <const> = pools:alloc("Plain", 0, 1, 2), pools:alloc("Plain")
    local hash <const>, bytes <const> = pools:hash(), pools:stats("Plain").bytes
    equal({ a.scale_x, b.scale_y, pools:stats("Plain").bytes == bytes }, { 1.0, 1.0, true })
    a.scale_x = -1
    equal(pools:stats("Plain").bytes > bytes, true)
    equal({ a.scale_x, a.scale_y, b.scale_x, a.hp, a.x, pools:hash() == hash }, { -1.0, 1.0, 1.0, 3, 1.0, false })
    a.scale_x = 1
    equal(pools:hash(), hash) -- as before: a game that is rewound and played again has the same hashes
  end)

  kit.test("begin as their class says, and follow a life", function(pools)
    spawnpool.class("Wide", { scale_x = 2, over_life = { scale_y = { 1, 0 } } })
    spawnpool.class("Wider", { extends = "Wide", scale_x = 3 })
    local a <const>, b <const> = pools:alloc("Wide", 2), pools:alloc("Wider", 2)
    pools:update(1)
    equal({ a.scale_x, a.scale_y, b.scale_x, b.scale_y }, { 2.0, 0.5, 3.0, 0.5 })
    a.scale_x = 7
    a:recycle()
    equal(pools:alloc("Wide", 2).scale_x, 2.0)
  end)

  kit.test("are written in every way that other fields are", function(pools)
    local a <const> = pools:alloc("Cube", 0, { scale_x = -2, x = 5 })
    equal({ a.scale_x, a.x }, { -2.0, 5.0 })
    local round <const> = pools:pool "Round"
    spawnpool.class("Round", {})
    local b <const> = pools:alloc("Round")
    equal({ round:set("scale_y", 3), b.scale_y, round:add("scale_y", 0.5), b.scale_y }, { 1, 3.0, 1, 3.5 })
    local seen <const> = {}
    for name, value in pairs(b) do seen[name] = value end
    equal({ seen.scale_x, seen.scale_y }, { 1.0, 3.5 })
  end)

  kit.test("are written from an alloc of the class and from its hooks", {}, function(pools, Cube)
    function Cube:alloc(lifetime, ...)
      local it <const> = Cube.super.alloc(self, lifetime, ...)
      it.scale_x = -1
      return it
    end
    function Cube:on_spawn(it) it.scale_y = 4 end
    local a <const>, b <const> = pools:alloc "Cube", pools:alloc "Cube"
    equal({ a.scale_x, a.scale_y, b.scale_x, b.scale_y }, { -1.0, 4.0, -1.0, 4.0 })
  end)

  kit.test("come back with a snapshot and with a save", function(pools)
    local a <const>, b <const> = pools:alloc("Cube"), pools:alloc("Cube")
    local before <const>, hash <const> = pools:snapshot(), pools:hash()
    a.scale_x, b.scale_y = -1, 2
    local after <const>, text <const> = pools:snapshot(), pools:save()
    pools:restore(before)
    equal({ a.scale_x, b.scale_y, pools:hash() == hash }, { 1.0, 1.0, true })
    pools:restore(after)
    equal({ a.scale_x, b.scale_y }, { -1.0, 2.0 })
    local other <const> = spawnpool.load(text)
    local found <const> = {}
    for it in other:each() do found[#found + 1] = it.scale_x .. " " .. it.scale_y end
    equal(found, { "-1.0 1.0", "1.0 2.0" })
    other:close()
  end)

  kit.test("are numbers that are checked like others", function(pools)
    local a <const> = pools:alloc "Cube"
    for value, problem in pairs {
      wide = "field 'scale_x' of Cube#1 must be a number, got 'wide'", [1 / 0] = "must be a finite number, got inf",
    } do
      spec.expect_error(problem, function() a.scale_x = value end)
    end
    spec.expect_error("field 'scale_x' is built in", spawnpool.class, "Named", { fields = { scale_x = 1 } })
    spec.expect_error("class 'Wrong': scale_y must be a finite number", spawnpool.class, "Wrong", { scale_y = "x" })
    spec.expect_error("class 'Light': blend must be one of", spawnpool.class, "Light", { blend = "glow" })
    a:recycle()
    spec.expect_error("is stale", function() a.scale_x = 2 end)
  end)

  kit.test("find no room beside too many fields", function(pools)
    local many <const>, count = {}, 0
    while pcall(spawnpool.class, "Full" .. count, { fields = many }) do
      count = count + 1
      many["f" .. count] = count
    end
    many["f" .. count] = nil
    spawnpool.class("Full", { fields = many })
    local a <const> = pools:alloc "Full"
    spec.expect_error("field 'scale_x' of Full#1 finds no room", function() a.scale_x = 2 end)
    equal({ a.scale_x, a.f1 }, { 1.0, 1 })
  end)
end)
