-- The console in a running player: lines that are typed run in the game, and keys are the console's while it is open.
local player <const> = require "player"
local host <const> = require "host"

local run <const> = player.run

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
