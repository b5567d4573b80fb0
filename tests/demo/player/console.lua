-- The console in a running player: lines that are typed run in the game, and keys are the console's while it is open.

local GAME <const> = [[note = print
  return { update = function() print 'update' end, quit = function() print 'quit' end,
  key_pressed = function(key) print('pressed', key) end, key_released = function(key) print('up', key) end }]]

local OPEN <const> = { "`", "text `" } -- the key, whose letter is not typed

-- One frame; what the game prints stands before its update.
local test <const> = tests { main = GAME, args = "--frames 1" }

test("keys are the console's while it is open", { events = { "a", OPEN, "b", "line note('typed')", "`", "c" },
  out = "pressed\ta\nup\ta\ntyped\npressed\tc\nup\tc\nupdate\n" })

test("a key that was held is let go for the game", { events = { "+Left", OPEN, "-Left" },
  out = "pressed\tleft\nup\tleft\nupdate\n" })

test("the key left of the 1 opens it, whatever it prints", {
  events = { { kind = "key_down", name = "^", scancode = 53 }, "text ^", "line note('typed')" },
  out = "typed\nupdate\n" })

test("lines go on until the text is complete, and are kept", { events = { OPEN, "line for i = 1, 2 do", "line note(i)",
  "line end", "line i = 2", "Up Up Up Backspace", "line  + 5)" }, out = "1\n2\n7\nupdate\n" })

test("Ctrl+C gives up what was begun", { events = { OPEN, "line for i = 1, 2 do", "C-c", "line note('one line')" },
  out = "one line\nupdate\n" })

test("tab completes what is shared", { events = { OPEN, "text not", "Tab", "text ('x', poo", "Tab", "text .al",
  "Tab Tab", "line  and 'y')", "text pools.time", "Tab", "line " }, -- time, time_scale
  out = "x\ty\n0.0\nupdate\n", err = false })

test("the object of the inspector is sel", { events = { "F3", "click:100,100", OPEN, "line note(sel)" },
  exec = { "local o = pools:alloc('Cube', 0, { x = 100, y = 100, radius = 20 })" },
  out = "Cube#1 (live)\nupdate\n", err = false })

player.test("a pasted text runs line by line", function()
  if not host.clipboard "note('a')\r\nnote(\n'b')\nnote('c')" then
    return host.skip("a pasted text runs line by line", "no clipboard")
  end
  run { main = GAME, args = "--frames 1", events = { OPEN, "C-v", "Return" }, out = "a\nb\nc\nupdate\n" }
end)

local WHITE <const>, GREY <const>, GREEN <const> = 0xf0f0f5, 0xa0a5b4, 0x82e196
local YELLOW <const>, RED <const> = 0xfad264, 0xff7369

-- In a window with the console open.
local test_seen <const> = tests { main = "return {}", args = "--size 640x480 --no-watch", before = OPEN, err = false }

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

test_seen("an error has details and a hint below it, stops nothing, and equal lines are counted", {
  main = "function boom()\n  prnt(1)\nend\nreturn {}" }, function()
  press { "line for i = 1, 60 do print 'tick' end warn 'tick'", "line print 'a\tb'", "line boom()" }
  local lines <const> = said()
  local at = 1
  for _, row in ipairs { { "tick", WHITE }, { "x60", GREY }, { "tick", YELLOW }, { "a       b", WHITE },
    { "'prnt'", RED }, { "prnt(1)", GREY },
    { "hint: did you mean 'print'?", GREEN } } do
    while lines[at] and not (lines[at].text:find(row[1], 1, true) and lines[at].color == row[2]) do at = at + 1 end
    expect(lines[at], row[1])
  end
end)

test_seen("the wheel and keys scroll", function()
  local function last_said() return said()[#said()].text end
  press "line for i = 1, 2000 do print(i) end"
  for _, row in ipairs { { "", "2000" }, { "wheel:0,2", "1994" }, { "PageDown", "2000" } } do
    press(row[1])
    equal(last_said(), row[2])
  end
end)
