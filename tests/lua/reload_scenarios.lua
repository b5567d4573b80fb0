-- The expectations of an author of a reload, as 24 scenarios for any reloader of Lua modules: the files of a small game
-- and steps, which reload_kit.lua explains. Plain Lua modules only. A reload that does nothing at all
-- fails them all: an edit that is good is always seen, and one that is bad is always reported. A step keeps a module in
-- a variable (`old`) where holding it is the point; elsewhere its name is looked up anew.
local scenarios <const> = {}

local function scenario(name, modules, files, steps)
  scenarios[#scenarios + 1] = { name = name, modules = modules, files = files, steps = steps }
end

-- {== Functions ===============================================================

local function shapes(factor, more)
  return ([[
    local shapes = {}
    function shapes.area(r) return %d * r end
    %s
    return shapes]]):format(factor, more or "")
end

local EDGE <const> = "function shapes.edge(r) return 2 * r end"

scenario("a changed function is seen through the module", "shapes", { shapes = shapes(3) }, {
  "old = shapes", "? old.area(2) == 6",
  { shapes = shapes(4, EDGE) }, "? old.area(2) == 8 and old.edge(2) == 4", "? shapes == old",
})

scenario("a changed method is seen by live objects", "cube", { cube = [[
  local Cube = {}
  Cube.__index = Cube
  function Cube.new(side) return setmetatable({ side = side }, Cube) end
  function Cube:size() return self.side end
  return Cube]] }, {
  "live = cube.new(3)", "? live:size() == 3",
  { "cube", "self.side", "self.side ^ 3 // 1 | 0",
    "return Cube", "function Cube:double() return 2 * self:size() end return Cube" },
  "? live:size() == 27 and live:double() == 54",
})

scenario("a function that another module keeps in a local is the new one", "main", { shapes = shapes(3), main = [[
  local area <const> = require("shapes").area
  local main = {}
  function main.total() return area(1) + area(2) end
  return main]] }, {
  "old = main", "? old.total() == 9",
  { shapes = shapes(4) }, "? old.total() == 12",
})

-- No module can be run again to bring this about: the reloader has to find the local of a running function.
scenario("a function that a running function keeps in a local is the new one", "shapes", { shapes = shapes(3) }, {
  { shapes = shapes(4), during = [[
    local area = shapes.area
    assert(area(2) == 6)
    edit()
    if area(2) ~= 8 then error "area" end]] },
})

scenario("a deleted function is gone", "shapes", { shapes = shapes(3, "shapes.sides = 4 " .. EDGE) }, {
  "old = shapes",
  { shapes = shapes(3) }, "? old.edge == nil and old.sides == nil and old.area(2) == 6",
})

scenario("file-local functions, a changed one and a new one, are called by a function that was there before",
  "shapes", { shapes = [[
    local shapes = {}
    local function square(x) return x + x end
    function shapes.area(r) return square(r) end
    function shapes.twice(r) return 2 * square(r) end
    return shapes]] }, {
  "? shapes.area(6) == 12",
  { "shapes", "local function", "local function third(x) return x // 3 end local function", "x + x", "x * x",
    "return square(r)", "return third(square(r))" },
  "? shapes.area(6) == 12 and shapes.area(9) == 27 and shapes.twice(6) == 72",
})

-- A suspended coroutine is in the middle of its old function: the new one has no place that corresponds, so it cannot
-- change under way in any tool. That it is not lost, and that the next one is new, is what can be asked for.
scenario("a suspended coroutine finishes on the old code, the next one runs the new", "walk", { walk = [[
  local walk = {}
  function walk.run()
    coroutine.yield "old 1"
    coroutine.yield "old 2"
    return "old end"
  end
  return walk]] }, {
  "old = coroutine.wrap(walk.run)", "? old() == 'old 1'",
  { "walk", '"old 1"', '"new 1"', 'coroutine.yield "old 2"', "", '"old end"', '"new end"' },
  "? old() == 'old 2'", "new = coroutine.wrap(walk.run)",
  "? new() == 'new 1'", "? old() == 'old end'", "? new() == 'new end'",
})

-- }==

-- {== Values ==================================================================

scenario("a file-local counter keeps its value, and the functions that share it go on sharing it", "score", { score = [[
  local score = {}
  local count = 0
  function score.bump() count = count + 1 end
  function score.text() return "count " .. count end
  return score]] }, {
  "old = score", "old.bump() old.bump()", "? old.text() == 'count 2'",
  { "score", "+ 1", "+ 10", '"count "', '"score "',
    "return score", "function score.clear() count = 0 end return score" },
  "? old.text() == 'score 2'", "old.bump()", "? old.text() == 'score 12'", "old.clear()", "? old.text() == 'score 0'",
})

scenario("a file-local table keeps what the game put into it", "bag", { bag = [[
  local bag = {}
  local things = {}
  function bag.put(thing) things[#things + 1] = thing end
  function bag.list() return things end
  return bag]] }, {
  "old = bag", "old.put 'stick' old.put 'stone' list = old.list()",
  { "bag", "things[#things + 1] = thing", "table.insert(things, 1, thing)" },
  "? table.concat(old.list(), ' ') == 'stick stone'",
  "old.put 'rope'", "? table.concat(old.list(), ' ') == 'rope stick stone'", "? old.list() == list",
})

scenario("an edited file-local constant is applied", "ball", { ball = [[
  local ball = {}
  local speed = 10
  local weight <const> = 2
  function ball.force() return speed * weight end
  return ball]] }, {
  "? ball.force() == 20", { "ball", "10", "30" }, "? ball.force() == 60", { "ball", "2", "5" }, "? ball.force() == 150",
})

local SETTINGS <const> = [[
  local settings = { speed = 10, lives = 3, keys = { jump = "space", fire = "x" } }
  function settings.text() return settings.speed .. " " .. settings.lives .. " " .. settings.keys.fire end
  return settings]]

scenario("an edited default in a table is applied", "settings", { settings = SETTINGS }, {
  "old = settings keys = old.keys",
  { settings = SETTINGS:gsub("10", "25"):gsub('"x"', '"ctrl"') },
  "? old.text() == '25 3 ctrl'", "? keys.fire == 'ctrl' and keys.jump == 'space'",
})

scenario("a value set while the game runs is kept where the author did not edit it", "settings",
  { settings = SETTINGS }, {
  "old = settings", "old.lives, old.keys.fire, old.keys.duck = 1, 'mouse', 'c'",
  { settings = SETTINGS:gsub("10", "25"):gsub('" "', '"/"') }, "? old.text() == '25/1/mouse' and old.keys.duck == 'c'",
})

scenario("a new sub-table arrives in the module", "sounds", { sounds = [[
  local sounds = {}
  function sounds.volume() return 1 end
  return sounds]] }, {
  "old = sounds",
  { "sounds", "{}", '{ effects = { jump = { file = "boing.ogg", gain = 3 } } }', "1", "sounds.effects.jump.gain" },
  "? old.volume() == 3 and old.effects.jump.file == 'boing.ogg'",
})

-- }==

-- {== Objects =================================================================

-- The class is a local of its file: nobody outside can reach it but through the objects.
local function cubes(size)
  return { cubes = ([[
    local Cube = {}
    Cube.__index = Cube
    function Cube:size() return %s end
    local cubes = {}
    function cubes.new(side) return setmetatable({ side = side }, Cube) end
    return cubes]]):format(size) }
end

scenario("an object made after the reload has the class of one made before", "cubes", cubes "self.side", {
  "make = cubes old = make.new(3)",
  cubes "self.side + 100", "new = make.new(4)",
  "? getmetatable(new) == getmetatable(old)", "? old:size() == 103 and new:size() == 104",
})

scenario("objects made before and after a reload both get the next one", "cubes", cubes "self.side", {
  "make = cubes first = make.new(3)",
  cubes "self.side + 100", "second = make.new(4)",
  cubes "self.side + 200", "? first:size() == 203 and second:size() == 204",
})

scenario("a subclass in another file sees the edit of its base", "drone", { base = [[
  local Base = {}
  Base.__index = Base
  function Base:hit() return "base hit" end
  return Base]], drone = [[
  local Base <const> = require "base"
  local Drone = setmetatable({}, { __index = Base })
  Drone.__index = Drone
  function Drone.new() return setmetatable({}, Drone) end
  function Drone:act() return "drone, " .. self:hit() end
  return Drone]] }, {
  "Drone = drone old = Drone.new()", "? old:act() == 'drone, base hit'",
  { "base", '"base hit"', '"base " .. self:force()',
    "return Base", 'function Base:force() return "hits hard" end return Base' },
  "? old:act() == 'drone, base hits hard' and Drone.new():act() == old:act()", "? getmetatable(old) == Drone",
})

-- }==

-- {== Other modules ===========================================================

scenario("the edited module may require a module that is new", "shapes", { shapes = shapes(3) }, {
  "? shapes.area(5) == 15",
  {
    maths = "return { square = function(x) return x * x end }",
    shapes = [[
      local maths <const> = require "maths"
      local shapes = {}
      function shapes.area(r) return maths.square(r) end
      return shapes]],
  },
  "? shapes.area(5) == 25 and require('maths').square(3) == 9",
})

local function handler(says)
  return ([[
    local events <const> = require "events"
    events.handlers[#events.handlers + 1] = function() return "%s" end
    return {}]]):format(says)
end

scenario("a handler that a file appends to another module's list runs once, and is the new one", "events sound light", {
  events = [[
    local events = { handlers = {} }
    function events.fire()
      local said = {}
      for _, handler in ipairs(events.handlers) do said[#said + 1] = handler() end
      return table.concat(said, " ")
    end
    return events]],
  sound = handler "old", light = handler "light",
}, {
  "fire = events.fire", "? fire() == 'old light'",
  { sound = handler "new" }, "said = fire()", "? said == 'new light' or said == 'light new'",
})

-- }==

-- {== Edits that must be refused ==============================================

scenario("an error half-way leaves the globals as they were", "shapes", { shapes = [[
    high_score = { best = 10 }
    level = 3
    ]] .. shapes(3) }, {
  "old = shapes high = high_score _G.level = 7",
  { shapes = [[
    high_score = { best = 0 }
    level = 1
    cheats = true
    local shapes = {}
    function shapes.area(r) return 4 * r end
    error "not finished"]] },
  "! shapes.lua:6", "? level == 7 and cheats == nil", "? high_score == high and high.best == 10", "? old.area(2) == 6",
})

scenario("an error half-way leaves the tables of other modules as they were", "registry shapes", {
  registry = "return { limit = 5, names = { 'first' }, owner = { id = 1 } }",
  shapes = [[
    local registry <const> = require "registry"
    local shapes = {}
    function shapes.area(r) return registry.limit * r end
    return shapes]],
}, {
  "old = shapes list = registry",
  { shapes = [[
    local registry <const> = require "registry"
    registry.limit = 100
    registry.names[#registry.names + 1] = "second"
    registry.owner.id = nil
    registry.extra = {}
    error "not finished"]] },
  "! shapes.lua:6", "? list.limit == 5 and list.owner.id == 1 and list.extra == nil",
  "? table.concat(list.names, ' ') == 'first'", "? old.area(2) == 10",
})

scenario("a syntax error in one of two saved files changes neither", "colors shapes", {
  colors = "return { red = function() return 1 end }", shapes = shapes(3),
}, {
  "old, red = shapes, colors",
  { colors = "return { red = function() return 2 end }", shapes = "return { area = function(r) return 4 * r }" },
  "! shapes.lua:1", "? red.red() == 1 and old.area(2) == 6", "? require 'colors' == red and require 'shapes' == old",
})

scenario("an endless loop at file scope stops; the previous version still runs", "shapes", { shapes = shapes(3) }, {
  "old = shapes",
  { shapes = [[
    local turns = 0
    while true do turns = turns + 1 end
    return { area = function(r) return 4 * r end }]] },
  "! shapes.lua:2", "? old.area(2) == 6",
})

scenario("a module that returns nothing any more is refused", "shapes", { shapes = shapes(3) }, {
  "old = shapes",
  { shapes = shapes(4):gsub("return shapes$", "") },
  "! shapes.lua", "? old.area(2) == 6", "? require 'shapes' == old",
})

scenario("a circle of requires is refused with a message", "south", {
  north = "return { name = function() return 'north' end }",
  south = [[
    local north <const> = require "north"
    return { name = function() return north.name() .. ", south" end }]],
}, {
  "old = south",
  { north = [[
    local south <const> = require "south"
    return { name = function() return "north of " .. south.name() end }]] },
  "! north", "? old.name() == 'north, south'", "? require('north').name() == 'north'",
})

-- }==

assert(#scenarios == 24, "24 scenarios are what reloaders are compared by")

return scenarios
