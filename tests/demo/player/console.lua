-- The console in a running player: lines that are typed run in the game, and keys are the console's while it is open.

local GAME <const> = [[note = print
  return { update = function() print 'update' end, quit = function() print 'quit' end,
  key_pressed = function(key) print('pressed', key) end, key_released = function(key) print('up', key) end }]]

-- A test of one frame: the console is opened by its key, `events` come, and the game prints `out` before its update.
local function test(name, events, out, fields)
  player.test(name, function()
    if fields and fields.clipboard and not host.clipboard(fields.clipboard) then
      return host.skip(name, "no clipboard")
    end
    local all <const> = { table.unpack(fields and fields.before or {}) }
    if not (fields and fields.closed) then
      all[#all + 1] = "`"
      all[#all + 1] = "text `" -- the letter of that key
    end
    table.move(events, 1, #events, #all + 1, all)
    run { main = GAME, args = "--frames 1", events = all, exec = fields and fields.exec, out = out .. "update\n",
      err = fields and fields.err }
  end)
end

test("keys are the console's while it is open", { "b", "line note('typed')", "`", "c" },
  "pressed\ta\nup\ta\ntyped\npressed\tc\nup\tc\n", { before = { "a" } })

test("escape closes the console and quits nothing", { "Escape", "a" }, "pressed\ta\nup\ta\n")

test("a key that was held is let go for the game", { "-Left" }, "pressed\tleft\nup\tleft\n", { before = { "+Left" } })

test("the key left of the 1 opens it, whatever it prints",
  { { kind = "key_down", name = "^", scancode = 53 }, "text ^", "line note('typed')" }, "typed\n", { closed = true })

test("lines go on until the text is complete, and are kept", { "line for i = 1, 2 do", "line note(i)", "line end",
  "line i = 2", "Up Up Up Backspace", "line  + 5)" }, "1\n2\n7\n")

test("Ctrl+C gives up what was begun", { "line for i = 1, 2 do", "C-c", "line note('one line')" }, "one line\n")

test("tab completes what is shared", { "text not", "Tab", "text ('x', poo", "Tab", "text .al", "Tab Tab",
  "line  and 'y')", "text pools.time", "Tab", "line " }, "x\ty\n0.0\n", { err = false }) -- time, time_scale

-- In turn: hue_, hue_a, hue_b; then hue_c backwards, and for a new word hue_a. At the end the word is complete.
test("further tabs cycle through the words", {
  "line hue_a, hue_b, hue_c = 'a', 'b', 'c'",
  "text note(hue", "Tab Tab Tab", "line )",
  "text note(hue_", "Tab", { kind = "key_down", name = "Left Shift", mod = 1 }, "S-Tab", "text , hue_", "Tab",
  "Tab Tab Tab Tab End Tab", "line )",
  "text note()", "Left", "text hue", "Tab S-Tab", "line ", -- in the middle of a line
}, "b\nc\ta\nc\n")

-- The names share half a character.
test("tab completes whole characters", { "line spawnpool.class 'K\u{e4}lte' spawnpool.class 'K\u{f6}nig'",
  "line function alloc(type) note(#type) end", "text alloc('K", "Tab", "line ')", "text alloc('K\u{f6}", "Tab",
  "line ')" }, "1\n6\n")

test("errors of what is typed stop nothing", { "line error 'typed'", "line x = = 1", "line note('after')" }, "after\n",
  { err = false })

test("the object of the inspector is sel", { "line note(sel)" }, "Cube#1 (live)\n",
  { before = { "F3", "click:100,100" }, err = false,
    exec = { "local o = pools:alloc('Cube', 0, { x = 100, y = 100, radius = 20 })" } })

test("a pasted text runs line by line", { "C-v", "Return" }, "a\nb\nc\n",
  { clipboard = "note('a')\r\nnote(\n'b')\nnote('c')" })

-- {== What is seen of it =========================================================

local WHITE <const>, GREY <const>, GREEN <const> = 0xf0f0f5, 0xa0a5b4, 0x82e196
local YELLOW <const>, RED <const> = 0xfad264, 0xff7369

-- A test in a window with the console open.
local function test_seen(name, fn, fields)
  player.test(name, function()
    local it <const> = fields or {}
    it.main, it.args, it.err = it.main or "return {}", "--size 640x480 --no-watch", false
    run(it, function()
      press { "`", "text `" }
      fn()
    end)
  end)
end

-- The line that is typed: what stands behind the sign, the last text of all but the state at its right.
local function typed()
  local texts <const> = host.texts()
  for i, it in ipairs(texts) do
    if it.text:find "^>>? $" and it.color == GREEN then
      local line <const> = texts[i + 1]
      return line and line.y == it.y and line.color == WHITE and line.text or ""
    end
  end
end

-- The lines above that, by their colours, from the top.
local function said()
  local lines <const> = {}
  for i, it in ipairs(host.texts()) do
    if it.text:find "^>>? $" then break end
    lines[i] = it
  end
  table.sort(lines, function(a, b) return a.y < b.y or a.y == b.y and a.x < b.x end)
  return lines
end

local function last_said()
  local lines <const> = said()
  return lines[#lines] and lines[#lines].text
end

-- Rows: events, and the line then, with "|" where the cursor is. Each begins with an empty line.
local function expect_lines(rows)
  for _, row in ipairs(rows) do
    local events <const> = { "C-c" }
    table.move(row, 1, #row - 1, 2, events)
    events[#events + 1] = "text |"
    press(events, 1)
    equal(typed(), row[#row], tostring(row[2]))
  end
end

test_seen("keys edit at the cursor and nothing lies beyond the ends", function()
  expect_lines {
    { "text helo", "Left", "text l", "hell|o" }, { "text hello", "Home Left Delete", "|ello" },
    { "text ello", "Right Backspace Backspace", "el|" }, { "text el", "Backspace Backspace Backspace Backspace", "|" },
    { "text ab", "Home C-Left Backspace C-Backspace", "|ab" }, { "text ab", "Home End C-Right Delete C-Delete", "ab|" },
  }
end)

test_seen("control keys are those of a shell", function()
  local ALLOC <const>, WORDS <const> = 'text pools:alloc("Cube")', "text one \u{e4}hn two"
  expect_lines {
    { ALLOC, "C-w", 'pools:alloc("|' }, { ALLOC, "C-w R-Left", 'pools:|alloc("' },
    { ALLOC, "C-w R-Left C-k", "pools:|" },
    { "text pools:", "C-a C-Right", "pools|:" }, { "text pools:", "C-a C-Right C-u", "|:" },
    { "text :", "C-a C-e", ":|" },
    { WORDS, "C-Home", "|one \u{e4}hn two" }, { WORDS, "C-Home C-Delete", "| \u{e4}hn two" },
    { WORDS, "C-Home C-Delete C-End C-Left C-Backspace", " |two" }, { "text one", "C-q", "one|" },
    { "text one two", "C-Left C-Left", "|one two" },
    { "text a one_two", "C-w", "a |" },
  }
end)

-- Bytes that no character begins can be edited away, too.
test_seen("characters are never cut in two", function()
  local ALL <const>, STRAY <const> = "text a\u{e4}\u{20ac}\u{1f3b2}", { kind = "text", name = "\x82\xac\x62\xac" }
  expect_lines {
    { ALL, "Left Left", "a\u{e4}|\u{20ac}\u{1f3b2}" }, { ALL, "Left Left Left", "a|\u{e4}\u{20ac}\u{1f3b2}" },
    { ALL, "Home Right Right Right", "a\u{e4}\u{20ac}|\u{1f3b2}" }, { ALL, "Backspace", "a\u{e4}\u{20ac}|" },
    { ALL, "Left Left Backspace", "a|\u{20ac}\u{1f3b2}" }, { ALL, "Home Right Delete", "a|\u{20ac}\u{1f3b2}" },
    { STRAY, "Left", "\x82\xac|\x62\xac" }, { STRAY, "Left Backspace", "|\x62\xac" },
    { STRAY, "Left Backspace Delete", "|" },
  }
end)

-- Of a character that does not fit as a whole there is nothing.
test("a line has an end and it is that of a character", { "text note(#'')", "Left Left", "text " .. ("x"):rep(2037),
  "text \u{e4}", "line " }, "2037\n")

test_seen("a long line moves by letters so that its end is seen", function()
  press("text " .. ("x"):rep(300))
  local letters <const> = #typed()
  press { "C-c", "text " .. ("\u{e4}"):rep(300) }
  equal({ utf8.len(typed()), letters < 100 }, { letters, true })
  press "text end"
  expect(typed():find "end$", typed())
end)

test_seen("the history keeps lines and the one that is begun", function()
  press { "line 1", "line 2 + 1", "line 2 + 1", "line ", "line 3" }
  press "text begun"
  for _, row in ipairs { { "Up", "3" }, { "Up Up", "1" }, { "Down", "2 + 1" }, { "Down Down Down", "begun" },
    { "Up Up C-Backspace", "2 + " }, { "C-Up q", "2 + " }, { "Return Up Up Up", "2 + 1" } } do
    press(row[1])
    equal(typed(), row[2], row[1])
  end
  press "Return Down"
  equal(typed(), "")
end)

test_seen("the oldest lines are forgotten first", function()
  for i = 1, 210 do push("line x" .. i) end
  press { ("Up "):rep(220) }
  equal(typed(), "x11")
end)

test_seen("an error has details and a hint below it, and equal lines are counted", function()
  press { "line for i = 1, 60 do print 'tick' end warn 'tick'", "line print 'a\tb'", "line boom()" }
  local lines <const> = said()
  local at = 1
  for _, row in ipairs { { "tick", WHITE }, { "x60", GREY }, { "tick", YELLOW }, { "a       b", WHITE },
    { "'prnt'", RED }, { "prnt(1)", GREY },
    { "hint: did you mean 'print'?", GREEN } } do
    while lines[at] and not (lines[at].text:find(row[1], 1, true) and lines[at].color == row[2]) do at = at + 1 end
    expect(lines[at], row[1])
  end
end, { main = "function boom()\n  prnt(1)\nend\nreturn {}" })

test_seen("lines that are read stay while others are added", function()
  press "line for i = 1, 2000 do print(i) end"
  equal(last_said(), "2000")
  press "wheel:0,2"
  equal({ last_said(), seen "PageDown: newer output" ~= nil }, { "1994", true })
  press { "text say()" } -- a timer says more
  press({}, 40)
  equal(last_said(), "1994")
  press "wheel:0,-100"
  equal(last_said(), "later")
  press(("PageUp "):rep(200)) -- the oldest one is at the top, with as many below it as there is room for
  local lines <const> = said()
  equal({ lines[1].text, #lines > 8 }, { "1003", true })
  press "PageDown"
  equal(tonumber(said()[1].text), 1003 + #lines - 1)
end, { exec = { "pools:after(0.5, function() print 'late' print 'later' end)" } })

-- }==

player.test("an empty console says what it is for, until there is something to read",
  { main = "return {}", args = "--size 800x600", out = false }, function()
    press { "`", "text `" }
    expect_seen("Lua that runs in the game", "Tab completes")
    press "line 1"
    expect_unseen "Lua that runs in the game"
  end)
