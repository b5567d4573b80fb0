-- A reload changes only what the edited file owns. C functions and functions of other files are values.
local spec <const> = require "spec"
spec.ignores_collector "a reload runs with the collector stopped; other spec_reload files run with each"
local history <const> = require "reload_history"

local MINE <const> = 'function() return "MINE" end'

-- {== Functions of C ==========================================================

local C_FUNCTIONS <const> = { "math.floor", "tostring", "coroutine.yield", "pcall" }

-- Where a module may hold a value; %s stands for it.
local PLACES <const> = {
  { "a field", "return { f = %s }" },
  { "a file-local", "local f = %s\nreturn { get = function() return f end }" },
  { "two places", "local f = %s\nreturn { f, f, { f }, get = function() return f end }" },
  { "a table in a table", "local t = { deep = { 1, %s } }\nreturn { t = t, get = function() return t end }" },
  { "a metatable", "return setmetatable({}, { __index = %s, other = 1 })" },
  { "a variable of a closure", "local function wrap(f) return function() return f end end\nreturn { w = wrap(%s) }" },
  { "a global", "s_held = %s\nreturn {}" },
  { "a table that no file owns", "world.names.m = %s\nreturn {}" },
  { "a list that no file owns", "world.list[#world.list + 1] = %s\nreturn {}" },
  { "the standard library", "string.mine = %s\nreturn {}" },
}

local function edit(place, value)
  return { m = (place:gsub("%%s", function() return value end)) }
end

spec.describe("a function of C", function()
  for _, name in ipairs(C_FUNCTIONS) do
    spec.test(name .. " stays what it is when an entry gets another value, and again when it comes back", function()
      local wrapped <const> = ("function(...) return %s(...) end"):format(name)
      history("m other", { m = ("return { f = %s }"):format(name), other = ("return { f = %s }"):format(name) }, {
        ("game.f = %s"):format(name), edit(PLACES[1][2], MINE), ("? m.f() == 'MINE' and other.f == %s"):format(name),
        ("? game.f == %s and other.f ~= m.f"):format(name), edit(PLACES[1][2], name), edit(PLACES[1][2], wrapped),
        edit(PLACES[1][2], "math.sqrt"), edit("\n" .. PLACES[1][2], "math.sqrt"), ("? game.f == %s"):format(name),
      })()
    end)
  end

  for _, place in ipairs(PLACES) do
    spec.test(("in %s becomes any other value, and the reverse"):format(place[1]), function()
      local steps <const> = {}
      for i, value in ipairs { MINE, "math.ceil", "5", "tostring", "{ 1 }", "world.noop", "load 'return 1'", "nil",
        "os.time", "'text'" } do
        steps[i] = edit(place[2], value)
      end
      history("m", edit(place[2], "math.floor"), steps)()
    end)
  end
end)

-- }==

-- {== Values that each run makes anew =========================================

spec.describe("a value that each run makes anew", function()
  for _, value in ipairs { 'string.gmatch("a b c", "%a")', "coroutine.wrap(function() return 1 end)",
    "coroutine.create(print)", 'load("return ...", "=mine")' } do
    for _, place in ipairs { PLACES[1], PLACES[6] } do
      spec.test(("%s in %s does not keep edits out"):format(value, place[1]), history("m", edit(place[2], value), {
        edit("local one = 1\n" .. place[2], value), edit(place[2], "1"), edit(place[2], value), edit(place[2], MINE),
        edit(place[2], value), edit(place[2], "{}"),
      }))
    end
  end

  spec.test("an iterator that is half-way goes with the edit that changes it",
    history("m", { m = 'local next_word = string.gmatch("a b c", "%a")\n'
      .. 'return { word = function() return next_word() end }' }, {
      "? m.word() == 'a'", { m =
        'local next_word = string.gmatch("x y", "%a")\nreturn { word = function() return next_word() end }' },
      "? m.word() == 'x'",
    }))

  spec.test("a suspended coroutine in a file-local finishes",
    history("m", { m = "local co = coroutine.create(function() coroutine.yield(1) return 2 end)\nlocal M = {}\n"
      .. "function M.step() return select(2, coroutine.resume(co)) end\nreturn M" }, {
      "game.step = m.step", "? m.step() == 1",
      { m = "local M = {}\nfunction M.step() return 3 end\nreturn M" }, "? m.step() == 3 and game.step() == 3",
    }))
end)

-- }==

