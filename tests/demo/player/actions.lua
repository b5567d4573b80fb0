-- Actions, gamepads apart from each other, and fingers: pressed, held, released, recorded, replayed and gone back to.

-- The value of an expression in the game, where `input` is spawnpool.input.
local function ask(expression)
  return host.ask("local input = require('spawnpool').input return " .. expression)
end

-- A game with actions that prints those that are pressed (+), released (-) and held (=) in each step that has any.
local DIARY <const> = [[local input = require('spawnpool').input
  local count = 0
  local function say(sign, names) return #names > 0 and sign .. table.concat(names, sign) or "" end
  return { actions = { jump = { "space", "w", "mouse:right", "pad:a" }, left = { "left", "pad:-leftx" },
      fire = "pad2:x", aim = { "pad:rightx" } },
    update = function()
      local lists = { {}, {}, {} }
      for _, name in ipairs { "jump", "left", "fire", "aim", "e" } do
        for i, call in ipairs { "pressed", "released", "down" } do
          if input[call](name) then table.insert(lists[i], name) end
        end
      end
      count = count + 1
      local line = say("+", lists[1]) .. say("-", lists[2]) .. say("=", lists[3])
      if line ~= "" then print(count .. " " .. line) end
    end }]]

-- {== Actions ====================================================================

-- Each frame of `at` has events; the first has number 0.
local function expect_diary(at, out, args)
  run { main = DIARY, args = "--frames 6 " .. (args or ""), at = at, out = out }
end

test("an action is pressed in one step, held until it is released", function()
  expect_diary({ "+Space", [3] = "-Space" }, "2 +jump=jump\n3 =jump\n4 -jump\n")
  expect_diary({ "+w +Space", [2] = "-w", [3] = "-Space" }, "2 +jump=jump\n3 -jump=jump\n4 -jump\n")
  expect_diary({ "down:5,5,3 +Left", [2] = "up:5,5,3" },
    "2 +jump+left=jump=left\n3 -jump=left\n4 =left\n5 =left\n6 =left\n")
end)

test("a press and its release between two steps are both seen by the next one", function()
  expect_diary({ "Space", [3] = "e e" }, "2 +jump-jump\n4 +e-e\n")
  run { main = DIARY, args = "--frames 1", events = "Space Space", out = "1 +jump-jump\n" }
end)

test("what is pressed while the game is paused is held later, and was not pressed", function()
  run { main = DIARY, args = "--frames 6", at = { "F6", [2] = "+Space", [3] = "F6" }, out = { "=jump\n" },
    lacks = "+jump" }
end)

test("names are actions, keys, buttons and axes", { main = DIARY, args = "--size 64x48", out = false }, function()
  push "+a +Left down:1,1"
  frames(1)
  equal({ ask "input.down('a')", ask "input.down('LEFT')", ask "input.down('mouse:left')",
    ask "input.down('mouse:1', 'b')", ask "input.down('mouse:right')", ask "input.value('a')",
    ask "input.value('left', 'b')", ask "input.down('pad:a')" }, { true, true, true, true, false, 1.0, 1.0, false })
  expect_error("bad argument #1 to 'pressed' %(no action or key is called 'jmup'; the nearest is 'jump'%)", ask,
    "input.pressed('jmup')")
  expect_error("gamepad must be an integer from 1 to 8, got 9", ask, "input.pad(9)")
end)

-- }==

