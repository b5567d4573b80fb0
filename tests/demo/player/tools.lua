-- The player's tools as Lua in a state of their own: other ones from a folder, their errors, and that none of them runs
-- while nothing is shown.

local GAME <const> = "local n = 0 return { update = function() n = n + 1 end, quit = function() print(n > 2) end }"

-- A test in which main.lua of the tools is `main`; `fields` as for `run`.
local function test(name, main, fn, fields)
  player.test(name, function()
    local it <const> = fields or {}
    save("/tools/main.lua", "local player <const> = require('spawnpool').player\n" .. main)
    host.setenv("SPAWNPOOL_TOOLS", path "/tools")
    it.main, it.args = GAME, "--size 640x480" .. (it.args or "")
    run(it, fn)
  end)
end

local function text_tool(text, more)
  return ("return { act = function() end, draw = function(g) g:text(0, 0, '%s') %s end }"):format(text, more or "")
end

test("an error in a tool is shown and the game goes on", text_tool("first", "error 'lost'"), function()
  press("F1", 20)
  expect_seen("tools/main.lua:2: lost", "try again")
  press "F2"
  expect_seen "tools/main.lua:2: lost"
end, { out = "true\n", err = { "spawnpool: ", "tools/main.lua:2: lost" } })

test("an endless loop in a tool is stopped", text_tool("first", "while true do end"), function()
  press "F1"
  expect_seen "stopped"
  press({}, 20)
end, { out = "true\n", err = { "it ran for more than 3 s" } })

test("edited tools run at once", text_tool "first", function()
  press "F1"
  expect_seen "first"
  save("/tools/main.lua", text_tool "second")
  await_seen "second"
  save("/tools/main.lua", text_tool("third", "error 'lost'"))
  await_seen "third"
  save("/tools/main.lua", text_tool "fourth")
  await_seen "fourth"
end, { out = "true\n", err = { "reloaded main.lua", "lost", "reloaded main.lua" } })

test("no tool runs while nothing is shown", text_tool("once", "print 'drawn' player.rest()"), function()
  press({}, 50)
  press("F1", 50)
  press({ function() save("main.lua", "return {") end, "F5" }, 50)
end, { status = 1, err = { "drawn", "not reloaded", "drawn" }, err_lines = 5, args = " --no-watch" })

player.test("the error screen and the console need no memory of the game",
  { main = "local t = {} return { update = function() for i = #t + 1, math.huge do t[i] = {} end end }",
    args = "--size 640x480 --memory 16 --no-watch", status = 1, err = false }, function()
    if host.tool == "valgrind" then return host.skip("tools", "valgrind is too slow to open the overlays") end
    expect_seen("The script has stopped", "not enough memory", "let the game have more memory")
    press { "`", "text `", "text hello" }
    expect_seen "hello"
  end)