-- {== What is imported ========================================================

local UTIL <const> = "local M = { list = { 1 } }\nfunction M.noop() return 0 end\nfunction M.other() return 1 end\n"
  .. "return M"

-- Forms of an import whose value then stands for %s.
local IMPORTS <const> = {
  { "a function", "local util = require 'util'\nlocal M = {}\nM.enter = %s\nfunction M.get() return M.enter end\n"
    .. "return M",
    { "util.noop", MINE, "util.other", "util.noop", "math.floor", "util.noop", "nil", "util.list", "util.noop" } },
  { "a function in a file-local", "local util = require 'util'\nlocal f = %s\nreturn { get = function() return f end }",
    { "util.noop", MINE, "util.noop", "util.other", "print", "util.other", "{}", "util.noop" } },
  { "a table", "local util = require 'util'\nlocal t = %s\nreturn { t = t, get = function() return t end }",
    { "util.list", "{ 2 }", "util.list", "{}", "util", "util.list", MINE, "util.noop", "util.list" } },
  { "a table among tables", "local util = require 'util'\nreturn { { t = %s }, { t = util.list } }",
    { "util.list", "{ 2 }", "util.list", "setmetatable({}, util.list)", "util.list", "5" } },
  { "a metatable", "local util = require 'util'\nreturn { o = setmetatable({}, %s) }",
    { "util.list", "{ __index = util.list }", "util", "util.list", "nil", "{ __index = util.noop }" } },
}

spec.describe("what is imported", function()
  for _, import in ipairs(IMPORTS) do
    spec.test(("as %s stays as it is when the file takes another value"):format(import[1]), function()
      local steps <const> = { "util.list[2] = 'game' game.noop = util.noop game.list = util.list" }
      for _, value in ipairs(import[3]) do
        steps[#steps + 1] = edit(import[2], value)
        steps[#steps + 1] = "? util.noop() == 0 and util.other() == 1"
        steps[#steps + 1] = "? util.noop == game.noop and user.noop == util.noop"
        steps[#steps + 1] = "? util.list == game.list and util.list[1] == 1 and util.list[2] == 'game'"
      end
      local user <const> = "local util = require 'util'\nreturn { noop = util.noop, t = util.list }"
      history("util user m", { util = UTIL, user = user, m = edit(import[2], import[3][1]).m }, steps)()
    end)
  end

  local USERS <const> = { util = UTIL,
    a = "local noop = require('util').noop\nreturn { enter = noop, leave = noop, get = function() return noop end }",
    b = "local util = require 'util'\nlocal M = { enter = util.noop }\nfunction M.run() return M.enter() end\n"
      .. "return M" }
  for _, case in ipairs {
    { "with another body", "function M.noop() return 10 end" },
    { "as another module's function", "M.noop = world.noop" },
    { "as a function of C", "M.noop = math.floor" },
    { "under another name", "function M.nop() return 0 end" },
    { "the same as another one", "M.noop = M.other" },
    { "as a table that can be called", "M.noop = setmetatable({}, { __call = function() return 0 end })" },
  } do
    local text <const> = UTIL:gsub("function M.noop%b() return 0 end\nfunction M.other%b() return 1 end", function()
      return "function M.other() return 1 end\n" .. case[2]
    end)
    spec.test("a shared function follows its own file, " .. case[1], history("util a b", USERS, {
      "game[1] = util.noop game[2] = closure(a.enter)", { util = text }, { util = UTIL }, { a = "\n" .. USERS.a },
      { util = text }, { b = "\n" .. USERS.b, util = UTIL },
    }))
  end
end)

-- }==
