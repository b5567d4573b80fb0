-- The player while its game is edited. See assets.lua, sheets.lua and sound.lua for other files than code; the ways in
-- which editors save are tested with the watch of files.

-- A main.lua that says which version of it runs.
local function version(number) return ("return { update = function() version = %d end }"):format(number) end

local function expect_version(number) equal(ask "return version", number) end

local function reload(name, text)
  save(name, text)
  press "F5"
end

-- The first version, in a window; files are loaded by `reload`.
local test_edits <const> = tests { main = version(1), args = "--size 640x240 --no-watch", out = false }

test_edits("a class file that is new runs by itself, and a file that is gone keeps its code until it is back",
  { args = "--size 640x240", err = "warning: main.lua was deleted: its last code stays\n" }, function()
    save("pools/Spark.lua", "sparks = 1 return require('spawnpool').class('Spark', {})")
    await_so(function() return ask "return sparks" == 1 end)
    equal(ask "return sparks", 1)
    sh "rm game/main.lua"
    await_seen "main.lua was deleted"
    expect_version(1)
    save("main.lua", version(2))
    await_so(function() return ask "return version" == 2 end)
    expect_version(2)
  end)

test_edits("a broken save and an endless loop are reported, and fixed by the next", { patience = 0.2,
  out = { "reloaded main.lua in" }, err = { "main.lua:1: unexpected symbol near <eof>",
    "warning: not reloaded: main.lua; still running the previous version\n", "stopped: it ran for more than 0.2 s",
    "main.lua is reverted to the version before " } }, function()
    reload("main.lua", "return { update = ")
    expect_version(1)
    reload("main.lua", "return { update = function() while true do end end }")
    expect_version(1)
    reload("main.lua", version(3))
    expect_version(3)
  end)

test_edits("a file that is still rejected stays on the screen, and an error, after a good edit of another",
  { main = "return { draw_below = require 'part' }", files = { ["part.lua"] = "return function() end" }, err = false,
    status = 1 }, function()
    reload("main.lua", "return {")
    reload("part.lua", "return function() local x end")
    wait(9) -- longer than news of a reload are shown
    expect_seen "still rejected: main.lua"
  end)

test_edits("a reload may pause the game", { args = "--size 640x100 --no-watch --pause-on-reload" }, function()
  reload("main.lua", version(2))
  press({}, 5)
  expect_seen "paused: F6 continues"
  expect_version(1)
  press "F6"
  expect_version(2)
end)

-- In a third of a second the edit would have been seen long ago.
test("without watching only a signal reloads, and tries again what was rejected", function()
  local function ticking(name)
    return ("local n = 0 return { update = function() n = n + 1 if n %% 20 == 0 then print('%s ticks') end end }")
      :format(name)
  end
  run_meanwhile { main = ticking "old", files = { ["/new.lua"] = ticking "new" }, status = 1, out = false,
    args = "--headless --realtime --no-watch --stats stats", meanwhile = [[await 'old ticks'; cp new.lua game/main.lua
      await 'old ticks' 2; kill -USR1 $p; await 'new ticks'; echo "error('not now')" >game/main.lua
      kill -USR1 $p; await 'not reloaded'; echo "return { update = function() error 'boom' end }" >game/main.lua
      kill -USR1 $p; await 'is reverted'; await 'new ticks' 9; kill -INT $p]] }
  expect_text(read "/stats":match "[^\n]+\n$", { '"reloads":2,"refused_reloads":1,"reverted_reloads":1' })
end)

test_edits("a first load that fails starts when it is mended", { main = "return { load = ", rest = "one two",
  out = { "got\t2\ttwo\n" }, err = { "main.lua:1:" } }, function()
    reload("main.lua", "return { load = function(args) print('got', #args, args[2]) end }")
  end)

-- An error of code that is not new stops the game: nothing could be taken back. It goes on, and does not begin again.
test_edits("a game that has stopped goes on when it is mended", { err = { "main.lua:1: in draw" },
  main = "n = 0 return { load = function() n = 7 end, draw = function() error('in draw') end }" }, function()
    reload("main.lua", "n = 0 return { load = function() n = 0 end, update = function() version = n end }")
    expect_version(7)
  end)
