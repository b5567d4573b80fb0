-- Files of recorded input: every game is played by random hands and replayed in another process, and what can be wrong
-- with a file. `make soak-replays` plays longer and more often (SP_REPLAY_FRAMES, SP_REPLAY_TIMES, SP_REPLAY_GAME). See
-- replay.lua for the rest.
local host <const> = require "host"
local player <const> = require "player"

local test <const>, run <const>, expect <const> = player.test, player.run, player.expect

-- {== Every game =================================================================

-- `share` of the frames: a hundred thousand objects take their time.
local GAMES <const> = {
  { name = "breakout", keys = "Space A" }, { name = "cubes", keys = "C S P R A" },
  { name = "fireworks", keys = "Space" }, { name = "footprints", keys = "C X A R" },
  { name = "random_spawn", keys = "H T S R" }, { name = "scenes", keys = "D 1 2 E A C" },
  { name = "search_vs_queue", keys = "R", share = 10 }, { name = "shooter", keys = "Space S" },
  { name = "storm", keys = "Space", share = 10 }, { name = "survivors", keys = "1 2 3 D" },
}

local HEAD <const> = [[
spawnpool-input 1
player "%s"
game "%s"
files 0
seed %d
size 800 600 1
step %a
start 1600000000
memory 1073741824
trust no
begin
]]

local function one_of(list) return list[math.random(#list)] end

local function random_events(frame, keys)
  local x <const>, y <const> = math.random(0, 799), math.random(0, 449)
  local choice <const> = math.random(#keys + 4)
  local key <const> = keys[choice] or choice == #keys + 1 and "Left" or choice == #keys + 2 and "Right"
  return ("%d mouse_move %d %d 1 -1\n"):format(frame, x, y)
    .. (key and ('%d %s "%s"\n'):format(frame, one_of { "key_down", "key_up" }, key)
      or ("%d %s %d %d 1\n"):format(frame, one_of { "mouse_down", "mouse_up" }, x, y))
end

-- Frames have 1 step, but now and then some others, none too, as in a window that is paused or late.
local function random_input(it, frames, seed)
  local keys <const>, lines <const> = {}, {}
  for key in it.keys:gmatch "%S+" do keys[#keys + 1] = key end
  math.randomseed(seed)
  lines[1] = HEAD:format(player.sh "spawnpool --version":match "%d[%d.]+", it.name, seed, 1 / 60)
  for frame = 1, frames - 1 do
    if math.random(6) == 1 then lines[#lines + 1] = random_events(frame, keys) end
    if math.random(50) == 1 then lines[#lines + 1] = ("%d steps %d\n"):format(frame, one_of { 1, 1, 0, 1, 2, 3 }) end
  end
  return table.concat(lines) .. ("%d end\n"):format(frames)
end

local function replay(it, frames, seed)
  player.save("/in", random_input(it, frames, seed))
  run { sh = ("spawnpool --headless --replay in --record-input out $SP_ROOT/scripts/%s"):format(it.name), err = false }
  local got <const> = run {
    sh = ("spawnpool --headless --replay out --size 640x400 $SP_ROOT/scripts/%s"):format(it.name),
    err = { "replay: recorded in 800x600, which the game sees; the picture is scaled to 640x400\n" },
  }
  local played <const>, hashes <const> = got.err:match ": (%d+) frames, (%d+) hash%l*, all as recorded\n$"
  expect(tonumber(played) == frames and tonumber(hashes) >= frames // 120, got.err)
end

for _, it in ipairs(GAMES) do
  test(it.name .. " replays as it was played", function()
    local chosen <const>, longer <const> = os.getenv "SP_REPLAY_GAME", tonumber(os.getenv "SP_REPLAY_FRAMES")
    if chosen and chosen ~= "" and chosen ~= it.name then return end
    local frames <const> = longer or (host.tool ~= "" and 120 or 300) // (it.share or 1)
    for seed = 1, tonumber(os.getenv "SP_REPLAY_TIMES") or 1 do replay(it, frames, seed) end
  end)
end

-- }==

-- {== Wrong files ================================================================

-- A recording without frames, of 11 lines; what follows is put behind it.
local EMPTY <const> = 'spawnpool-input 1\nplayer "x"\ngame "game"\nfiles 0\nseed 1\nsize 8 6 1\nstep 0x1p-6\nstart 1\n'
  .. "memory 1073741824\ntrust no\nbegin\n"

local NO_FRAME <const> = ":12: a line begins with the number of a frame"
local NO_KEY <const> = ":12: a key is a name in quotes"
local NO_SIZE <const> = ":12: a size has a width, a height, and the pixels per point"
local NO_CLICK <const> = ":12: a click has X, Y and a button"
local NO_DIGEST <const> = ":12: a digest has four digits, and each frame one"

local WRONG <const> = {
  { "1 end\n2 end\n", ":13: something follows the end" },
  { "2 quit\n1 quit\n", ":13: frames do not go back" },
  { "x quit\n", NO_FRAME }, { "-1 quit\n", NO_FRAME }, { "99999999999999999999 quit\n", NO_FRAME },
  { "1 dance\n", ":12: there is no such event" },
  { "1 quit now\n", ":12: the line has more than it should" },
  { "1 key_down Left\n", NO_KEY }, { '1 key_down "Left\n', NO_KEY },
  { '1 key_down "Nowhere"\n', ":12: there is no such key" },
  { "1 mouse_move 1 2 3\n", ":12: a move of the mouse has X, Y and how far it went in each" },
  { "1 mouse_down 1 2 999\n", NO_CLICK }, { "1 mouse_down 99999999999999 2 1\n", NO_CLICK },
  { "1 pad_axis 77 0\n", ":12: an axis has a number, and a value from -32768 to 32767" },
  { '1 pad_down "zz"\n', ":12: there is no such button" },
  { "1 wheel 1\n", ":12: a turn of the wheel has X and Y" },
  { '1 text "\\q"\n', ":12: typed text is in quotes, and short" },
  { "1 steps 900\n", ":12: a frame has from 0 to 5 steps" },
  { "1 size 0 5 1\n", NO_SIZE }, { "1 size 5 5 0\n", NO_SIZE }, { "1 size 5 5 nan\n", NO_SIZE },
  { "1 eval 0\n", ":12: a text in quotes is missing" },
  { '1 eval x ""\n', ":12: an object is a number" },
  { "1 hash zz\n", ":12: a hash is missing" },
  { "1 back 2\n", ":12: back goes to an earlier frame" },
  { "5 quit\n5 back 2\n2 quit\n1 quit\n", ":15: frames do not go back" },
  { "1 frames 1 12345\n", NO_DIGEST }, { "1 frames 1 12345678\n", NO_DIGEST },
}

local WRONG_HEADS <const> = {
  { "", "in:1: this is no recorded input of spawnpool" },
  { "spawnpool-input 2\n", "in:1: this version of the file cannot be read" },
  { "spawnpool-input 1\nseed 18446744073709551616\n", "in:2: a seed is a whole number" },
  { "spawnpool-input 1\nseed 1\nseed 2\n", "in:3: this was said before" },
  { "spawnpool-input 1\nseed 1\nbegin\n", "in:3: the head is not complete" },
  { "spawnpool-input 1\nseed 1\n", "in:3: the head is cut off" },
}

test("wrong files are refused with line and reason", function()
  local function refuse(text, problem)
    player.save("/in", text)
    run { main = "return {}", args = "--replay in", events = "", status = 2, err = { problem } }
  end
  for _, row in ipairs(WRONG) do refuse(EMPTY .. row[1], row[2]) end
  for _, row in ipairs(WRONG_HEADS) do refuse(row[1], row[2]) end
end)

test("what was taken back is not read", function()
  player.save("/in", EMPTY .. '1 quit\n2 steps 3\n2 text "a"\n3 quit\n4 back 1\n2 text "b"\n3 back 2\n3 end\n')
  run {
    main = [[return { update = function() print "step" end, text_input = print,
      quit = function() print "quit" return false end }]],
    args = "--replay in", out = "quit\nstep\nb\nstep\nstep\n", err = { "replay: 3 frames" },
  }
end)

-- }==
