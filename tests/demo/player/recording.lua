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

local HEAD <const> = '{"spawnpool-input":1,"player":"%s","game":"%s","files":"0","seed":"%x","width":800,"height":600,'
  .. '"density":1,"step":%.17g,"start":1600000000,"memory":1073741824,"arguments":[]}\n'

local function line(frame, what) return ('{"frame":%d,"do":%s}\n'):format(frame, what) end

local function one_of(list) return list[math.random(#list)] end

local function random_events(frame, keys)
  local x <const>, y <const> = math.random(0, 799), math.random(0, 449)
  local choice <const> = math.random(#keys + 4)
  local key <const> = keys[choice] or choice == #keys + 1 and "Left" or choice == #keys + 2 and "Right"
  return line(frame, ('"mouse_move","x":%d,"y":%d,"dx":1,"dy":-1'):format(x, y)) .. line(frame,
    key and ('"%s","key":"%s"'):format(one_of { "key_down", "key_up" }, key)
      or ('"%s","x":%d,"y":%d,"button":1'):format(one_of { "mouse_down", "mouse_up" }, x, y))
end

-- Frames have 1 step, but now and then some others, none too, as in a window that is paused or late.
local function random_input(it, frames, seed)
  local keys <const>, lines <const> = {}, {}
  for key in it.keys:gmatch "%S+" do keys[#keys + 1] = key end
  math.randomseed(seed)
  lines[1] = HEAD:format(player.sh "spawnpool --version":match "%d[%d.]+", it.name, seed, 1 / 60)
  for frame = 1, frames - 1 do
    if math.random(6) == 1 then lines[#lines + 1] = random_events(frame, keys) end
    if math.random(50) == 1 then
      lines[#lines + 1] = line(frame, ('"steps","count":%d'):format(one_of { 1, 1, 0, 1, 2, 3 }))
    end
  end
  return table.concat(lines) .. line(frames, '"end"')
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

local EMPTY <const> = HEAD:format("x", "game", 1, 1 / 64)

local NO_LINE <const> = "in:2: this is no JSON object, on a line of its own"
local COORDINATE <const> = " is a whole number from -1000000 to 1000000"
local NO_FRAME <const> = 'in:2: "frame" is a whole number from 0 to 1099511627776'

local WRONG <const> = {
  { line(1, '"end"') .. line(2, '"end"'), "in:3: something follows the end" },
  { line(2, '"quit"') .. line(1, '"quit"'), "in:3: frames do not go back" },
  { "x\n", NO_LINE }, { "[]\n", NO_LINE }, { "{}{}\n", NO_LINE }, { "{\n", NO_LINE }, { "\n", NO_LINE },
  { ('{"a":'):rep(5000) .. "1" .. ("}"):rep(5000) .. "\n", NO_LINE },
  { '{"do":"quit"}\n', NO_FRAME }, { '{"frame":-1,"do":"quit"}\n', NO_FRAME },
  { '{"frame":1.5,"do":"quit"}\n', NO_FRAME }, { '{"frame":1e99,"do":"quit"}\n', NO_FRAME },
  { '{"frame":"1","do":"quit"}\n', NO_FRAME },
  { '{"frame":1}\n', 'in:2: "do" is no entry of a recording' },
  { line(1, '"dance"'), 'in:2: "do" is no entry of a recording' },
  { line(1, '"quit","now":1'), 'in:2: "now" is not known here' },
  { line(1, '"quit","ended":1'), 'in:2: "ended" is true or false' },
  { line(1, '"quit","frame":1'), 'in:2: "frame" was said before' },
  { line(1, '"key_down"'), 'in:2: "key" is missing' },
  { line(1, '"key_down","key":"Left","key":"Left"'), 'in:2: "key" was said before' },
  { line(1, '"key_down","key":"Nowhere"'), 'in:2: "key" is the name of a key' },
  { line(1, '"key_down","key":5'), 'in:2: "key" is the name of a key' },
  { line(1, '"mouse_move","x":1,"y":2,"dx":3'), 'in:2: "dy" is missing' },
  { line(1, '"mouse_down","x":1,"y":2,"button":999'), '"button" is a whole number from 0 to 255' },
  { line(1, '"mouse_down","x":1e9,"y":2,"button":1'), '"x"' .. COORDINATE },
  { line(1, '"wheel","x":1,"y":null'), '"y"' .. COORDINATE },
  { line(1, '"pad_axis","axis":77,"value":0'), '"axis" is a whole number from 0 to 5' },
  { line(1, '"pad_axis","axis":1,"value":40000'), '"value" is a whole number from -32768 to 32767' },
  { line(1, '"pad_down","button":"zz"'), '"button" is the name of a button of a gamepad' },
  { line(1, '"text","text":"' .. ("x"):rep(40) .. '"'), '"text" is a short string' },
  { line(1, '"steps","count":900'), '"count" is a whole number from 0 to 5' },
  { line(1, '"size","width":0,"height":5,"density":1'), '"width" is a whole number from 1 to ' },
  { line(1, '"size","width":5,"height":5,"density":0'), '"density" is a number from 0 to 100' },
  { line(1, '"eval","object":"0"'), '"text" is missing' },
  { line(1, '"eval","object":"x","text":""'), '"object" is a string of 1 to 16 hexadecimal digits' },
  { line(1, '"hash","all":"00112233445566778","pools":{}'), '"all" is a string of 1 to 16 hexadecimal digits' },
  { line(1, '"hash","all":"1","pools":[]'), '"pools" is an object' },
  { line(1, '"back","to":2'), '"to" is an earlier frame' },
  { line(5, '"quit"') .. line(5, '"back","to":2') .. line(2, '"quit"') .. line(1, '"quit"'),
    "in:5: frames do not go back" },
  { line(1, '"digests","from":1,"digits":"12345"'), '"digits" has four hexadecimal digits for each frame' },
  { line(1, '"digests","from":1,"digits":"12345678"'), '"digits" has four hexadecimal digits for each frame' },
  { "\0\n", "in: the file has NUL bytes" }, { '{"a":"\xff"}\n', "in:2: this is no UTF-8" },
  { line(1, '"eval","object":"0","text":"' .. ("x"):rep(5 << 20) .. '"'), "in:2: a line has at most 4 MiB" },
}

local NO_RECORDING <const> = "in:1: this is no recorded input of spawnpool"
local WRONG_HEADS <const> = {
  { "", NO_RECORDING }, { "{}", NO_RECORDING }, { "{}\n", NO_RECORDING }, { "spawnpool-input 1\n", NO_RECORDING },
  { '{"spawnpool-input":2,"more":1}\n', "in:1: this version of the file cannot be read; a newer spawnpool may do it" },
  { EMPTY:gsub('"seed":"1"', '"seed":1'), 'in:1: "seed" is a string of 1 to 16 hexadecimal digits' },
  { EMPTY:gsub('"seed"', '"seed":"1",%0'), 'in:1: "seed" was said before' },
  { EMPTY:gsub('"memory":%d+,', ""), 'in:1: "memory" is missing' },
  { EMPTY:gsub("%[%]", "[1]"), 'in:1: "arguments" is a list of at most 64 strings' },
  { EMPTY:gsub('"step":[%d.]+', '"step":1e-9'), 'in:1: "step" is a number from ' },
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
  player.save("/in", EMPTY .. line(1, '"quit"') .. line(2, '"steps","count":3') .. line(2, '"text","text":"a"')
    .. line(3, '"quit"') .. line(4, '"back","to":1') .. line(2, '"text","text":"b"') .. line(3, '"back","to":2')
    .. line(3, '"end"'))
  run {
    main = [[return { update = function() print "step" end, text_input = print,
      quit = function() print "quit" return false end }]],
    args = "--replay in", out = "quit\nstep\nb\nstep\nstep\n", err = { "replay: 3 frames" },
  }
end)

-- }==
