-- The watchdog's budgets, and what goes on after a stop. escapes.lua has the loops that it stops, check_watchdog.c its
-- signal and its threads.
local spec <const> = require "spec"
local games <const> = require "games"

-- Seconds. A stop leaves a quarter of it to come to an end, in which an instrumented build must be done too.
local BRIEF <const> = (os.getenv "SP_TEST_TOOL" or "") ~= "" and 0.2 or 0.025
local STOP <const> = ("stopped: it ran for more than %s s without returning"):format(BRIEF)

-- `loop` is on line 3. The first update does what `go` says.
local function start(set_up, go, patience)
  return games.start { ([[
local spawnpool <const> = require 'spawnpool'
local pools <const> = spawnpool.pools
local function loop() while true do end end
local function work(seconds) local t <const> = os.clock() while os.clock() - t < seconds do end end
Cube = spawnpool.class('Cube', { limit = 2 })
%s local first = true
return { update = function() if first then first = false %s end end, quit = function() work(10) end }]]):format(set_up,
    go), patience = patience or BRIEF }
end

-- Stopped twice: with the whole budget, and with the extension.
spec.test("the second loop of a call ends the call", function()
  local g <const> = start("function Cube:on_despawn() print 'looping' loop() end",
    "for _ = 1, 1000 do pools:alloc('Cube'):recycle() end")
  spec.equal(g:update(), false)
  local told <const> = g:told()
  spec.equal(select(2, told:gsub("looping\n", "")), 2)
  spec.equal(told:find("print: looping\nerror: Cube.on_despawn: ", 1, true), 1)
  spec.contains(told, STOP)
  g:eval "Cube.on_despawn = nil"
  spec.equal({ g:update(), g:tick(1) }, { true, true })
end)

-- The rest of an update that was stopped is not made up for: the clock stays at the tick of the second loop.
spec.test("an update that is ended leaves the clock at the tick that it came to", function()
  local g <const> = start("function Cube:on_despawn() loop() end", "for i = 1, 2 do pools:alloc('Cube', i / 2) end")
  g:update()
  spec.equal(g:tick(3.005), true)
  spec.contains(g:told(), "error: Cube.on_despawn: GAME/main.lua:3: " .. STOP)
  g:eval "pools.time"
  spec.equal(g:told(), "print: 1.0\n")
end)

spec.test("the host's update is a call too", function()
  local g <const> = start("function Cube:update() loop() end", "pools:alloc 'Cube'")
  g:update()
  for _ = 1, 3 do spec.equal(g:tick(1), true) end
  spec.contains(g:told(), "error: Cube.update: GAME/main.lua:3: " .. STOP)
end)

spec.test("patience decides, for each call", function()
  for _, patience in ipairs { 1e5, 0, -1, -math.huge, math.huge } do
    spec.equal(start("", "work(0.05)", patience):update(), true, tostring(patience))
  end
  local g <const> = start("function Cube:update() work(0.01) end", "pools:alloc 'Cube'", 0.15)
  g:update()
  for _ = 1, 20 do g:tick(1 / 60) end
  spec.equal(g:told(), "")
  g:veto "quit"
  spec.contains(g:told(), "stopped: it ran for more than 0.15 s")
end)

local OFF <const> = " was stopped twice in a row: it is switched off until an edit\n"

-- Each row: something endless, where it begins, and the words of an update of the pools or of the game about it.
local ENDLESS <const> = {
  { "Cube.update", 6, "function Cube:update() loop() end", "pools:alloc 'Cube'" },
  { "Cube.on_despawn", 6, "function Cube:on_despawn() loop() end", "pools:every(1, function()"
    .. " pools:alloc('Cube'):recycle() end)" },
  { "a timer", 8, "", "\npools:every(1, function() loop() end)" },
  { "a timer", 8, "", "\nfor i = 1, 100 do pools:alloc('Cube', 0, i, 0):every(0.01, function() loop() end) end" },
}

spec.test("what is endless twice in a row is switched off, and everything else goes on", function()
  for _, it in ipairs(ENDLESS) do
    local g <const> = start(it[3] .. " Ball = spawnpool.class 'Ball' local n = 0"
      .. " function Ball:update() n = n + 1 print(n) end", "pools:alloc 'Ball' " .. it[4])
    g:update()
    g:tick(1)
    g:tick(1)
    spec.contains(g:told(), ("warning: GAME/main.lua:%d: %s%s"):format(it[2], it[1], OFF))
    for _ = 1, 3 do g:tick(1) end
    spec.equal((g:told():gsub("%d", "n")), "print: n\nprint: n\nprint: n\n")
  end
end)

spec.test("a callback that is endless twice in a row is called again after an edit", function()
  local text <const> = "local n = 0 return { update = function()\nn = n + 1 while n > %d do end end, other = print }"
  local g <const> = games.start { text:format(0), reload = true, patience = BRIEF }
  spec.equal({ g:update(), g:update() }, { false, false })
  spec.contains(g:told(), "warning: GAME/main.lua:1: update" .. OFF)
  spec.equal({ g:update(), g:update(), g:told() }, { false, false, "" })
  spec.equal(g:save("main.lua", text:format(1000)), "reloaded")
  spec.equal({ g:update(), g:update() }, { true, true })
end)

spec.test("what is endless now and then is not switched off", function()
  local g <const> = start("local n = 0 function Cube:update() n = n + 1 if n % 2 == 0 then loop() end end",
    "pools:alloc 'Cube'")
  g:update()
  for _ = 1, 9 do g:tick(1) end
  spec.equal(g:told():find("switched off", 1, true), nil)
end)

-- main.lua, the patience, that at the start, and what is told.
local STARTS <const> = {
  { "while true do end", 0.01, 0, "more than 0.05 s" },
  { "return { load = function() while true do end end }", 0.01, 0.02, "more than 0.02 s" },
  { "require 'endless'", -1, 0.03, "more than 0.03 s" },
  { "require('spawnpool').class 'Endless'", 0.01, 0.02, "more than 0.02 s" },
}

spec.test("the start has a patience of its own", function()
  for _, it in ipairs(STARTS) do
    local g <const> = games.make {
      it[1], ["endless.lua"] = "while true do end", ["pools/Endless.lua"] = "while true do end", patience = it[2],
      start_patience = it[3],
    }
    g:open()
    spec.equal(g:begin(), false)
    spec.contains(g:told(), ".lua:1: stopped: it ran for ", it[4])
  end
end)

-- A collection cannot be stopped. Tables with weak keys can make one take for ever: a chain in no order.
spec.test("a collection that does not come back is told of", function()
  local g <const> = games.make { [=[
local a, t = {}, setmetatable({}, { __mode = 'k' })
for i = 1, 1 << 16 do a[i] = {} end
for i = #a, 2, -1 do local j = math.random(i) a[i], a[j] = a[j], a[i] end
collectgarbage 'stop'
for i = 2, #a do t[a[i - 1]] = a[i] end
_G.first, _G.t, a = a[1], t, nil
return { update = function() collectgarbage() end }]=], patience = 0.2, hang_after = 0.4 }
  spec.contains(g:hang(g:path "."), "did not come back within 0.4 s of computing")
end)
