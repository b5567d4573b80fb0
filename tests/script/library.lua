-- The sandbox's functions that stand for some of Lua's, beside those: in all that can be seen they are Lua's own. Each
-- text is run in stock Lua, which runs this test, and in a game.
local spec <const> = require "spec"
local games <const> = require "games"

local SHARE <const> = (os.getenv "SP_TEST_TOOL" or "") ~= "" and 15 or 1

local function read(name)
  local file <close> = io.open("tests/lua/fixtures/" .. name, "rb")
  return file:read "a"
end

-- The answers of 100 random calls, a line each, below their name and number.
local ANSWERS <const> = [[
local calls <const>, name <const>, number <const> = ...
math.randomseed(number)
local lines <const> = { name .. " " .. number }
for i = 2, 101 do
  lines[i] = calls[name]():gsub("[^%g ]", function(c) return ("\\%d"):format(c:byte()) end)
end
return table.concat(lines, "\n")]]

-- Expects that a game prints what stock Lua has answered. The game evaluates `own` for that, of the text `given`.
local function expect_answers(g, given, want)
  spec.equal(g:call("answer", given), true)
  local next_line <const> = g:told():gmatch "[^\n]+"
  for line in ("print: " .. want):gmatch "[^\n]+" do spec.equal(next_line(), line) end
end

local function start(calls, own, trust)
  return games.start {
    ("return { answer = function(given) print(%s) end }"):format(own), trust = trust or nil, patience = -1,
    ["calls.lua"] = "return [====[" .. calls .. "]====]", ["answers.lua"] = "return [====[" .. ANSWERS .. "]====]",
  }
end

spec.test("patterns and sorting answer and complain as Lua's own, and equal elements stay in order", function()
  local text <const> = read "library_calls.lua"
  local g <const> = start(text,
    "load(require 'answers')(load(require 'calls', '=calls')(), given:match '^(%g+) (%d+)')")
  local answers <const>, calls <const> = load(ANSWERS), load(text, "=calls")()
  for name, blocks in pairs { pattern = 300, sort_wrong = 30, sort = 20 } do
    for number = 1, blocks // SHARE do
      local want <const> = answers(calls, name, number):gsub("not steady", "steady")
      expect_answers(g, name .. " " .. number, want)
    end
  end
end)

spec.test("coroutines are those of stock Lua", function()
  local text <const> = read "coroutines.lua"
  for _, trust in ipairs { false, true } do
    local want <const> = load(text, "=calls")(trust)
    spec.equal(#want > 1000, true)
    expect_answers(start(text, ("load(require 'calls', '=calls')(%s)"):format(trust), trust), "", want)
  end
end)
