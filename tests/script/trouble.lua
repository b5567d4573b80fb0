-- The text of errors: the place, the source line as it runs, the callers, and a hint where there is one.
local spec <const> = require "spec"
local games <const> = require "games"

-- What is told of a game that does not start.
local function told_at_start(files)
  local g <const> = games.make(files)
  spec.equal(g:open(), nil)
  spec.equal(g:begin(), false)
  return g:told(), g
end

-- What is told when `update` calls a function `hunt` with this body.
local function told_by(body)
  local g <const> = games.make {
    "local spawnpool = require 'spawnpool'\nlocal pools = spawnpool.pools\n" ..
    "local speed, enemies = 1, { count = 3 }\nlocal function hunt() " .. body ..
    " end\nreturn { update = function() return speed and hunt() end }",
    patience = body:find "while true" and 0.2 or 0,
  }
  spec.equal(g:open(), nil)
  if g:begin() then spec.equal(g:update(), false, body) end
  return g:told()
end

-- {== Hints ===================================================================

-- The hint begins like this; false: there is none.
local HINTS <const> = {
  { "sped = sped + 1", "did you mean 'speed'?" },
  { "local target = 1 local x = tarjet + 1", "did you mean 'target'?" },
  { "prnt(1)", "did you mean 'print'?" },
  { "unpack({})", "Lua 5.4 has no 'unpack': use table.unpack" },
  { "debug.getlocal(1, 1)", "the sandbox has no 'debug.getlocal'; a trusted game has all of Lua" },
  { "Hunt()", "did you mean 'hunt'?" },
  { "zebra.x = 1", false },
  { "math.flor(1)", "did you mean 'floor'?" },
  { "return enemies.coutn + 1", "did you mean 'count'?" },
  { "local s = 'x' s:uper()", "did you mean 'upper'?" },
  { "io.write('x')", "the sandbox has no 'io.write'; a trusted game" },
  { "require 'spwanpool'", "did you mean 'spawnpool'?" },
  { "if speed = 1 then end", "'=' gives a value, '==' compares" },
  { "speed += 1", "Lua has no '+='" },
  { "if speed != 1 then end", "Lua has 'not x', and 'a ~= b'" },
  { "if speed then", "'function' at line 4 has no 'end' of its own" },
  { "local s = 'abc", "a quote is missing" },
  { "print(1, 2 end", "')' is missing, or a comma" },
  { "print(1,\nlocal x = 1", "something is missing before 'local', perhaps a bracket in the line above" },
  { "local end = 1", "'end' is a keyword of Lua" },
  { "local x <const> = 1 x = 2", "'x' is declared <const>" },
  { "while true do end", "let it return each frame" },
  { "hunt = nil local function f() return f() + 1 end f()", "a function calls itself" },
  { "error 'my own'", false },
  { "pools:aloc('X')", false }, -- the library says it itself
}

spec.test("a mistake has a hint only where it helps", function()
  for _, it in ipairs(HINTS) do
    local told <const> = told_by(it[1])
    spec.equal(told:sub(1, 7), "error: ", it[1])
    if it[2] then spec.contains(told, "\n  hint: " .. it[2]) end
    spec.equal(select(2, told:gsub("hint: ", "")), it[2] and 1 or 0, told)
  end
  local told <const> = told_at_start { "require 'engin.weels' return {}", ["engine/wheels.lua"] = "return {}" }
  spec.contains(told, "\n  hint: did you mean 'engine.wheels'?\n")
end)

-- }==

