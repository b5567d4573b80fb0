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

  spec.test("counts the objects that the edit changes something for", function()
    local text = [[
      local util = require "counted_util"
      local spawnpool = require "spawnpool"
      local EVERY <const> = 2
      local Base = spawnpool.class("CountedBase", { radius = 3, fields = { hp = 1, speed = spawnpool.live(3) } })
      local Other = spawnpool.class "CountedOther"
      function Base:update() return EVERY, util.f() end
      return Base]]
    local util <const> = "local M = {}\nfunction M.f() return 1 end\nreturn M"
    local it <close> = projects.open {
      ["counted_util.lua"] = util, ["pools/CountedBase.lua"] = text,
      ["pools/CountedMore.lua"] = class("CountedMore", '{ extends = "CountedBase" }'),
    }
    for count, type in ipairs { "CountedBase", "CountedMore", "CountedOther" } do
      for _ = 0, count do it.pools:alloc(type) end -- 2, 3 and 4
    end
    local function expect(objects, from, to)
      text = text:gsub(from, to, 1)
      local result <const> = it.edit("pools/CountedBase.lua", text)
      local line <const> = objects > 0 and objects .. " live objects run it, all 9 objects kept" or "all 9 objects kept"
      spec.equal({ result.objects, result.line:match "; ([^;]*kept)" }, { objects, line })
    end
    expect(0, "return Base", "return Base -- a comment")
    expect(0, "hp = 1", "hp = 2")
    expect(0, "radius = 3", "radius = 4")
    expect(5, "hp = 2", "hp = true") -- live objects have the new kind
    expect(5, "live%(3%)", "live(4)")
    expect(5, "EVERY, util", "EVERY + 1, util")
    expect(4, '"CountedOther"', '("CountedOther", { limit = 9 })')
    expect(9, "EVERY <const> = 2", "EVERY <const> = 3") -- a variable of the file: any class in it may use that
    local used <const> = it.edit("counted_util.lua", (util:gsub("1", "2")))
    spec.equal(used.objects, 9)
    spec.equal(it.edit("counted_util.lua", (util:gsub("1", "2")) .. " -- a comment").objects, 0)
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
