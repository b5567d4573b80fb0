-- Keys, the mouse, the window and its focus, as the game and the player get them.

-- A game that prints what it is told; `more` are entries of its table.
local function diary(more)
  return ([[local game = { %s }
    for _, name in ipairs { 'key_pressed', 'key_released', 'mouse_pressed', 'mouse_released', 'mouse_moved', 'wheel',
        'text_input', 'resized', 'focus', 'draw' } do
      game[name] = function(...) print(name, table.unpack({ ... }, name == 'draw' and 2 or 1)) end
    end
    function game.update() print('update', require('spawnpool').input.mouse()) end
    function game.quit() print 'quit' return true end
    return game]]):format(more or "")
end

-- What the game prints of a frame that comes after these events; `expected` words are parted by tabs.
local function expect_diary(events, expected)
  local out <const> = run { main = diary(), args = "--frames 1 --size 64x48", events = events }.out
  local short <const> = out:gsub("update\t[^\n]*", "update"):gsub("\t", " "):gsub("\n$", ""):gsub("\n", ", ")
  if short ~= expected then error(("the game says\n%s\nexpected\n%s"):format(short, expected), 2) end
end

test("events come before the frame", function()
  expect_diary("+left +left -left down:3,4,3 up:3,4,3", -- one of them is a repeat
    "key_pressed left, key_released left, mouse_pressed 3 4 2, mouse_released 3 4 2, update, draw")
  expect_diary({ "wheel:1,-2", { kind = "wheel", x = 0, y = 1, flipped = 1 }, "text \u{e9}", "text `",
    { kind = "text", name = "ab" }, "unfocus focus" }, -- the backtick is the key of the console
    "wheel 1 -2, wheel 0 -1, text_input \u{e9}, text_input ab, focus false, focus true, update, draw")
end)

test("a paused game steps one frame at a time, and hears no keys", function()
  expect_diary("+F6 +a +F7", "update, draw")
  run { main = "local n = 0 return { update = function() n = n + 1 print(n) end }", args = "--size 64x48",
    at = { "F7", [10] = "F7", [20] = "quit" }, out = "1\n2\n" } -- the step key pauses first
end)

test("escape and closing the window ask the game to quit", {
  { main = diary(), args = "--frames 1000", events = "+Escape", out = { "quit\n" }, lacks = "update" },
  { args = "--frames 1000", events = "quit", out = { "quit\n" }, lacks = "update" },
})

test("escape closes what is open first", function()
  expect_diary("+F1 +Escape +F2", "update, draw")
  expect_diary("F3 Escape +down", "key_pressed down, update, draw")
  expect_diary({ "`", "text `", "Escape", "a" }, "key_pressed a, key_released a, update, draw")
end)

-- The names, in lower case, of keys that the player leaves to games.
test("keys have names", function()
  local events <const>, said <const> = {}, {}
  for i, name in ipairs { "Space", "A", "Return", "Left Shift", "F12", "-", "\u{e4}" } do
    events[i], said[i] = { kind = "key_down", name = name }, "key_pressed\t" .. name:lower() .. "\n"
  end
  run { main = diary(), args = "--frames 1", events = events, out = said }
end)

test("a script asks for what is held", function()
  run { args = "--frames 1", main = [[local input = require('spawnpool').input
    return { update = function()
      print(input.down('left'), input.down('right'), input.down('right', 'Left'), input.mouse()) end }]],
    { events = "+left down:12,34,3", out = "true\tfalse\ttrue\t12\t34\tfalse\ttrue\tfalse\n" },
    { events = "left down:1,2,3 up:5,6,3 down:7,8,2", out = "false\tfalse\tfalse\t7\t8\tfalse\tfalse\ttrue\n" },
    { events = "+left down:1,2 unfocus", out = { "false\tfalse\tfalse\t1\t2\tfalse\tfalse\tfalse\n" } },
  }
end)

-- Ctrl+C copies the page of an error, and the notice of an edit that is refused.
test("an error can be copied", function()
  if not host.clipboard "nothing" then return host.skip("an error can be copied", "no clipboard") end
  run({ main = "error 'boom'", args = "--size 400x300", status = 1, err = false }, function()
    press("C-c", 3)
    local page <const> = host.clipboard()
    expect(page:find("game/main.lua:1: boom\n    error 'boom'\n", 1, true)
      and page:find("until you save a fix", 1, true), page)
    save("main.lua", "return {}")
    press("F5", 4)
    save("main.lua", "return {")
    press("F5", 4)
    press("C-c", 3)
    local notice <const> = host.clipboard()
    expect(notice:find "near <eof>\n.*\n  not reloaded: main.lua; still running the previous version\n", notice)
  end)
end)

-- In the first game 2 pixels a unit, with 8 free above and below; the second move stays in its unit.
test("positions are in units of the view, which are points without a size of its own", {
  { main = diary "width = 32, height = 24", args = "--frames 1 --size 64x64",
    events = "move:64,48 move:65,48 move:72,40 down:8,4",
    out = "mouse_moved\t32\t20\t32\t24\nmouse_moved\t36\t16\t4\t-4\nmouse_pressed\t4\t-2\t1\n"
      .. "update\t4\t-2\ttrue\tfalse\tfalse\ndraw\n" },
  { main = diary(), args = "--frames 1", events = "move:5,6 move:15,4",
    out = "mouse_moved\t5\t6\t5\t6\nmouse_moved\t15\t4\t10\t-2\nupdate\t15\t4\tfalse\tfalse\tfalse\ndraw\n" },
})

test("a game has its size and title, and is told of another size", {
  main = [[return { title = 'Diary', width = 32, height = 24, resized = function(w, h)
    local view = require('spawnpool').view print(w, h, view.width, view.height) end }]],
  args = "--frames 20",
  at = { [2] = function()
    equal({ host.window() }, { 960, 720, "Diary" }) -- on a screen of 1024 x 768
    host.window(320, 240)
  end },
  out = "320\t240\t32\t24\n",
})

test("F11 and Alt+Enter are full screen, and not Enter", {
  main = "return { resized = print, key_pressed = print }", args = "--frames 12 --size 320x200",
  at = { [3] = "F11", [6] = "A-Return", [9] = "Return" }, out = "1024\t768\n320\t200\nreturn\n",
})

-- The frames without focus do not count, where the game pauses.
test("a game goes on while another window has the focus, unless it says otherwise", function()
  local pictures = 0
  local main <const> = "local n = 0 return { %s update = function() n = n + 1 print(n) end }"
  run { args = "--frames 3", out = "1\n2\n3\n", each = function(picture) pictures = picture end,
    at = { "unfocus", [40] = "focus" },
    { main = main:format "" },
    { main = main:format "pause_unfocused = true," },
  }
  expect(pictures > 40, "%d pictures", pictures)
end)