-- {== The table in main.lua ======================================================

test("what is wrong with actions is said with its line, and the rest works", function()
  run {
    main = [[return {
      actions = { jump = { "spcae", "w" }, ["1"] = true, fire = { 7 }, [2] = {}, x = "pad:jump" },
      update = function() print(require('spawnpool').input.down('jump', 'fire', 'x')) end }]],
    args = "--frames 1", events = "+w", out = "true\n",
    err = { 'main.lua:2: actions must have names, as jump has in { jump = { "space", "pad:a" } }',
      'main.lua:2: actions.1 must have names like "space", "mouse:left", "pad:a", got a boolean',
      "main.lua:2: actions.fire must have names", "got a number",
      "main.lua:2: actions.jump: no key, button or axis is called 'spcae'; the nearest is 'space'",
      "main.lua:2: actions.x: no key, button or axis is called 'pad:jump'" },
  }
  run { main = "return { actions = 5 }", args = "--frames 1", events = "",
    err = { "main.lua:1: actions must be a table such as", "got a number" } }
end)

test("edited actions take effect at once", { main = DIARY, args = "--size 64x48", err = false }, function()
  push "+k"
  frames(1)
  equal(ask "input.down('jump')", false)
  save("main.lua", (DIARY:gsub('"space"', '"k"'):gsub("fire", "shoot")))
  press "F5"
  equal({ ask "input.down('jump')", ask "input.down('shoot')" }, { true, false })
  expect_error("no action or key is called 'fire'", ask, "input.down('fire')")
end)

-- }==

-- {== Gamepads and fingers =======================================================

local TWO <const> = "pad1:in pad2:in"
local test_pads <const> = tests { main = DIARY, args = "--size 640x480", err = false, before = TWO }

test_pads("gamepads are apart from each other", function()
  press("pad2:+a pad1:leftx=-32768", 1)
  equal({ ask "input.pad(1).connected", ask "input.pad(2).connected", ask "input.pad(3).connected" },
    { true, true, false })
  equal({ ask "input.pad(1).down('a')", ask "input.pad(2).down('a')", ask "input.pad(2):down('a')",
    ask "input.pad(1).down('jump')", ask "input.pad(2).down('jump')", ask "input.down('jump')" },
    { false, true, true, false, true, true })
  equal({ ask "input.pad(1).axis('leftx')", ask "input.pad(2).axis('leftx')", ask "input.axis('leftx')",
    ask "input.pad(1).value('left')", ask "input.pad(1).value('+leftx')", ask "input.pad(2).down('left')" },
    { -1.0, 0.0, -1.0, 1.0, 0.0, false })
  equal({ ask "input.pad('a')", ask "input.pad()", ask "input.down('pad2:a')", ask "input.down('pad1:a')" },
    { true, true, true, false })
  press("+Space", 1)
  equal({ ask "input.pad(1).down('jump')", ask "input.down('jump')" }, { false, true })
end)

test_pads("a stick is pressed once on its way out, and once more after it came back",
  { out = "6 +left=left\n7 =left\n8 =left\n9 -left\n11 +left=left\n" }, function()
    for _, x in ipairs { -25000, -18400, -32768, -5000, -19000, -30000 } do press("pad1:leftx=" .. x, 1) end
  end)

test_pads("a gamepad keeps its number while another goes, and the one that comes takes the free number",
  { err = { "gamepad 1 is gone", "gamepad 2 is gone" } }, function()
    press("pad1:+a", 1)
    press("pad1:out", 1)
    equal({ ask "input.pad(1).connected", ask "input.pad(1).down('a')", ask "input.pad(2).connected" },
      { false, false, true })
    expect_seen "gamepad 1 is gone"
    press("pad2:+x", 1)
    equal({ ask "input.pad(2).down('x')", ask "input.down('fire')" }, { true, true })
    press("pad3:in", 1)
    equal({ ask "input.pad(1).connected", ask "input.pad(3).connected" }, { true, false })
    press("pad3:+b", 1)
    equal(ask "input.pad(1).down('b')", true)
    press("pad2:out", 1)
  end)

test_pads("callbacks get the number of the gamepad",
  { main = "return { pad_pressed = print, pad_released = print }", out = "a\t2\na\t2\n" }, function()
    press("pad2:+a pad2:-a", 1)
  end)

-- Just out of the middle a stick is small, not a jump.
test_pads("sticks rest in the middle and reach one", function()
  for _, row in ipairs { { "leftx", 5000, 0 }, { "leftx", 32767, 1 }, { "leftx", -32768, -1 },
    { "righty", 8000, 0.055 }, { "lefttrigger", -32768, 0 }, { "lefttrigger", 32767, 1 } } do
    press(("pad1:%s=%d"):format(row[1], row[2]), 1)
    near(ask(("input.axis('%s')"):format(row[1])), row[3], 1e-3)
  end
end)

test_pads("gamepads are released when the window loses the focus", { out = false }, function()
  press("pad2:+a pad1:leftx=32767", 1)
  press("unfocus", 1)
  equal({ ask "input.pad('a')", ask "input.axis('leftx')", ask "input.pad()" }, { false, 0.0, true })
end)

local function finger(kind, number, x, y) return { kind = "finger_" .. kind, finger = number, x = x, y = y } end

local FINGERS <const> = [[local input, count = require('spawnpool').input, 0
  return { width = 200, height = 100, update = function()
    count = count + 1
    for _, it in ipairs(input.fingers()) do
      print(count, it.id, it.x, it.y, it.pressed and "+" or "", it.released and "-" or "")
    end
  end }]]

test("fingers have numbers, and positions in units of the view", function()
  run {
    main = FINGERS, args = "--frames 5",
    at = { { finger("down", 700, 50, 50), finger("down", 800, 25, 0) }, [2] = { finger("move", 800, 75, 10) },
      [3] = { finger("up", 700, 50, 50), finger("down", 900, 0, 0), finger("up", 900, 1, 1) } },
    out = "2\t1\t100\t50\t+\t\n2\t2\t50\t0\t+\t\n3\t1\t100\t50\t\t\n3\t2\t150\t10\t\t\n"
      .. "4\t1\t2\t1\t+\t-\n4\t2\t150\t10\t\t\n5\t2\t150\t10\t\t\n",
  }
end)

-- }==

