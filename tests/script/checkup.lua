-- A game that is checked instead of played.
local spec <const> = require "spec"
local games <const> = require "games"

-- Checks a game; returns its problems as lines, what it printed, and the number of files.
local function check(g, path)
  spec.equal(g:open(path), nil)
  local problems <const>, count <const>, files <const> = g:check()
  spec.equal(#problems, count)
  local text = table.concat(problems, "\n")
  spec.equal(select(2, text:gsub("\n", "")), math.max(count - 1, 0)) -- a line each
  text = text:gsub(g:path "":gsub("%p", "%%%0"), "")
  return text, g:told(), files
end

spec.test("a game is loaded and not started, and no file keeps the others from being checked", function()
  local g <const> = games.make {
    "print 'main'\nlocal m = require 'part'\nreturn { load = function() print 'load' end }",
    ["part.lua"] = "print 'part' return {}", ["other/unused.lua"] = "print 'unused'",
    [".hidden/a.lua"] = "return (", [".b.lua"] = "return (", -- left out
    ["pools/Cube.lua"] = "print 'cube' return require('spawnpool').class('Cube', { limit = 3 })",
  }
  local problems, told, files = check(g)
  spec.equal({ problems, told, files }, { "", "print: main\nprint: part\nprint: cube\n", 4 })
  g:write("part.lua", "local x = = 1")
  g:write("other/unused.lua", "\nlocal y = (")
  g:write("pools/A.lua", "nothing.x = 1")
  g:write("pools/B.lua", "require 'part'") -- what several files require is one problem
  g:write("pools/C.lua", "return require('spawnpool').class('D', {})")
  problems, told, files = check(g)
  spec.equal(#problems:gsub("[^\n]", ""), 3, problems)
  spec.equal(files, 7)
  spec.equal(told, "print: main\nprint: cube\n")
  spec.contains(problems, "part.lua:1: unexpected symbol near '='", "other/unused.lua:2: unexpected symbol near <eof>",
    "pools/A.lua:1: attempt to index a nil value (global 'nothing')",
    "pools/C.lua:1: the file declares class 'D', not class 'C'")
end)

-- A main.lua, its problem, and the rest of its warning.
local MAINS <const> = {
  { "return 5", "main.lua:1: main.lua must return a table of callbacks (load, update, draw, ...), got number" },
  { "return { update = 5, upadte = function() end, load = function() end, of_its_own = 3 }",
    "main.lua:1: the callback 'update' must be a function, got a number",
    "1: nothing calls 'upadte' (did you mean 'update'?)" },
  { "return { update = setmetatable({}, { __call = print }), pause_unfocussed = true, paused = true }", "",
    "1: nothing reads 'pause_unfocussed' (did you mean 'pause_unfocused'?)" },
  { "local game = {}\nfunction game.load() game.resize() end\nfunction game.resize() end\n" ..
    "game.keypressed = function() end\nfunction game.tick() end\nreturn game", "",
    "4: nothing calls 'keypressed' (did you mean 'key_pressed'?)" },
}

spec.test("main and its callbacks are looked at", function()
  for _, it in ipairs(MAINS) do
    local problems <const>, told <const> = check(games.make { it[1] })
    spec.equal(problems, it[2])
    spec.equal(told, it[3] and "warning: GAME/main.lua:" .. it[3] .. "\n" or "")
  end
end)

spec.test("a file that takes too much is a problem", function()
  local problems <const> = check(games.make {
    "return {}", ["pools/A.lua"] = "\nwhile true do end",
    ["pools/B.lua"] = "local t = {} for i = 1, 1e7 do t[i] = { i } end", patience = 0.2, memory_limit = 4 << 20,
  })
  spec.contains(problems, "pools/A.lua:2: stopped: it ran for more than 0.2 s", "not enough memory")
end)

spec.test("a game of one file is checked with what it requires", function()
  local g <const> = games.make {
    ["tiny.lua"] = "require 'part' return {}", ["part.lua"] = "error 'in part'", ["of_another_game.lua"] = "return (",
  }
  local problems <const>, _, files <const> = check(g, g:path "tiny.lua")
  spec.equal({ problems, files }, { "part.lua:1: in part", 1 })
end)
