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
local function expect_diary(events, expected, args)
  local out <const> = run { main = diary(), args = "--frames 1 --size 64x48 " .. (args or ""), events = events }.out
  local short <const> = out:gsub("update\t[^\n]*", "update"):gsub("\t", " "):gsub("\n$", ""):gsub("\n", ", ")
  if short ~= expected then error(("the game says\n%s\nexpected\n%s"):format(short, expected), 2) end
end

-- {== Keys =======================================================================

test("events come before the frame", function()
  expect_diary("+left +left -left down:3,4,3 up:3,4,3", -- one of them is a repeat
    "key_pressed left, key_released left, mouse_pressed 3 4 2, mouse_released 3 4 2, update, draw")
end)

test("a paused game steps one frame at a time, and hears no keys", function()
  expect_diary("+F6 +a +F7", "update, draw")
  expect_diary("F7 F7", "update, draw") -- the step key pauses first
  run { main = "local n = 0 return { update = function() n = n + 1 print(n) end }", args = "--size 64x48",
    at = { "F7", [10] = "F7", [20] = "quit" }, out = "1\n2\n" }
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

test("an error in a key stops the game",
  { main = "return { key_pressed = function(key) error('at ' .. key) end }", args = "--frames 1000",
    events = "Space", status = 1, err = { "main.lua:1: at space" } })

-- The names, in lower case, of keys that the player leaves to games.
test("keys have names", function()
  local names <const> = { "Space", "A", "Return", "Left Shift", "F12", "1", "-", "\u{e4}" }
  local events <const>, said <const> = {}, {}
  for i, name in ipairs(names) do
    events[i], said[i] = { kind = "key_down", name = name }, "key_pressed\t" .. name:lower() .. "\n"
  end
  run { main = diary(), args = "--frames 1", events = events, out = said }
end)

local HELD <const> = [[local input = require('spawnpool').input
  return { update = function()
    print(input.down('left'), input.down('right'), input.down('right', 'Left'), input.mouse()) end }]]

test("a script asks for what is held", {
  { main = HELD, args = "--frames 1", events = "+left down:12,34,3",
    out = "true\tfalse\ttrue\t12\t34\tfalse\ttrue\tfalse\n" },
  { args = "--frames 1", events = "left down:1,2,3 up:5,6,3 down:7,8,2",
    out = "false\tfalse\tfalse\t7\t8\tfalse\tfalse\ttrue\n" },
  { args = "--frames 1", events = "+left down:1,2 unfocus", -- nothing is held any more
    out = "false\tfalse\tfalse\t1\t2\tfalse\tfalse\tfalse\n" },
})

test("more keys than fingers are survived", function()
  local names <const>, down <const>, up <const> = {}, {}, {}
  for i = 0, 25 do names[#names + 1] = string.char(97 + i) end
  for i = 0, 9 do table.move({ tostring(i), "Keypad " .. i }, 1, 2, #names + 1, names) end
  for i = 13, 24 do names[#names + 1] = "F" .. i end
  for i, name in ipairs(names) do
    down[i], up[i] = { kind = "key_down", name = name }, { kind = "key_up", name = name }
  end
  table.move(up, 1, #up, #down + 1, down)
  down[#down + 1] = "+left"
  run { main = HELD, args = "--frames 1", events = down, out = { "true\tfalse\ttrue\t" } }
end)

-- All presses and releases come before the first update.
test("a thousand keys in one frame all arrive", function()
  local events <const> = {}
  for i = 0, 499 do events[#events + 1] = string.char(97 + i % 26) end
  run {
    main = [[local a, b, c, at = 0, 0, 0, nil
      return { key_pressed = function() a = a + 1 at = at or c end,
      key_released = function() b = b + 1 end, update = function() c = c + 1 if c == 1 then print(a, b, at) end end }]],
    events = events, out = "500\t500\t0\n",
  }
end)

test("keys show the overlays where nobody looks too", function()
  local picture <const> = run { main = "return {}", args = "--frames 1", events = "F2", pixels = {} }.picture
  expect(picture.lit(0, 0, 400, 100, EMPTY) > 5000)
end)

test("a device that was reset shows the same picture", function()
  local function take(events)
    run {
      main = [[local spawnpool = require 'spawnpool' spawnpool.class('Ring', { sprite = 'ring', radius = 9 })
        return { load = function() spawnpool.pools:alloc('Ring', 0, 40, 30) end,
        draw = function(g) g:text(2, 2, 'text') g:circle(10, 30, 5) end }]],
      args = "--frames 3 --size 64x48 --screenshot out.png", events = events,
    }
    return read "/out.png"
  end
  equal(take "targets_reset device_reset device_reset", take "")
end)

-- With the page of the error or behind the notice of an edit that was refused, Ctrl+C copies what stderr has, and what
-- the player does meanwhile. A held name is a part of the page.
test("an error can be copied", function()
  if not host.clipboard "nothing" then return host.skip("an error can be copied", "no clipboard") end
  local page, notice
  run {
    main = "error 'boom'", args = "--size 400x300", status = 1, err = false,
    at = {
      [5] = "C-c",
      [8] = function() page = host.clipboard() save("main.lua", "return {}") push "F5" end,
      [12] = function() save("main.lua", "return {") push "F5" end,
      [16] = "C-c",
      [19] = function() notice = host.clipboard() push "quit" end,
    },
  }
  expect(page:find("game/main.lua:1: boom\n    error 'boom'\n", 1, true)
    and page:find("\n  The script is stopped until you save a fix; the last good frame stays.\n", 1, true), page)
  expect(notice:find("game/main.lua:1: unexpected symbol near <eof>", 1, true)
    and notice:find("\n  not reloaded: main.lua; still running the previous version\n", 1, true), notice)
end)

-- }==

-- {== Positions ==================================================================

-- 2 pixels a unit, 8 free above and below. The second move stays in its unit.
test("positions are in units of the view", {
  main = diary "width = 32, height = 24", args = "--frames 1 --size 64x64",
  events = "move:64,48 move:65,48 move:72,40 down:8,4",
  out = "mouse_moved\t32\t20\t32\t24\nmouse_moved\t36\t16\t4\t-4\nmouse_pressed\t4\t-2\t1\n"
    .. "update\t4\t-2\ttrue\tfalse\tfalse\ndraw\n",
})

test("without a size of its own a game has points",
  { main = diary(), args = "--frames 1", events = "move:5,6 move:15,4",
    out = "mouse_moved\t5\t6\t5\t6\nmouse_moved\t15\t4\t10\t-2\nupdate\t15\t4\tfalse\tfalse\tfalse\ndraw\n" })

test("wheel, text and focus", function()
  expect_diary({ "wheel:1,-2", { kind = "wheel", x = 0, y = 1, flipped = 1 }, "text \u{e9}", "text `",
    { kind = "text", name = "ab" }, "unfocus focus" }, -- the backtick is the key of the console
    "wheel 1 -2, wheel 0 -1, text_input \u{e9}, text_input ab, focus false, focus true, update, draw")
end)

-- }==

-- {== The window =================================================================

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

-- The game ends in an error unless its picture has another size from the first frame on, and if it hears the key.
test("F11 and Alt+Enter are full screen, and not Enter", function()
  local main <const> = [[local game = {}
    function game.draw(g) if g.width == 320 then error 'as small as before' end end
    function game.key_pressed(key) error(key .. ' is not for the game') end
    function game.key_released(key) error(key .. ' is not for the game') end
    return game]]
  for _, keys in ipairs { "F11", "A-Return" } do
    run { main = main, args = "--frames 3 --size 320x200", events = keys, at = {} }
  end
  run { args = "--frames 3 --size 320x200", events = "Return Escape", at = {}, status = 1,
    err = { "return is not for the game" } }
  run { main = "return { resized = print }", args = "--frames 9 --size 320x200", at = { [3] = "F11", [6] = "F11" },
    out = "1024\t768\n320\t200\n" } -- the dummy driver's desktop, and back
end)

test("a game goes on while another window has the focus",
  { main = "local n = 0 return { update = function() n = n + 1 print(n) end }", args = "--frames 3",
    at = { "unfocus" }, out = "1\n2\n3\n" })

-- The frames without focus do not count.
test("a game may pause while another window has the focus", function()
  local pictures = 0
  run {
    main = "local n = 0 return { pause_unfocused = true, update = function() n = n + 1 print(n) end }",
    args = "--frames 3", at = { "unfocus", [40] = "focus" }, each = function(picture) pictures = picture end,
    out = "1\n2\n3\n",
  }
  expect(pictures > 40, "%d pictures", pictures)
  run { args = "--frames 3", events = "unfocus", out = "1\n2\n3\n" } -- without a window there is no focus to lose
end)

-- }==
