-- Classes that are edited while their objects live.
local spec <const> = require "spec"
local projects <const> = require "reload_kit"

local class <const>, test <const> = projects.class, projects.test

local function cube(definition) return { ["pools/Cube"] = class("Cube", definition) } end

spec.describe("a class that is edited", function()
  local function user(text) return { user = ("local Cube = require 'cubes' %s return {}"):format(text) } end
  test("follows what another file says of it", { cubes = class "Cube", user = user("Cube.limit = 5").user }, {
    "require 'cubes' collectgarbage() require 'user' collectgarbage()", user "Cube.limit = 7",
    "? spawnpool.class('Cube').limit == 7", user "", "? spawnpool.class('Cube').limit == nil",
  })

  test("has new methods at once, and no longer the deleted ones",
    cube "{ methods = { hit = function() return 1 end, old = function() return 2 end } }", {
      "a = pools:alloc 'Cube'", "? a:hit() == 1 and a:old() == 2",
      cube "{ methods = { hit = function() return 10 end, new = function() return 3 end } }",
      "? a:hit() == 10 and a:new() == 3", "expect_error([[Cube has no field 'old']], function() return a.old end)",
    })

  test("gives a field of another kind its new default, and says so",
    cube "{ fields = { n = 3, flag = true, text = 'x', i = 4 } }", {
      "a = pools:alloc('Cube', 0, { n = 9, flag = false, i = 5 })",
      cube "{ fields = { n = 'three', flag = 7, text = false, i = 1.5 } }",
      "equal({ a.n, a.flag, a.text, result.objects }, { 'three', 7, false, 1 })",
      "? a.i == 5", -- an integer is a number as good as another
      "? result.line:find('another kind', 1, true)",
    })

  local COUNTED <const> = [[
local util = require "util"
local spawnpool = require "spawnpool"
local EVERY <const> = 2
local Base = spawnpool.class("Base", { radius = 3, fields = { hp = 1, speed = spawnpool.live(3) } })
local Other = spawnpool.class "Other"
function Base:update() return EVERY, util.f() end
return Base]]
  local STEPS <const> = { "for _, type in ipairs { 'Base', 'Base', 'More', 'More', 'More', 'Other', 'Other', 'Other', "
    .. "'Other' } do pools:alloc(type) end" }
  for _, it in ipairs {
    { 0, "return Base", "return Base -- a comment" }, { 0, "radius = 3", "radius = 4" },
    { 5, "hp = 1", "hp = true" }, -- live objects have the new kind
    { 5, "live(3)", "live(4)" }, { 5, "EVERY, util", "EVERY + 1, util" },
    { 9, "EVERY <const> = 2", "EVERY <const> = 3" }, -- a variable of the file: any class in it may use that
    { 9, "return 1", "return 2", "util" },
  } do
    table.move({ { it[4] or "pools/Base", it[2], it[3] }, ("? result.objects == %d"):format(it[1]),
      ("has(result.line, '%sall 9 objects kept')"):format(it[1] > 0 and it[1] .. " live objects affected, " or "; ") },
      1, 3, #STEPS + 1, STEPS)
  end
  test("counts the objects that the edit changes something for", {
    util = "local M = {}\nfunction M.f() return 1 end\nreturn M", ["pools/Base"] = COUNTED,
    ["pools/More"] = class("More", '{ extends = "Base" }'),
  }, STEPS)

  test("keeps a limit that the game has set, unless the author edits it", cube "{ limit = 10, grow = 4 }", {
    "cubes = pools:pool 'Cube' cubes.limit = 3", cube "{ limit = 10, grow = 8 }", "? cubes.limit == 3",
    "? cubes.grow == 8", cube "{ limit = 20, grow = 8 }", "? cubes.limit == 20",
  })

  test("tops up a prealloc that was raised, and leaves a lowered one alone", cube "{ prealloc = 4 }", {
    "pools:alloc 'Cube' cubes = pools:pool 'Cube'", "? cubes.total == 4", cube "{ prealloc = 10 }",
    "? cubes.total == 10", cube "{ prealloc = 2 }", "? cubes.total == 10",
  })

  test("adopts a generic pool when its file is new", {}, {
    "said = hear(function() a = pools:alloc 'Cube' end)", "? said:find 'Cube'",
    cube "{ limit = 2, fields = { hp = 7 } }",
    "cubes = pools:pool 'Cube'", "? cubes.limit == 2 and cubes.live == 1 and a.hp == 7",
  })
end)

spec.describe("classes that extend another", function()
  local FAMILY <const> = {
    ["pools/Base"] = class("Base", "{ fields = { hp = 1 } }", "function Base:on_spawn(o) o.hp = o.hp + 1 end"),
    ["pools/Sub"] = class("Sub", "{ extends = 'Base' }"),
  }

  test("follow another base", FAMILY, {
    "a = pools:alloc 'Sub'",
    { ["pools/Other"] = class("Other", "{ fields = { other = 4 } }"), ["pools/Sub"] = class("Sub",
      "{ extends = 'Other' }") },
    "? a.other == 4 and #pools:leaks {} > 0", "n = 0 for _ in pools:each { class = 'Base' } do n = n + 1 end",
    "? n == 0",
    "expect_error([[Sub has no field 'hp']], function() return a.hp end)",
  })

  test("are edited together with their base, whatever the order of their names", FAMILY, {
    "a = pools:alloc 'Sub'", {
      ["pools/Sub"] = class("Sub", "{ extends = 'Base', fields = { hp = 100 } }",
        "function Sub:on_spawn(o) Sub.super.on_spawn(self, o) o.hp = -o.hp end"),
      ["pools/Base"] = class("Base", "{}", "function Base:on_spawn(o) o.hp = o.hp + 5 end"),
    }, "? a.hp == 2 and pools:alloc('Sub').hp == -105",
  })

  test("run again when their base is edited", { ["pools/Base"] = class("Base", "{}", "Base.SPEED = 2"),
    ["pools/Sub"] = class("Sub", "{ extends = 'Base' }", "Sub.TWICE = 2 * Sub.SPEED") }, {
    "Sub = pools:alloc('Sub').pool.class", { "pools/Base", "SPEED = 2", "SPEED = 3" }, "? Sub.TWICE == 6",
  })

  test("cannot extend each other: both files are refused, and nothing changes", FAMILY, {
    "a = pools:alloc 'Sub'", { ["pools/Base"] = class("Base", "{ extends = 'Sub' }") }, "! extends itself",
    "? a.hp == 2 and pools:alloc('Sub').hp == 2",
  })
end)

spec.describe("a class file", function()
  test("that declares another name is refused", cube "{ limit = 3 }", {
    "pools:alloc 'Cube'", { ["pools/Cube"] = class("Sphere", "{ limit = 9 }") },
    "! Cube.lua:1: the file declares class 'Sphere', not class 'Cube'",
    "? pools:pool('Cube').limit == 3 and hear(function() pools:pool 'Sphere' end) ~= ''",
  })

  test("that assigns super is refused by its name", cube "{ limit = 3 }", {
    "pools:alloc 'Cube'", { ["pools/Cube"] = class("Cube", "{ limit = 9 }", "Cube.super = 4") },
    "! Cube.lua: class 'Cube': super is set by spawnpool.class", "? pools:pool('Cube').limit == 3",
  })

  local function both(a, b) return { both = ([[
    local spawnpool <const> = require "spawnpool"
    local A <const> = spawnpool.class("A", { limit = %d })
    %s
    return { A = A, B = B }]]):format(a, b) }
  end
  test("that declares two classes is one of both, and may drop the other",
    both(1, "local B <const> = spawnpool.class('B', { limit = 2 })"), {
      "A, B = pools:pool 'A', pools:pool 'B'", "equal({ A.limit, B.limit }, { 1, 2 })",
      { during = "said = hear(edit)", both = both(5, "").both },
      "? said:find([[^[^\n]*class 'B' is no longer declared by[^\n]*\n?$]])",
      "equal({ A.limit, B.limit, spawnpool.class('B').limit }, { 5, 2, 2 })",
    }, "both")

  test("that is deleted keeps its last code, and comes back when it is made again", cube "{ limit = 3 }", {
    "pools:alloc 'Cube' os.remove(folder .. '/pools/Cube.lua') gone = reload.now()",
    "equal({ gone.ok, gone.line }, { true, 'pools/Cube.lua was deleted: its last code stays' })",
    "? pools:alloc('Cube').alive",
    { during = "pcall(edit)", ["pools/Cube"] = class("Cube", "{ limit = 3 }") }, -- it is no edit
    "? pools:pool('Cube').limit == 3", cube "{ limit = 4 }", "? pools:pool('Cube').limit == 4",
  })

  test("whose first load failed appears as soon as it is mended", { ["pools/Cube"] = "local x = = 1" }, {
    "expect_error('Cube.lua:1: unexpected symbol', pools.alloc, pools, 'Cube')", cube "{ limit = 1 }",
    "? pools:alloc('Cube').alive", "equal({ pools:alloc 'Cube' }, { nil, 'full' })",
  })
end)

spec.describe("a class that is renamed", function()
  local function kinds(name, step)
    return { kinds = ([[
      local C <const> = require("spawnpool").class("%s", { fields = { hp = 5 } })
      C.methods = { hit = function(self) self.hp = self.hp - 1 return self.hp end }
      function C:on_spawn(o) o.hp = 6 end
      function C:update(dt) for o in self:each() do o.x = o.x + %d end end
      return C]]):format(name, step) }
  end
  test("in a module: objects keep the code of their type, new ones are of the new type", kinds("Orc", 1), {
    "old = pools:alloc 'Orc' tick(pools)", "equal({ old.hp, old:hit(), old.x }, { 6, 5, 1 })",
    kinds("Elf", 10), "new = pools:alloc 'Elf' tick(pools)",
    "equal({ old.type, old.alive, old:hit(), old.x }, { 'Orc', true, 4, 2 })",
    "equal({ new.type, new.hp, new:hit(), new.x }, { 'Elf', 6, 5, 10 })",
    kinds("Orc", 100), "tick(pools)",
    "equal({ old:hit(), old.x, new:hit(), new.x, pools:pool('Orc').live }, { 3, 102, 4, 20, 1 })",
  }, "kinds")
end)

spec.describe("objects that a file allocates as it runs", function()
  local function things(tail, more)
    return { holder = ([[
      local spawnpool <const> = require "spawnpool"
      local pools <const> = spawnpool.pools
      local M <const> = {}
      local player = pools:alloc("Thing", 0, %s)
      %s
      return M]]):format(tail, more or "function M.player() return player end"), thing = class "Thing" }
  end
  local HELD <const> = "old = holder.player() things = spawnpool.pools:pool 'Thing'"

  test("stay the same in the locals of before, and no second one is left over", things "1, 2", {
    HELD, things "3, 4", "? holder.player() == old and old.x == 1.0 and things.live == 1",
  }, "thing holder")

  test("stay when the local is new", things "1, 2", {
    HELD, things("1, 2", "local second = pools:alloc('Thing') function M.player() return player, second end"),
    "one, two = holder.player()", "? one == old and one.alive and two.alive and things.live == 2",
  }, "thing holder")

  test("stay when they are new in another file's table", things "1, 2", {
    HELD, things("1, 2", "require('thing').boss = pools:alloc('Thing') function M.player() return player end"),
    "? spawnpool.class('Thing').boss.alive and things.live == 2",
  }, "thing holder")

  test("go when the reload is refused", things "1, 2", {
    HELD, things("1, 2", "local more = pools:alloc('Thing') error 'no'"), "! no", "? things.live == 1",
  }, "thing holder")
end)