-- {== Places and callers ======================================================

-- What is told of a main.lua that does not start begins like this.
local WRONG <const> = {
  { "local x = 1\nlocal y = = 2\n", "error: GAME/main.lua:2: unexpected symbol near '='\n    local y = = 2" },
  { "\27Lua", "error: GAME/main.lua: attempt to load a binary chunk" },
  { "local function inner() error 'boom' end\nlocal function outer()\n  inner()\n  return 1\nend\nouter()\n",
    "error: GAME/main.lua:1: boom\n    local function inner() error 'boom' end\n" ..
    "  at GAME/main.lua:1 in inner\n  at GAME/main.lua:3 in outer\n  at GAME/main.lua:6 in main chunk\n" },
  { "error({}, 0)", "error: GAME/main.lua:1: (error object is a table value)\n    error({}, 0)\n" },
  { "error(setmetatable({}, { __tostring = function() return 'my words' end }))", "error: my words" },
  { "\t  error('boom') --" .. ("0"):rep(300) .. "\r\n",
    "error: GAME/main.lua:1: boom\n    error('boom') --" .. ("0"):rep(143) .. "\n  at" },
  { "", "error: GAME/main.lua must return a table of callbacks (load, update, draw, ...), got nil" },
  -- A line with a million blanks takes no time that grows with their square.
  { "\tx" .. (" "):rep(1 << 20) .. "y ", "error: GAME/main.lua:1: syntax error near 'y'\n    x" },
}

spec.test("what is wrong names file, line, source and frames", function()
  for _, it in ipairs(WRONG) do spec.equal(told_at_start({ it[1] }):sub(1, #it[2]), it[2]) end
end)

-- What hunt does, and what is told of it.
local CALLS <const> = {
  { "\n  pols:alloc('X')\n",
    "error: GAME/main.lua:5: attempt to index a nil value (global 'pols')\n    pols:alloc('X')\n" ..
    "  at GAME/main.lua:5 in hunt\n  at GAME/main.lua:7 in update\n  hint: did you mean 'pools'?\n" },
  { "\nlocal function f(n) return n > 0 and f(n - 1) + 1 or error 'deep' end\nf(99)\n", -- it is told once
    "error: GAME/main.lua:5: deep\n    local function f(n) return n > 0 and f(n - 1) + 1 or error 'deep' end\n" ..
    "  at GAME/main.lua:5 in f\n  at GAME/main.lua:6 in hunt\n  at GAME/main.lua:8 in update\n" },
}

spec.test("callers are named up to the callback", function()
  for _, it in ipairs(CALLS) do spec.equal(told_by(it[1]), it[2]) end
end)

spec.test("errors in hooks and coroutines have place, line and callers, and the callback goes on", function()
  local g <const> = games.start { [[
local spawnpool = require 'spawnpool'
local Cube, counter = spawnpool.class 'Cube', 0
function Cube:on_despawn()
  counter = conter + 1
end
return { update = function()
  spawnpool.pools:alloc('Cube'):recycle()
  spawnpool.pools:run(function()
    local function aim() error {} end
    aim()
  end)
  print 'went on'
end }]] }
  spec.equal(g:update(), true)
  spec.equal(g:told(), [[
error: Cube.on_despawn: GAME/main.lua:4: attempt to perform arithmetic on a nil value (global 'conter')
    counter = conter + 1
  at GAME/main.lua:4 in Cube.on_despawn
  at GAME/main.lua:7 in update
  hint: did you mean 'counter'?
error: run: GAME/main.lua:9: (error object is a table value)
    local function aim() error {} end
  at GAME/main.lua:9 in aim
  at GAME/main.lua:10 in a coroutine
print: went on
]])
  spec.contains(g:last_error(), "run: ")
end)

spec.test("memory that is refused names the callback and the limit", function()
  local g <const> = games.start {
    "return { update = function() local t = {} while true do t[#t + 1] = {} end end,\n" ..
    "long = function() return ('x'):rep((1 << 26) + 1) end }", memory_limit = 16 << 20,
  }
  spec.equal(g:update(), false)
  spec.contains(g:told(), "error: GAME/main.lua: not enough memory in update (the limit is 16 MiB)\n" ..
    "  hint: make less of it, or let the game have more memory\n")
end)

-- }==

-- {== Which text is quoted ====================================================

spec.test("names of files are whole however long", function()
  local long <const> = "a_name_that_is_rather_long_so_that_lua_would_cut_it_in_its_messages"
  local file <const> = long .. "/" .. long .. ".lua"
  local told <const>, g <const> = told_at_start {
    ("return require('%s.%s')"):format(long, long), [file] = "return = {}",
  }
  spec.contains(told, "GAME/" .. file .. ":1: unexpected symbol near '='")
  g:write(file, "error 'here'")
  g:open()
  spec.equal(g:begin(), false)
  spec.contains(g:told(), "error: GAME/" .. file .. ":1: here\n    error 'here'")
end)

spec.test("the text that runs is quoted, not the edited file", function()
  local g <const> = games.start { "return { update = function()\nerror 'old' -- as it runs\nend }", reload = true }
  local function update()
    spec.equal(g:update(), false)
    spec.contains(g:told(), "GAME/main.lua:2: old\n    error 'old' -- as it runs\n")
  end
  g:write("main.lua", "return {}\n-- as it was edited and not yet read")
  update()
  spec.equal(g:save("main.lua", "return {}\n-- it does not compile\n= 1"), "refused")
  spec.contains(g:told(), "GAME/main.lua:3: <eof> expected near '='\n    = 1\n")
  update()
  spec.equal(g:save("main.lua", "\nerror 'as it loads'"), "refused")
  spec.contains(g:told(), "GAME/main.lua:2: as it loads\n    error 'as it loads'\n")
  update()
end)

-- }==
