-- What an author expects of a reload, as 24 scenarios that any reloader of Lua modules can be put through: the files of
-- a small game, an edit (or a list of edits, one reload each), and a `play` that raises when the reload did not do what
-- the name says. Plain Lua modules only; reload_world.lua says what `world` is. Here are the edits that go through,
-- reload_refused.lua has those that must not. A reload that does nothing at all fails them all: an edit that is good is
-- always seen, and one that is bad is always reported. A module is asked for anew where holding it is not the point.
local worlds <const> = require "reload_world"

local same <const>, accept <const> = worlds.same, worlds.accept
local scenarios <const> = {}

local function scenario(it)
  scenarios[#scenarios + 1] = it
end

-- {== Functions ===============================================================

scenario {
  name = "a changed function is seen through the module",
  files = { ["shapes.lua"] = [[
    local shapes = {}
    function shapes.area(r) return 3 * r end
    return shapes]] },
  edit = { ["shapes.lua"] = [[
    local shapes = {}
    function shapes.area(r) return 4 * r end
    function shapes.edge(r) return 2 * r end
    return shapes]] },
  play = function(world)
    local shapes <const> = world.require "shapes"
    same(shapes.area(2), 6, "area before")
    accept(world)
    same(shapes.area(2), 8, "area")
    same(shapes.edge(2), 4, "the new function")
    same(world.require "shapes", shapes, "what require gives")
  end,
}

scenario {
  name = "a changed method is seen by live objects",
  files = { ["cube.lua"] = [[
    local Cube = {}
    Cube.__index = Cube
    function Cube.new(side) return setmetatable({ side = side }, Cube) end
    function Cube:size() return self.side end
    return Cube]] },
  edit = { ["cube.lua"] = [[
    local Cube = {}
    Cube.__index = Cube
    function Cube.new(side) return setmetatable({ side = side }, Cube) end
    function Cube:size() return self.side ^ 3 // 1 | 0 end
    function Cube:double() return 2 * self:size() end
    return Cube]] },
  play = function(world)
    local cube <const> = world.require("cube").new(3)
    same(cube:size(), 3, "size before")
    accept(world)
    same(cube:size(), 27, "size")
    same(cube:double(), 54, "the new method")
  end,
}

scenario {
  name = "a function that another module keeps in a local is the new one",
  files = {
    ["shapes.lua"] = [[
      local shapes = {}
      function shapes.area(r) return 3 * r end
      return shapes]],
    ["main.lua"] = [[
      local area <const> = require("shapes").area
      local main = {}
      function main.total() return area(1) + area(2) end
      return main]],
  },
  edit = { ["shapes.lua"] = [[
    local shapes = {}
    function shapes.area(r) return 4 * r end
    return shapes]] },
  play = function(world)
    local main <const> = world.require "main"
    same(main.total(), 9, "total before")
    accept(world)
    same(main.total(), 12, "total")
  end,
}

-- No module can be run again to bring this about: the reloader has to find the local of a running function.
scenario {
  name = "a function that a running function keeps in a local is the new one",
  files = { ["shapes.lua"] = [[
    local shapes = {}
    function shapes.area(r) return 3 * r end
    return shapes]] },
  edit = { ["shapes.lua"] = [[
    local shapes = {}
    function shapes.area(r) return 4 * r end
    return shapes]] },
  play = function(world)
    local area = world.require("shapes").area
    same(area(2), 6, "area before")
    accept(world)
    same(area(2), 8, "area")
  end,
}

scenario {
  name = "a deleted function is gone",
  files = { ["shapes.lua"] = [[
    local shapes = { sides = 4 }
    function shapes.area(r) return 3 * r end
    function shapes.edge(r) return 2 * r end
    return shapes]] },
  edit = { ["shapes.lua"] = [[
    local shapes = {}
    function shapes.area(r) return 3 * r end
    return shapes]] },
  play = function(world)
    local shapes <const> = world.require "shapes"
    accept(world)
    same(shapes.edge, nil, "the deleted function")
    same(shapes.sides, nil, "the deleted value")
    same(shapes.area(2), 6, "area")
  end,
}

scenario {
  name = "file-local functions, a changed one and a new one, are called by a function that was there before",
  files = { ["shapes.lua"] = [[
    local shapes = {}
    local function square(x) return x + x end
    function shapes.area(r) return square(r) end
    function shapes.twice(r) return 2 * square(r) end
    return shapes]] },
  edit = { ["shapes.lua"] = [[
    local shapes = {}
    local function third(x) return x // 3 end
    local function square(x) return x * x end
    function shapes.area(r) return third(square(r)) end
    function shapes.twice(r) return 2 * square(r) end
    return shapes]] },
  play = function(world)
    same(world.require("shapes").area(6), 12, "area before")
    accept(world)
    local shapes <const> = world.require "shapes"
    same(shapes.area(6), 12, "area by the new helper")
    same(shapes.area(9), 27, "area by the new helper")
    same(shapes.twice(6), 72, "twice, by the changed helper")
  end,
}

-- A suspended coroutine is in the middle of its old function: the new one has no place that corresponds, so it cannot
-- change under way in any tool. That it is not lost, and that the next one is new, is what can be asked for.
scenario {
  name = "a suspended coroutine finishes on the old code, the next one runs the new",
  files = { ["walk.lua"] = [[
    local walk = {}
    function walk.run()
      coroutine.yield "old 1"
      coroutine.yield "old 2"
      return "old end"
    end
    return walk]] },
  edit = { ["walk.lua"] = [[
    local walk = {}
    function walk.run()
      coroutine.yield "new 1"
      return "new end"
    end
    return walk]] },
  play = function(world)
    local old <const> = coroutine.wrap(world.require("walk").run)
    same(old(), "old 1", "first step")
    accept(world)
    same(old(), "old 2", "second step")
    local new <const> = coroutine.wrap(world.require("walk").run)
    same(new(), "new 1", "first step of the next one")
    same(old(), "old end", "end")
    same(new(), "new end", "end of the next one")
  end,
}

-- }==

-- {== Values ==================================================================

scenario {
  name = "a file-local counter keeps its value, and the functions that share it go on sharing it",
  files = { ["score.lua"] = [[
    local score = {}
    local count = 0
    function score.bump() count = count + 1 end
    function score.text() return "count " .. count end
    return score]] },
  edit = { ["score.lua"] = [[
    local score = {}
    local count = 0
    function score.bump() count = count + 10 end
    function score.text() return "score " .. count end
    function score.clear() count = 0 end
    return score]] },
  play = function(world)
    local score <const> = world.require "score"
    score.bump()
    score.bump()
    same(score.text(), "count 2", "text before")
    accept(world)
    same(score.text(), "score 2", "text")
    score.bump()
    same(score.text(), "score 12", "text after the new bump")
    score.clear()
    same(score.text(), "score 0", "text after the added function")
  end,
}

scenario {
  name = "a file-local table keeps what the game put into it",
  files = { ["bag.lua"] = [[
    local bag = {}
    local things = {}
    function bag.put(thing) things[#things + 1] = thing end
    function bag.list() return things end
    return bag]] },
  edit = { ["bag.lua"] = [[
    local bag = {}
    local things = {}
    function bag.put(thing) table.insert(things, 1, thing) end
    function bag.list() return things end
    return bag]] },
  play = function(world)
    local bag <const> = world.require "bag"
    bag.put "stick"
    bag.put "stone"
    local list <const> = bag.list()
    accept(world)
    same(table.concat(bag.list(), " "), "stick stone", "the things")
    bag.put "rope"
    same(table.concat(bag.list(), " "), "rope stick stone", "the things, put by the new code")
    same(bag.list(), list, "the table itself")
  end,
}

scenario {
  name = "an edited file-local constant is applied",
  files = { ["ball.lua"] = [[
    local ball = {}
    local speed = 10
    local weight <const> = 2
    function ball.force() return speed * weight end
    return ball]] },
  edit = { { ["ball.lua"] = [[
    local ball = {}
    local speed = 30
    local weight <const> = 2
    function ball.force() return speed * weight end
    return ball]] }, { ["ball.lua"] = [[
    local ball = {}
    local speed = 30
    local weight <const> = 5
    function ball.force() return speed * weight end
    return ball]] } },
  play = function(world)
    same(world.require("ball").force(), 20, "force before")
    accept(world)
    same(world.require("ball").force(), 60, "force with the edited local")
    accept(world)
    same(world.require("ball").force(), 150, "force with the edited constant")
  end,
}

local SETTINGS <const> = [[
  local settings = { speed = 10, lives = 3, keys = { jump = "space", fire = "x" } }
  function settings.text() return settings.speed .. " " .. settings.lives .. " " .. settings.keys.fire end
  return settings]]

scenario {
  name = "an edited default in a table is applied",
  files = { ["settings.lua"] = SETTINGS },
  edit = { ["settings.lua"] = (SETTINGS:gsub("10", "25"):gsub('"x"', '"ctrl"')) },
  play = function(world)
    local settings <const> = world.require "settings"
    local keys <const> = settings.keys
    accept(world)
    same(settings.text(), "25 3 ctrl", "text")
    same(keys.fire, "ctrl", "the entry of the inner table")
    same(keys.jump, "space", "its neighbour")
  end,
}

scenario {
  name = "a value set while the game runs is kept where the author did not edit it",
  files = { ["settings.lua"] = SETTINGS },
  edit = { ["settings.lua"] = (SETTINGS:gsub("10", "25"):gsub('" "', '"/"')) },
  play = function(world)
    local settings <const> = world.require "settings"
    settings.lives, settings.keys.fire, settings.keys.duck = 1, "mouse", "c"
    accept(world)
    same(settings.text(), "25/1/mouse", "text")
    same(settings.keys.duck, "c", "the entry that the game added")
  end,
}

scenario {
  name = "a new sub-table arrives in the module",
  files = { ["sounds.lua"] = [[
    local sounds = {}
    function sounds.volume() return 1 end
    return sounds]] },
  edit = { ["sounds.lua"] = [[
    local sounds = { effects = { jump = { file = "boing.ogg", gain = 3 } } }
    function sounds.volume() return sounds.effects.jump.gain end
    return sounds]] },
  play = function(world)
    local sounds <const> = world.require "sounds"
    accept(world)
    same(sounds.volume(), 3, "volume")
    same(sounds.effects.jump.file, "boing.ogg", "the new entry")
  end,
}

-- }==

-- {== Objects =================================================================

-- The class is a local of its file: nobody outside can reach it but through the objects.
local function cubes(size)
  return ([[
    local Cube = {}
    Cube.__index = Cube
    function Cube:size() return %s end
    local cubes = {}
    function cubes.new(side) return setmetatable({ side = side }, Cube) end
    return cubes]]):format(size)
end

scenario {
  name = "an object made after the reload has the class of one made before",
  files = { ["cubes.lua"] = cubes "self.side" },
  edit = { ["cubes.lua"] = cubes "self.side + 100" },
  play = function(world)
    local cubes_module <const> = world.require "cubes"
    local old <const> = cubes_module.new(3)
    accept(world)
    local new <const> = cubes_module.new(4)
    same(getmetatable(new), getmetatable(old), "the class of the new object")
    same(old:size(), 103, "size of the old object")
    same(new:size(), 104, "size of the new object")
  end,
}

scenario {
  name = "objects made before and after a reload both get the next one",
  files = { ["cubes.lua"] = cubes "self.side" },
  edit = { { ["cubes.lua"] = cubes "self.side + 100" }, { ["cubes.lua"] = cubes "self.side + 200" } },
  play = function(world)
    local cubes_module <const> = world.require "cubes"
    local first <const> = cubes_module.new(3)
    accept(world)
    local second <const> = cubes_module.new(4)
    accept(world)
    same(first:size(), 203, "size of the first object")
    same(second:size(), 204, "size of the second object")
  end,
}

scenario {
  name = "a subclass in another file sees the edit of its base",
  files = {
    ["base.lua"] = [[
      local Base = {}
      Base.__index = Base
      function Base:hit() return "base hit" end
      return Base]],
    ["drone.lua"] = [[
      local Base <const> = require "base"
      local Drone = setmetatable({}, { __index = Base })
      Drone.__index = Drone
      function Drone.new() return setmetatable({}, Drone) end
      function Drone:act() return "drone, " .. self:hit() end
      return Drone]],
  },
  edit = { ["base.lua"] = [[
    local Base = {}
    Base.__index = Base
    function Base:hit() return "base " .. self:force() end
    function Base:force() return "hits hard" end
    return Base]] },
  play = function(world)
    local Drone <const> = world.require "drone"
    local old <const> = Drone.new()
    same(old:act(), "drone, base hit", "what it does before")
    accept(world)
    same(old:act(), "drone, base hits hard", "what the old object does")
    same(Drone.new():act(), "drone, base hits hard", "what a new object does")
    same(getmetatable(old), Drone, "the class of the old object")
  end,
}

-- }==

-- {== Other modules ===========================================================

scenario {
  name = "the edited module may require a module that is new",
  files = { ["shapes.lua"] = [[
    local shapes = {}
    function shapes.area(r) return 3 * r end
    return shapes]] },
  edit = {
    ["maths.lua"] = "return { square = function(x) return x * x end }",
    ["shapes.lua"] = [[
      local maths <const> = require "maths"
      local shapes = {}
      function shapes.area(r) return maths.square(r) end
      return shapes]],
  },
  play = function(world)
    same(world.require("shapes").area(5), 15, "area before")
    accept(world)
    same(world.require("shapes").area(5), 25, "area")
    same(world.require("maths").square(3), 9, "the new module")
  end,
}

local EVENTS <const> = [[
  local events = { handlers = {} }
  function events.fire()
    local said = {}
    for _, handler in ipairs(events.handlers) do said[#said + 1] = handler() end
    return table.concat(said, " ")
  end
  return events]]

scenario {
  name = "a handler that a file appends to another module's list runs once, and is the new one",
  files = {
    ["events.lua"] = EVENTS,
    ["sound.lua"] = [[
      local events <const> = require "events"
      events.handlers[#events.handlers + 1] = function() return "old" end
      return {}]],
    ["light.lua"] = [[
      local events <const> = require "events"
      events.handlers[#events.handlers + 1] = function() return "light" end
      return {}]],
  },
  edit = { ["sound.lua"] = [[
    local events <const> = require "events"
    events.handlers[#events.handlers + 1] = function() return "new" end
    return {}]] },
  play = function(world)
    local events <const> = world.require "events"
    world.require "sound"
    world.require "light"
    same(events.fire(), "old light", "what is said before")
    accept(world)
    local said <const> = events.fire()
    if said ~= "new light" and said ~= "light new" then same(said, "new light", "what is said") end
  end,
}

-- }==

for _, it in ipairs(require "reload_refused") do scenario(it) end
assert(#scenarios == 24, "24 scenarios are what reloaders are compared by")

return scenarios
