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

-- Rows: events, and the line then, with "|" where the cursor is. Each begins with an empty line.
test_seen("keys edit the line as in a shell, and cut no character in two", function()
  for _, row in ipairs {
    { "text hello", "Home Left Delete Right Backspace", "|llo" },
    { "text ab", "End Right Delete", "ab|" },
    { 'text pools:alloc("Cube")', "C-w R-Left C-k", "pools:|" },
    { "text one two", "C-a C-Right C-u", "| two" },
    { "text a one_two", "C-e C-Left C-Delete C-Backspace", "|" },
    { "text a\u{e4}\u{20ac}\u{1f3b2}", "Left Left Backspace Delete", "a|\u{1f3b2}" },
  } do
    press({ "C-c", row[1], row[2], "text |" }, 1)
    equal(typed(), row[3], tostring(row[2]))
  end
end)

test_seen("of a long line the end is seen, in whole letters", function()
  press { "text " .. ("x"):rep(300), "text end" }
  local letters <const> = #typed()
  expect(letters < 100 and typed():find "end$", typed())
  press { "C-c", "text " .. ("\u{e4}"):rep(300) }
  equal(utf8.len(typed()), letters)
end)

test_seen("the history keeps lines and the one that is begun", function()
  press { "line 1", "line 2 + 1", "line 2 + 1", "line ", "line 3" }
  press "text begun"
  for _, row in ipairs { { "Up", "3" }, { "Up Up", "1" }, { "Down Down Down Down", "begun" },
    { "Up Up Return Up", "2 + 1" } } do
    press(row[1])
    equal(typed(), row[2], row[1])
  end
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

test_seen("the wheel and keys scroll", function()
  local function last_said() return said()[#said()].text end
  press "line for i = 1, 2000 do print(i) end"
  for _, row in ipairs { { "", "2000" }, { "wheel:0,2", "1994" }, { "PageDown", "2000" } } do
    press(row[1])
    equal(last_said(), row[2])
  end
end)

-- }==
