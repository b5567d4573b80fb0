-- The scenarios of reload_scenarios.lua whose edit must be refused: with a message that names the file, and with
-- everything as it was before.
local worlds <const> = require "reload_world"

local same <const>, refuse <const> = worlds.same, worlds.refuse
local scenarios <const> = {}

local function scenario(it)
  scenarios[#scenarios + 1] = it
end

scenario {
  name = "an error half-way leaves the globals as they were",
  files = { ["shapes.lua"] = [[
    high_score = { best = 10 }
    level = 3
    local shapes = {}
    function shapes.area(r) return 3 * r end
    return shapes]] },
  edit = { ["shapes.lua"] = [[
    high_score = { best = 0 }
    level = 1
    cheats = true
    local shapes = {}
    function shapes.area(r) return 4 * r end
    error "not finished"]] },
  play = function(world)
    local shapes <const> = world.require "shapes"
    local high_score <const> = _G.high_score
    _G.level = 7
    refuse(world, "shapes.lua:6")
    same(_G.level, 7, "level")
    same(_G.cheats, nil, "cheats")
    same(_G.high_score, high_score, "the global table")
    same(high_score.best, 10, "what is in it")
    same(shapes.area(2), 6, "area")
  end,
}

scenario {
  name = "an error half-way leaves the tables of other modules as they were",
  files = {
    ["registry.lua"] = "return { limit = 5, names = { 'first' }, owner = { id = 1 } }",
    ["shapes.lua"] = [[
      local registry <const> = require "registry"
      local shapes = {}
      function shapes.area(r) return registry.limit * r end
      return shapes]],
  },
  edit = { ["shapes.lua"] = [[
    local registry <const> = require "registry"
    registry.limit = 100
    registry.names[#registry.names + 1] = "second"
    registry.owner.id = nil
    registry.extra = {}
    error "not finished"]] },
  play = function(world)
    local registry <const>, shapes <const> = world.require "registry", world.require "shapes"
    refuse(world, "shapes.lua:6")
    same(registry.limit, 5, "limit")
    same(table.concat(registry.names, " "), "first", "the names")
    same(registry.owner.id, 1, "the id of the owner")
    same(registry.extra, nil, "the entry that the edit added")
    same(shapes.area(2), 10, "area")
  end,
}

scenario {
  name = "a syntax error in one of two saved files changes neither",
  files = {
    ["colors.lua"] = "return { red = function() return 1 end }",
    ["shapes.lua"] = "return { area = function(r) return 3 * r end }",
  },
  edit = {
    ["colors.lua"] = "return { red = function() return 2 end }",
    ["shapes.lua"] = "return { area = function(r) return 4 * r }",
  },
  play = function(world)
    local colors <const>, shapes <const> = world.require "colors", world.require "shapes"
    refuse(world, "shapes.lua:1")
    same(colors.red(), 1, "red")
    same(shapes.area(2), 6, "area")
    same(world.require "colors", colors, "what require gives for the good file")
    same(world.require "shapes", shapes, "what require gives for the broken file")
  end,
}

scenario {
  name = "a loop without end at file scope is stopped, and the old code goes on",
  files = { ["shapes.lua"] = "return { area = function(r) return 3 * r end }" },
  edit = { ["shapes.lua"] = [[
    local turns = 0
    while true do turns = turns + 1 end
    return { area = function(r) return 4 * r end }]] },
  play = function(world)
    local shapes <const> = world.require "shapes"
    refuse(world, "shapes.lua:2")
    same(shapes.area(2), 6, "area")
  end,
}

scenario {
  name = "a module that returns nothing any more is refused",
  files = { ["shapes.lua"] = [[
    local shapes = {}
    function shapes.area(r) return 3 * r end
    return shapes]] },
  edit = { ["shapes.lua"] = [[
    local shapes = {}
    function shapes.area(r) return 4 * r end]] },
  play = function(world)
    local shapes <const> = world.require "shapes"
    refuse(world, "shapes.lua")
    same(shapes.area(2), 6, "area")
    same(world.require "shapes", shapes, "what require gives")
  end,
}

scenario {
  name = "a circle of requires is refused with a message",
  files = {
    ["north.lua"] = "return { name = function() return 'north' end }",
    ["south.lua"] = [[
      local north <const> = require "north"
      return { name = function() return north.name() .. ", south" end }]],
  },
  edit = { ["north.lua"] = [[
    local south <const> = require "south"
    return { name = function() return "north of " .. south.name() end }]] },
  play = function(world)
    local south <const> = world.require "south"
    refuse(world, "north")
    same(south.name(), "north, south", "the name")
    same(world.require "north".name(), "north", "the name of the edited module")
  end,
}

return scenarios