-- {== Recorded, replayed, gone back to ============================================

local PLAYED <const> = [[local spawnpool = require 'spawnpool'
  local input, pools = spawnpool.input, spawnpool.pools
  spawnpool.class("Dot", { fields = { n = 0 } })
  return { actions = { jump = { "space", "pad:a" } }, update = function()
    local dot = pools:alloc("Dot", 1)
    dot.n = (input.pressed "jump" and 1 or 0) + (input.down "jump" and 2 or 0) + (input.released "jump" and 4 or 0)
      + 8 * (input.pad(2).down "a" and 1 or 0) + (input.pad(1).connected and 16 or 0)
      + (input.pad(2).connected and 32 or 0)
    dot.x, dot.y = input.pad(2).axis "leftx", input.pad(1).axis "leftx"
    for _, finger in ipairs(input.fingers()) do dot.x, dot.y = finger.x + finger.id, finger.y end
  end }]]

test("actions, gamepads and fingers are replayed exactly, in frames that have none of them too", function()
  run({ main = PLAYED, args = "--size 640x480 --record-input in", err = false, before = TWO }, function()
    press({ "Space", finger("down", 5, 10, 10) }, 3)
    press("pad2:+a pad2:leftx=-30000 pad1:leftx=20000", 2)
    press({ "+Space", finger("move", 5, 20, 20) }, 2)
    press("pad1:out", 1)
    press({ finger("up", 5, 20, 20), "-Space" }, 2)
    press("pad2:-a", 71)
  end)
  expect_text(read "/in", { '"pad_added","frame":4}', '"finger_down"', '"finger":1', '"pad":2', '"pad_removed"' })
  run { args = "--frames 1000 --synctest --replay in", err = { "all as recorded\n" }, out = false }
end)

test_pads("the timeline goes back to what was pressed, and lets go of what is held no longer", { main = PLAYED },
  function()
    press("pad1:+a pad2:leftx=32767", 90)
    press("F10", 4)
    press("Left", 4)
    press("pad1:-a", 1)
    press("Return", 4)
    equal({ ask "input.pad(1).connected", ask "input.down('jump')", ask "input.pad(2).connected" },
      { true, false, true })
  end)

-- }==
