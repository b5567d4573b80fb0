-- A reload changes only what the edited file owns. C functions and functions of other files are values, which random
-- projects put into every place; here is who else holds them.
local spec <const> = require "spec"
spec.ignores_collector "a reload runs with the collector stopped; other spec_reload files run with each"
local history <const> = require "reload_history"

local MINE <const> = 'function() return "MINE" end'

-- {== Functions of C ==========================================================

local C_FUNCTIONS <const> = { "math.floor", "tostring", "coroutine.yield", "pcall" }

-- Where a module holds a value; %s stands for it.
local PLACES <const> = {
  { "a field", "return { f = %s }" },
  { "a file-local", "local f = %s\nreturn { get = function() return f end }" },
  { "a variable of a closure", "local function wrap(f) return function() return f end end\nreturn { w = wrap(%s) }" },
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
end)

-- }==

-- {== Values that each run makes anew =========================================

spec.describe("a value that each run makes anew", function()
  for _, value in ipairs { 'string.gmatch("a b c", "%a")', "coroutine.wrap(function() return 1 end)",
    "coroutine.create(print)", 'load("return ...", "=mine")' } do
    for _, place in ipairs { PLACES[1], PLACES[3] } do
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

end)

-- }==
