-- A finished game, as it is played by people who have not written it; what it may ask of its window; what it is called.

local MENU <const> = [[local open = false
  return { key_pressed = function(key)
    if key == 'escape' and not open then open = true print 'menu' return true end
  end, quit = function() print 'quit' end }]]

test("escape belongs to a game that takes it, and quits when it does not", {
  main = MENU, at = { "Escape", [3] = "Escape", [9] = "quit" }, out = "menu\nquit\n", { args = "" },
  { args = "--release" },
})

test("a game ends itself, unless its own quit() refuses", function()
  run { main = [[local spawnpool <const> = require 'spawnpool' local n = 0
    return { update = function() n = n + 1 print(n) if n >= 2 then spawnpool.quit() end end,
      quit = function() return n < 4 end }]], args = "--frames 100", out = "1\n2\n3\n4\n" }
  sh "spawnpool --headless --frames 100 --record-input in game"
  run { sh = "spawnpool --headless --replay in game", out = "1\n2\n3\n4\n", err = { "all as recorded" } }
end)

test("a finished game has the keys of its author's tools, and is not reloaded",
  { main = "return { key_pressed = function(key) print(key) end }", args = "--release",
    at = { "F1 F2 F3 F5 F6 F7 F8 F9 F10 `", [2] = function() save("main.lua", "print 'new' return {}") end,
      [3] = "F5", [9] = "quit" }, out = "f1\nf2\nf3\nf5\nf6\nf7\nf8\nf9\nf10\n`\nf5\n" })

test("an error in a finished game is told to people who play it, and lies in a log for its author", function()
  run({ main = "return { key_pressed = function(key) if key == 'b' then error 'boom' end end }",
    args = "--release --record-input in", status = 1, err = false }, function()
      press "b"
      expect_seen("The game has stopped", "A start from a terminal", "Esc closes it")
      expect_unseen("boom", "F5")
    end)
  run { main = [[return { id = 'org.test.log', title = 'Lantern', version = '1.5',
    update = function() print 'before' error 'boom' end }]],
    sh = "XDG_DATA_HOME=$PWD/data spawnpool --headless --release --frames 5 game", status = 1, out = false,
    err = false }
  expect_text(read "/data/spawnpool/org.test.log/error.log", { "Lantern 1.5 org.test.log", "spawnpool ", "Lua 5.4",
    "in frame 1", "main.lua:2: boom", "\nbefore\n" })
end)

test("a game sets its window", { main = [[local window <const> = require('spawnpool').window
  return { title = 'first', load = function()
    assert(window.title == 'first' and window.cursor == true and window.fullscreen == false)
    window.title, window.cursor, window.fullscreen = 'second', false, true
    assert(window.title == 'second' and window.cursor == false and window.fullscreen == true)
    for _, bad in ipairs { function() window.cursor = 1 end, function() window.title = {} end,
        function() window.other = 1 end, function() return window.other end } do
      local done, why = pcall(bad)
      print(done, (why:gsub('^[^:]*:%d+: ', '')))
    end
  end }]], args = "--frames 2", out = { "false\t", "false\t", "has no field 'other'", "has no field 'other'" } })

local STORES <const> = [[local storage <const> = require('spawnpool').storage
  print(storage.load 'n') storage.save('n', (storage.load 'n' or 0) + 1)
  return { id = 'com.example.lantern' }]]

test("what a game with an id stores stays, wherever it lies", function()
  save("main.lua", STORES)
  run { sh = "export XDG_DATA_HOME=$PWD/data; spawnpool --headless --frames 1 game && cp -r game other && "
    .. "spawnpool --headless --frames 1 other", out = "nil\tnone\n1\n" }
  equal(sh "ls data/spawnpool", "com.example.lantern\n")
end)

test("ids, versions and icons that cannot be used are problems", function()
  paint("sprites/wide.png", 32, 16, RED)
  for entry, problem in pairs {
    ["id = 'a/b'"] = "id must have 1 to 64", ["id = '..'"] = "id must have",
    ["id = 'shooter-1a2b3c4d'"] = "id must have",
    ["id = 'a' .. 'b'"] = "id must stand in main.lua as plain text", ["id = 5"] = "id must be a string, got number",
    ["version = {}"] = "version must be a string, got table", ["icon = '../x.png'"] = "icon must name a file",
    ["icon = 'sprites/none.png'"] = "icon must name a file", ["icon = 'sprites/bad.png'"] = "icon must be a PNG",
    ["icon = 'sprites/wide.png'"] = "icon must be as wide as high",
  } do
    run { main = "return { " .. entry .. " }", files = { ["sprites/bad.png"] = "text" }, status = 1, out = false,
      sh = "spawnpool --check game", err = { "main.lua:1: " .. problem } }
  end
end)

test("an id is found in the text, however the table is written", {
  sh = "spawnpool --check game", out = "checked 1 file: no problems\n",
  { main = "-- id = 'no'\nlocal bosses <const> = { { id = 'no' } }\nlocal game <const> = { title = [[id = 'no']],\n"
    .. "  load = function() local t = { id = 'no' } return t end, id = \"a.b\" } return game" },
  { main = "local M = {}\nM.id = 'a.b'\nfunction M.load() return { id = 'no' } end\nreturn M" },
})
