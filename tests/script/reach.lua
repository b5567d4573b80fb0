-- Every function that a game in the sandbox can reach and that the watchdog does not stop between two instructions,
-- found by looking through a real sandbox: each is Lua's own, or a row of the tables of what a game can reach. Each
-- in C, called with arguments that take long, comes to an end. That the pages have all rows is known from the
-- annotations (spec_annotations.lua).
local games <const> = require "games"
local spec <const> = require "spec"

local TUPLES <const> = 38 -- of arguments, in sandbox_reach.lua
local LONGEST <const> = 4 -- seconds

local function start(patience)
  local file <close> = io.open "tests/lua/sandbox_reach.lua"
  local g <const> = games.start { file:read "a", patience = patience, start_patience = patience and 2,
    memory_limit = 512 << 20 }
  return g, g:reach()
end

-- Results of Lua's own functions, and operators of its texts.
local OF_LUA <const> = { coroutine_wrapped = true, gmatch_next = true, ipairs_next = true, utf8_next = true }

local function is_luas_own(name)
  if OF_LUA[name] or name:match "^text:__" then return true end
  local value = _G
  for part in name:gmatch "[%w_]+" do value = type(value) == "table" and value[part] or nil end
  return type(value) == "function"
end

spec.test("every function that can be reached has a row", function()
  local _, found <const> = start(20)
  local in_lua <const> = { pairs_of_class = true }
  for _, file in ipairs { "src/script/bind/members.h", "demo/bind/reachable.h" } do
    for line in io.lines(file) do
      local owner <const>, name <const> = line:match 'X%(([%w_]+), ([%w_]+), "'
      if owner then in_lua[owner .. "." .. name] = true end
    end
  end
  for name, kind in pairs(found) do
    local plain <const> = name:gsub(":__index%.", "."):gsub(":", ".")
    spec.equal(kind == "row" or kind == "Lua" and in_lua[plain] or kind == "C" and is_luas_own(name), true, name)
  end
end)

-- Each gets a game of its own, for it may close or take away anything.
spec.test("every function comes to an end", function()
  if (os.getenv "SP_TEST_TOOL" or "") ~= "" then return end
  local _, found <const> = start(20)
  for name, kind in pairs(found) do
    local g <const> = (kind == "row" or kind == "C") and start(0.03)
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
