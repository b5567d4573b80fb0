-- Classes that are edited while their objects live. That hooks and `live` defaults are those of the new text, and that
-- values of the game stay, the oracle compares.
local spec <const> = require "spec"
local projects <const> = require "reload_kit"
local reload <const> = require "spawnpool.reload"
local spawnpool <const> = require "spawnpool"

local class <const> = projects.class

local function cube(definition, body)
  return projects.open { ["pools/Cube.lua"] = class("Cube", definition, body) }
end

spec.describe("a class that is edited", function()
  spec.test("follows what another file says of it, whether or not the collector has run meanwhile", function()
    for _, collect in ipairs { function() end, collectgarbage } do
      local user <const> = "require 'Cube'.limit = %d return {}"
      local it <close> = projects.open { ["Cube.lua"] = class("Cube"), ["user.lua"] = user:format(5) }
      package.loaded.Cube, package.loaded.user = nil, nil
      require "Cube"
      collect()
      require "user"
      collect()
      it.edit("user.lua", user:format(7))
      spec.equal(spawnpool.class("Cube").limit, 7)
      it.edit("user.lua", "return {}")
      spec.equal(spawnpool.class("Cube").limit, nil)
    end
  end)

  spec.test("has new methods at once, and no longer the deleted ones", function()
    local it <close> = cube("{ methods = { hit = function() return 1 end, old = function() return 2 end } }")
    local a <const> = it.pools:alloc "Cube"
    spec.equal({ a:hit(), a:old() }, { 1, 2 })
    it.edit("pools/Cube.lua",
      class("Cube", "{ methods = { hit = function() return 10 end, new = function() return 3 end } }"))
    spec.equal({ a:hit(), a:new() }, { 10, 3 })
    spec.expect_error("Cube has no field 'old'", function() return a.old end)
  end)

  spec.test("gives a field of another kind its new default, and says so", function()
    local it <close> = cube "{ fields = { n = 3, flag = true, text = 'x', i = 4 } }"
    local a <const> = it.pools:alloc("Cube", 0, { n = 9, flag = false, i = 5 })
    local result <const> = it.edit("pools/Cube.lua",
      class("Cube", "{ fields = { n = 'three', flag = 7, text = false, i = 1.5 } }"))
    spec.equal({ a.n, a.flag, a.text }, { "three", 7, false })
    spec.equal(result.objects, 1)
    spec.equal(a.i, 5) -- an integer is a number as good as another
    if not result.line:find("another kind", 1, true) then error(result.line) end
  end)

  spec.test("keeps a limit that the game has set, unless the author edits it", function()
    local it <close> = cube "{ limit = 10, grow = 4 }"
    it.pools:pool("Cube").limit = 3
    it.edit("pools/Cube.lua", class("Cube", "{ limit = 10, grow = 8 }"))
    spec.equal({ it.pools:pool("Cube").limit, it.pools:pool("Cube").grow }, { 3, 8 })
    it.edit("pools/Cube.lua", class("Cube", "{ limit = 20, grow = 8 }"))
    spec.equal(it.pools:pool("Cube").limit, 20)
  end)

  spec.test("tops up a prealloc that was raised, and leaves a lowered one alone", function()
    local it <close> = cube "{ prealloc = 4 }"
    it.pools:alloc "Cube"
    spec.equal(it.pools:pool("Cube").total, 4)
    it.edit("pools/Cube.lua", class("Cube", "{ prealloc = 10 }"))
    spec.equal(it.pools:pool("Cube").total, 10)
    it.edit("pools/Cube.lua", class("Cube", "{ prealloc = 2 }"))
    spec.equal(it.pools:pool("Cube").total, 10)
  end)

  spec.test("adopts a generic pool when its file is new", function()
    local it <close> = projects.open {}
    spec.equal(#require("kit").warnings(function() it.pools:alloc "Cube" end), 1)
    it.edit("pools/Cube.lua", class("Cube", "{ limit = 2, fields = { hp = 7 } }"))
    local pool <const> = it.pools:pool "Cube"
    spec.equal({ pool.limit, pool.live }, { 2, 1 })
    for o in pool:each() do spec.equal(o.hp, 7) end
  end)
end)

spec.describe("classes that extend another", function()
  local BASE <const> = class("Base", "{ fields = { hp = 1 } }", "function Base:on_spawn(o) o.hp = o.hp + 1 end")
  local SUB <const> = class("Sub", "{ extends = 'Base' }")

  local function family()
    return projects.open { ["pools/Base.lua"] = BASE, ["pools/Sub.lua"] = SUB }
  end

  spec.test("follow another base", function()
    local it <close> = family()
    local a <const> = it.pools:alloc "Sub"
    it.save("pools/Other.lua", class("Other", "{ fields = { other = 4 } }"))
    it.edit("pools/Sub.lua", class("Sub", "{ extends = 'Other' }"))
    spec.equal(a.other, 4)
    spec.expect_error("Sub has no field 'hp'", function() return a.hp end)
    spec.equal(#it.pools:leaks {} > 0, true)
    local n = 0
    for _ in it.pools:each { class = "Base" } do n = n + 1 end
    spec.equal(n, 0)
  end)

  spec.test("are edited together with their base, whatever the order of their names", function()
    local it <close> = family()
    local a <const> = it.pools:alloc "Sub"
    it.edit {
      ["pools/Sub.lua"] = class("Sub", "{ extends = 'Base', fields = { hp = 100 } }",
        "function Sub:on_spawn(o) Sub.super.on_spawn(self, o) o.hp = -o.hp end"),
      ["pools/Base.lua"] = class("Base", "{}", "function Base:on_spawn(o) o.hp = o.hp + 5 end"),
    }
    spec.equal(a.hp, 2)
    spec.equal(it.pools:alloc("Sub").hp, -105)
  end)

  spec.test("swap places", function()
    local it <close> = family()
    local a <const>, b <const> = it.pools:alloc "Base", it.pools:alloc "Sub"
    it.edit {
      ["pools/Base.lua"] = class("Base", "{ extends = 'Sub' }"),
      ["pools/Sub.lua"] = class("Sub", "{ fields = { hp = 9 } }"),
    }
    spec.equal({ a.hp, b.hp }, { 2, 2 })
    spec.equal(it.pools:alloc("Base").hp, 9)
    it.edit { ["pools/Base.lua"] = BASE, ["pools/Sub.lua"] = SUB }
    spec.equal(it.pools:alloc("Sub").hp, 2)
  end)

  spec.test("cannot extend each other: both files are refused, and nothing changes", function()
    local it <close> = family()
    local a <const> = it.pools:alloc "Sub"
    local message <const> = it.refuse("pools/Base.lua", class("Base", "{ extends = 'Sub' }"))
    spec.equal(message:find("extends itself", 1, true) ~= nil, true)
    spec.equal({ a.hp, it.pools:alloc("Sub").hp }, { 2, 2 })
  end)
end)

spec.describe("a class file", function()
  spec.test("that declares another name is refused", function()
    local it <close> = cube "{ limit = 3 }"
    it.pools:alloc "Cube"
    local message <const> = it.refuse("pools/Cube.lua", class("Sphere", "{ limit = 9 }"))
    local words <const> = "Cube.lua:1: the file declares class 'Sphere', not class 'Cube'"
    spec.equal(message:find(words, 1, true) ~= nil, true, message)
    spec.equal(it.pools:pool("Cube").limit, 3)
    spec.equal(#require("kit").warnings(function() it.pools:pool "Sphere" end), 1)
  end)

  spec.test("that declares two classes is one of both, and may drop the other", function()
    local it <close> = projects.open {
      ["both.lua"] = [[
local spawnpool <const> = require "spawnpool"
local A <const> = spawnpool.class("A", { limit = 1 })
local B <const> = spawnpool.class("B", { limit = 2 })
return { A = A, B = B }]],
    }
    require "both"
    spec.equal({ it.pools:pool("A").limit, it.pools:pool("B").limit }, { 1, 2 })
    local said <const> = require("kit").warnings(function()
      it.edit("both.lua", [[
local spawnpool <const> = require "spawnpool"
local A <const> = spawnpool.class("A", { limit = 5 })
return { A = A }]])
    end)
    spec.equal(#said, 1)
    spec.equal(said[1]:find("class 'B' is no longer declared by", 1, true) ~= nil, true)
    spec.equal({ it.pools:pool("A").limit, it.pools:pool("B").limit }, { 5, 2 })
  end)

  spec.test("that is deleted keeps its last code, and comes back when it is made again", function()
    local it <close> = cube "{ limit = 3 }"
    it.pools:alloc "Cube"
    os.remove(it.folder .. "/pools/Cube.lua")
    local result <const> = reload.now()
    spec.equal({ result.ok, result.line }, { true, "pools/Cube.lua is gone: its last code stays" })
    spec.equal(it.pools:alloc("Cube").alive, true)
    it.save("pools/Cube.lua", class("Cube", "{ limit = 3 }"))
    reload.now()
    spec.equal(it.pools:pool("Cube").limit, 3)
    it.edit("pools/Cube.lua", "limit = 3", "limit = 4")
    spec.equal(it.pools:pool("Cube").limit, 4)
  end)

  spec.test("whose first load failed appears as soon as it is mended", function()
    local it <close> = projects.open { ["pools/Cube.lua"] = "local x = = 1" }
    spec.expect_error("Cube.lua:1: unexpected symbol", it.pools.alloc, it.pools, "Cube")
    it.edit("pools/Cube.lua", class("Cube", "{ limit = 1 }"))
    spec.equal(it.pools:alloc("Cube").alive, true)
    spec.equal({ it.pools:alloc "Cube" }, { nil, "full" })
  end)
end)

spec.describe("a class that is renamed", function()
  local BODY <const> = [[
C.methods = { hit = function(self) self.hp = self.hp - 1 return self.hp end }
function C:on_spawn(o) o.hp = 6 end
function C:update(dt) for o in self:each() do o.x = o.x + %d end end
]]
  local FORMS <const> = {
    "local M = {}\nM.Class = require('spawnpool').class('%s', { fields = { hp = 5 } })\nlocal C = M.Class\nBODY\n"
      .. "return M",
    "local C = require('spawnpool').class('%s', { fields = { hp = 5 } })\nBODY\nreturn C",
    "local C <const> = require('spawnpool').class('%s', { fields = { hp = 5 } })\nBODY\n"
      .. "return { get = function() return C end }",
    "C = require('spawnpool').class('%s', { fields = { hp = 5 } })\nBODY\nreturn {}",
  }
  for i, form in ipairs(FORMS) do
    local function module(name, step)
      return (form:format(name):gsub("BODY", function() return BODY:format(step) end))
    end
    spec.test("in a module: objects keep the code of their type, new ones are of the new type, form " .. i, function()
      local it <close> = projects.open { ["kinds.lua"] = module("Orc", 1) }
      require "kinds"
      local old <const> = it.pools:alloc "Orc"
      it.pools:update(1 / 64)
      spec.equal({ old.hp, old:hit(), old.x }, { 6, 5, 1 })
      it.edit("kinds.lua", module("Elf", 10))
      local new <const> = it.pools:alloc "Elf"
      it.pools:update(1 / 64)
      spec.equal({ old.type, old.alive, old:hit(), old.x }, { "Orc", true, 4, 2 }, "the old one")
      spec.equal({ new.type, new.hp, new:hit(), new.x }, { "Elf", 6, 5, 10 }, "the new one")
      it.edit("kinds.lua", module("Elf", 20))
      it.pools:update(1 / 64)
      spec.equal({ old:hit(), old.x, new:hit(), new.x, it.pools:alloc("Orc").hp }, { 3, 3, 4, 30, 6 },
        "after one more edit")
      it.edit("kinds.lua", module("Orc", 100))
      it.pools:update(1 / 64)
      spec.equal({ old:hit(), old.x, new:hit(), new.x, it.pools:pool("Orc").live }, { 2, 103, 3, 50, 2 },
        "with its name again")
    end)
  end

  spec.test("and two that change names", function()
    local function both(a, b)
      return ("local spawnpool <const> = require 'spawnpool'\n"
        .. "local A = spawnpool.class('%s', { fields = { who = 'a' } })\n"
        .. "local B = spawnpool.class('%s', { fields = { who = 'b' } })\nreturn { A = A, B = B }"):format(a, b)
    end
    local it <close> = projects.open { ["kinds.lua"] = both("One", "Two") }
    require "kinds"
    local one <const>, two <const> = it.pools:alloc "One", it.pools:alloc "Two"
    it.edit("kinds.lua", both("Two", "One"))
    spec.equal({ one.type, two.type, it.pools:alloc("One").who, it.pools:alloc("Two").who }, { "One", "Two", "b", "a" })
    spec.equal({ one.alive, two.alive, it.pools:pool("One").live, it.pools:pool("Two").live }, { true, true, 2, 2 })
  end)
end)

spec.describe("objects that a file allocates as it runs", function()
  local HOLDER <const> = [[
local spawnpool <const> = require "spawnpool"
local pools <const> = spawnpool.pools
local M <const> = {}
local player = pools:alloc("Thing", 0, 1, 2)
function M.player() return player end
return M]]

  spec.test("stay the same in the locals of before, and no second one is left over", function()
    local it <close> = projects.open { ["holder.lua"] = HOLDER }
    spawnpool.class "Thing"
    local holder <const> = require "holder"
    local player <const> = holder.player()
    it.edit("holder.lua", "1, 2)", "3, 4)")
    spec.equal({ holder.player() == player, player.x, spawnpool.pools:pool("Thing").live }, { true, 1.0, 1 })
  end)

  spec.test("stay when the local is new", function()
    local it <close> = projects.open { ["holder.lua"] = HOLDER }
    spawnpool.class "Thing"
    local holder <const> = require "holder"
    it.edit("holder.lua", "function M.player() return player end",
      "local second = pools:alloc('Thing')\nfunction M.player() return player, second end")
    local player <const>, second <const> = holder.player()
    spec.equal({ player.alive, second.alive, spawnpool.pools:pool("Thing").live }, { true, true, 2 })
  end)

  spec.test("go when the reload is refused", function()
    local it <close> = projects.open { ["holder.lua"] = HOLDER }
    spawnpool.class "Thing"
    require "holder"
    it.refuse("holder.lua", "return M", "local more = pools:alloc('Thing')\nerror 'no'")
    spec.equal(spawnpool.pools:pool("Thing").live, 1)
  end)
end)
