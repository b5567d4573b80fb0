-- Files of recorded input: what can be wrong with them. games.lua replays every game, see replay.lua for the rest.
local recorded <const> = require "recorded"

local line <const> = recorded.line

local NO_OBJECT <const> = ":2: the line is not a JSON object"

-- Behind the head.
local WRONG <const> = {
  { line(1, "end") .. line(2, "end"), ":3: something follows the end" },
  { line(2, "quit") .. line(1, "quit"), ":3: frames do not go back" },
  { '{"kind":"quit"}\n', ":2: 'frame' is missing" }, { line(-1, "quit"), ":2: 'frame' is a whole number from 0 to " },
  { '{"frame":1e999,"kind":"quit"}\n', ":2: 'frame' is" }, { '{"frame":1}\n', ":2: 'kind' is missing" },
  { line(1, "dance"), ":2: there is no kind 'dance'" },
  { line(1, "quit", '"a\\nb":true'), ":2: 'a?b' is not known here" },
  { line(1, "quit", '"frame":1'), ":2: 'frame' is there twice" },
  { line(1, "quit", '"ended":1'), ":2: 'ended' is true, or left out" },
  { line(1, "key_down", '"key":"Nowhere"'), ":2: there is no key 'Now" },
  { line(1, "mouse_move", '"x":1,"y":2,"dx":3'), ":2: 'dy' is missing" },
  { line(1, "wheel", '"x":1e7,"y":2'), ":2: 'x' is a whole number from -1000000 to 1000000" },
  { line(1, "pad_axis", '"axis":77,"value":0'), ":2: 'axis' is a whole number from 0 to 5" },
  { line(1, "pad_down", '"button":"zz"'), ":2: there is no button 'zz'" },
  { line(1, "pad_down", '"pad":9,"button":"a"'), ":2: 'pad' is a whole number from 1 to 8" },
  { line(1, "finger_up", '"finger":11,"x":1,"y":2'), ":2: 'finger' is a whole number from 1 to 10" },
  { line(1, "text", ('"text":"%s"'):format(("a"):rep(32))), ":2: 'text' is a text of less than 32 bytes" },
  { line(1, "steps", '"count":900'), ":2: 'count' is a whole number from 0 to 5" },
  { line(1, "size", '"width":5,"height":5,"density":0'), ":2: 'density' is a number from 0.01 to 100" },
  { line(1, "eval", '"object":0,"text":""'), ":2: 'object' " },
  { line(1, "hash", '"hash":"00000000000000000"'), ":2: 'hash' is a text of 1 to 16 hexadecimal digits" },
  { line(1, "pool", '"pool":"Dot","parts":[]'), ":2: 'parts' is an object" },
  { line(1, "back", '"to":2'), ":2: 'to' is a later frame" },
  { "[1]\n", NO_OBJECT }, { '{"frame":1,"kind":"quit"} x\n', NO_OBJECT }, { ("["):rep(100000) .. "\n", NO_OBJECT },
  { line(1, "error", '"text":"\\\\\\u0000"'), ":2: there is a NUL in the line" },
  { line(1, "error", '"text":"a\xff"'), ":2: the line is no UTF-8" },
  { (" "):rep(9 << 20) .. "\n", ":2: the line is longer than 8388608 bytes" },
}

local head <const> = recorded.head
local NONE <const> = "in:1: not a recording of spawnpool"

local WRONG_HEADS <const> = {
  { "", NONE .. ", or its head is cut off" }, { head():sub(1, -2), NONE .. ", or its head is cut off" },
  { head { format = '"other"' }, NONE },
  { head { version = "3" }, "in:1: a newer spawnpool wrote this: version 3 of the format, this one reads 2" },
  { head { version = "1" }, 'in:1: recorded with order "fifo", which was the default: ' },
  { head { step = "0.0000001" }, "in:1: 'step' is a number from 1e-06 to 1" },
  { head { arguments = '["a"' .. (',"a"'):rep(64) .. "]" }, "in:1: 'arguments' is a list of up to 64 texts" },
  { head():gsub('"player":"x",', ""), "in:1: 'player' is missing" },
  { head():gsub('"seed"', '"sown":1,"seed"'), "in:1: 'sown' is not known here" },
}

test("wrong files are refused with line and reason", function()
  local function refuse(text, problem)
    save("/in", text)
    run { main = "return {}", args = "--replay in", events = "", status = 2, err = { problem }, err_lines = 1 }
  end
  for _, row in ipairs(WRONG) do refuse(head() .. row[1], row[2]) end
  for _, row in ipairs(WRONG_HEADS) do refuse(row[1], row[2]) end
end)

test("what cannot be recorded exactly is refused", {
  main = "return {}", args = "--record-input in", status = 2,
  { rest = "\xff", err = { "is no UTF-8\n" } }, { rest = ("a "):rep(65), err = { "more than 64 arguments\n" } },
})
