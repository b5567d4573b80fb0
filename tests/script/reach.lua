-- Every function that a game in the sandbox can reach and that the watchdog does not stop between two instructions,
-- found by looking through a real sandbox: each is Lua's own, or a row of the tables of what a game can reach, which
-- docs/calls.md lists. Each of ours, called with arguments that take long, comes to an end.
local games <const> = require "games"
local spec <const> = require "spec"

local TUPLES <const> = 38 -- of arguments, in sandbox_reach.lua
local LONGEST <const> = 4 -- seconds

local function start(patience)
  local file <close> = io.open "tests/lua/sandbox_reach.lua"
  local g <const> = games.start { file:read "a", patience = patience, memory_limit = 512 << 20 }
  return g, g:reach()
end

spec.test("every function that can be reached has a row and is in the docs", function()
  local page <close> = io.open "docs/calls.md"
  local _, found <const> = start(20)
  spec.equal(dofile "tests/lua/sandbox_rows.lua"(found, page:read "a"), "")
end)

-- Each gets a game of its own, for it may close or take away anything.
spec.test("every function comes to an end", function()
  if (os.getenv "SP_TEST_TOOL" or "") ~= "" then return end
  local _, found <const> = start(20)
  for name, kind in pairs(found) do
    local g <const> = kind == "row" and start(0.03)
    for tuple = 1, g and TUPLES or 0 do
      local began <const> = os.clock()
      g:aim(name, tuple)
      g:update()
      local took <const> = os.clock() - began
      if took > LONGEST then error(("%s with arguments %d took %.1f s"):format(name, tuple, took)) end
      g:told()
    end
  end
end)
