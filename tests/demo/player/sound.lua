-- Voices of a game: how they live, what is heard of them, and what is told of mistakes. Runs without a window save
-- their sound step by step, so that every sample can be compared.
local player <const> = require "player"
local spec <const> = require "spec"
local host <const> = require "host"

local test <const>, run <const>, expect <const> = player.test, player.run, player.expect

local LOUD <const> = 10000

local HEAD <const> = [[local spawnpool = require 'spawnpool'
  local pools, audio = spawnpool.pools, spawnpool.audio
  local function voices() return pools:pool('Voice').live end
  local game, step = {}, 0
]]

-- A square wave, so that every sample tells how loud it is.
local function tone(name, seconds, amplitude)
  spec.make_folder(player.path(name):match "^(.*)/")
  host.tone(player.path(name), seconds, amplitude)
end

local function add_tones()
  tone("sounds/hit.wav", 0.5, LOUD)
  tone("sounds/shot.wav", 0.1, LOUD // 2)
end

-- Plays a game: what `load` and each `step` do, behind `head`. The run saves its sound; without that it must say the
-- same, `out`. `peaks`: { from, to, left, right }, a row for each stretch of seconds.
local function play(it)
  local frames <const> = it.frames or 5
  add_tones()
  for name, text in pairs(it.files or {}) do player.save(name, text) end
  local main <const> = ("%s%s\nfunction game.load() %s end\nfunction game.update() step = step + 1 %s end return game")
    :format(HEAD, it.head or "", it.load or "", it.step or "")
  run { main = main, args = "--frames " .. frames, out = it.out or "", err = it.err }
  run { args = ("--frames %d --sound out.wav"):format(frames), out = it.out or "", err = it.err }
  local stretches <const> = {}
  for _, row in ipairs(it.peaks or {}) do table.move(row, 1, 2, #stretches + 1, stretches) end
  local peaks <const>, samples <const> = host.peaks(player.path "/out.wav", stretches)
  spec.equal(samples, frames * 800)
  for i, row in ipairs(it.peaks or {}) do
    spec.equal({ peaks[2 * i - 1], peaks[2 * i] }, { row[3], row[4] }, ("from %g to %g s"):format(row[1], row[2]))
  end
  return peaks
end

-- {== Voices =====================================================================

test("the end of the sample ends the life of its voice", function()
  play { frames = 40,
    load = "local v = audio.play('hit') print(v, v.lifetime, v.sound, v.volume, v.pan, v.loop, v.pinned)",
    step = "if step % 10 == 0 then print(step, voices()) end",
    out = "Voice#1 (live)\t0.5\thit\t1.0\t0.0\tfalse\tfalse\n10\t1\n20\t1\n30\t1\n40\t0\n",
    peaks = { { 0, 0.5, LOUD, LOUD }, { 23999 / 48000, 0.5, LOUD, LOUD }, { 0.5, 0.66, 0, 0 } } }
end)

test("fields change a living voice, and recycle stops it", function()
  play { frames = 150, head = "local v",
    load = [[v = audio.play('hit', { loop = true, pinned = true, volume = 0.5, pan = -1 })
      print(v.remaining, v.pinned, v.volume, v.pan)]],
    step = [[if step == 61 then v.pan = 1 end if step == 91 then v.volume = 0.1 end
      if step == 121 then print(v:recycle(), v.alive) end]],
    out = "inf\ttrue\t0.5\t-1.0\ntrue\tfalse\n",
    peaks = { { 0.1, 0.95, LOUD // 2, 0 }, { 1.1, 1.45, 0, LOUD // 2 }, { 1.6, 1.95, 0, LOUD // 10 },
      { 2.1, 2.5, 0, 0 } } }
end)

-- 0.5 s from the start of the round in which it was turned off.
test("a loop that is turned off ends with its round", function()
  play { frames = 105, head = "local v", load = "v = audio.play('hit', { loop = true })",
    step = [[if step == 66 then v.loop = false end
      if step == 60 or step == 90 or step == 92 then print(step, v.alive) end]],
    out = "60\ttrue\n90\ttrue\n92\tfalse\n",
    peaks = { { 1.2, 1.45, LOUD, LOUD }, { 1.55, 1.75, 0, 0 } } }
end)

test("the pool has 32 voices, and pinned ones stay", function()
  play { load = [[local first = audio.play('hit', { pinned = true, volume = 0 })
      for i = 1, 40 do audio.play 'shot' end
      local p = pools:pool 'Voice' print(p.limit, p.overflow, p.live, first.alive, p:stats().evicted)
      p:set('pinned', true) print(audio.play 'hit')]],
    out = "32\toldest\t32\ttrue\t9\nnil\tfull\n" }
end)

local LAST <const> = "local function last() local v for o in pools:pool('Voice'):each() do v = o end return v end\n"

test("a class sounds where its objects are", function()
  play { frames = 70, head = LAST .. [[spawnpool.class('Gun', { sound = 'shot' })
      spawnpool.class('Box', { sound = { spawn = 'shot', recycle = 'hit' } })
      local Late = spawnpool.class('Late', { sound = 'shot' })
      function Late:alloc(s, x) local o = Late.super.alloc(self, s) o.x = x return o end
      spawnpool.class('Mute', { extends = 'Box', sound = {} })]],
    load = "pools:alloc('Gun', 0, 800, 0) local v = last() print(voices(), v.sound, v.pan, v.x, v.visible)",
    step = [[if step == 15 then pools:alloc('Late', 0, 0) end if step == 16 then print(last().pan) end
      if step == 30 then pools:alloc('Box', 0.5, 400, 0) print(voices()) end
      if step == 61 then print(last().sound, last().pan) pools:alloc('Box') pools:alloc('Mute') end
      if step == 62 then pools:recycle_all 'Mute' pools:recycle_all 'Box' print(voices()) end
      if step == 63 then local other = spawnpool.new() other:alloc('Gun') print(voices()) end]],
    out = "1\tshot\t1.0\t800.0\tfalse\n-1.0\n1\nhit\t0.0\n2\n2\n", err = false,
    peaks = { { 0.02, 0.08, 0, LOUD // 2 }, { 0.28, 0.33, LOUD // 2, 0 }, { 0.5, 0.58, LOUD // 2, LOUD // 2 } } }
end)

-- At twice the size and turned by a right angle, what was 100 below the middle is 200 on its right.
test("a class sounds where the camera sees its objects", function()
  play { frames = 3, head = LAST .. [[spawnpool.class('Gun', { sound = 'shot' })
      function game.draw(g) g:camera(5000, 300, 2, math.pi / 2) end]],
    step = "if step > 1 then pools:alloc('Gun', 0, 5000, 200 + 100 * step) print(last().pan) end", out = "0.5\n1.0\n" }
end)

test("the game may have a class of its own", function()
  play { frames = 20, files = { ["pools/Voice.lua"] = [[local spawnpool = require 'spawnpool'
      local Voice = spawnpool.class('Voice', { limit = 2, fields = { volume = 0.5, mood = 'calm' } })
      function Voice:alloc(s, t) t.pan = -0.5 print(s, t.sound) return Voice.super.alloc(self, s, t) end
      return Voice]] },
    load = "local v = audio.play('hit') print(v.volume, v.mood, v.pan, v.visible, v.pool.limit, v.pool.overflow)",
    step = "if step == 2 then print(pools:alloc('Voice', 0, { sound = 'shot' }).volume) end",
    out = "0.5\thit\n0.5\tcalm\t-0.5\tfalse\t2\toldest\n0\tshot\n0.5\n" }
end)

-- It ends with its sample, too.
test("a voice from alloc is a voice", function()
  play { frames = 40, head = "local v", load = "v = pools:alloc('Voice', 0, { sound = 'hit' })",
    step = "if step % 20 == 0 then print(v.alive) end", out = "true\nfalse\n",
    peaks = { { 0.1, 0.45, LOUD, LOUD }, { 0.55, 0.66, 0, 0 } } }
end)

-- Music that is played already goes on, at full volume.
test("music and master volume", function()
  play { frames = 240, load = "print(audio.music('hit', { volume = 0.5 }), audio.volume(), audio.mute(), voices())",
    step = [[if step == 61 then print(audio.music 'hit') end
      if step == 91 then print(audio.volume(0.2)) end
      if step == 121 then print(audio.mute(true)) end
      if step == 151 then audio.mute(false) audio.volume(1) audio.music(nil) audio.play 'shot' end
      if step == 181 then audio.music('shot', { loop = false }) end
      if step == 211 then audio.music 'hit' audio.play('hit', { pinned = true }) audio.stop() end
      if step == 212 then print(voices()) end]],
    out = "true\t1.0\tfalse\t0\ntrue\n0.20000000298023\ntrue\n0\n",
    peaks = { { 0.1, 0.95, LOUD // 2, LOUD // 2 }, { 1.1, 1.45, LOUD, LOUD }, { 1.6, 1.95, LOUD // 5, LOUD // 5 },
      { 2.1, 2.45, 0, 0 }, { 2.52, 2.58, LOUD // 2, LOUD // 2 }, { 2.65, 2.95, 0, 0 },
      { 3.03, 3.08, LOUD // 2, LOUD // 2 }, { 3.15, 3.45, 0, 0 }, { 3.55, 3.95, 0, 0 } } }
end)

-- Half a second of 441 Hz, encoded: as long, and about as loud.
test("Ogg files are played", function()
  player.sh "mkdir game/sounds && cp $SP_ROOT/tests/demo/sounds/tone.ogg game/sounds"
  play { frames = 40, head = "local v", load = "v = audio.play 'tone' print(v.lifetime)",
    step = "if step % 20 == 0 then print(v.alive) end", out = "0.5\ntrue\nfalse\n", peaks = { { 0.52, 0.66, 0, 0 } } }
  local peak <const> = host.peaks(player.path "/out.wav", { 0.1, 0.4 })[1]
  expect(peak > 12000 and peak < 20000, "%d", peak)
end)

test("without the default manager there are no voices", function()
  play { load = "pools:close() print(audio.play 'hit') audio.music 'hit' audio.stop() audio.volume(1)",
    out = "nil\tclosed\n", peaks = { { 0, 0.08, 0, 0 } } }
end)

-- }==

-- {== Mistakes ===================================================================

test("a voice that fails harms nobody", function()
  add_tones()
  run {
    files = { ["pools/Voice.lua"] = "local spawnpool = require 'spawnpool'\n"
      .. "return spawnpool.class('Voice', { on_spawn = function() error 'hoarse' end })" },
    main = HEAD .. [[spawnpool.class('Gun', { sound = { spawn = 'hit', recycle = 'hit' } })
      function game.load()
        local gun = pools:alloc('Gun') print(gun, gun:recycle(), voices())
        print(pcall(audio.play, 'hit'))
      end
      return game]],
    status = 1, out = { "Gun#1 (stale)\ttrue\t0\nfalse\t" }, err = { "Gun.sound: ", "pools/Voice.lua:2: hoarse" },
  }
end)

test("fields of a voice stay what they are", function()
  add_tones()
  run {
    main = HEAD .. [[function game.load()
        spawnpool.class('Voice', { fields = { volume = 'loud' } })
        print(pcall(audio.play, 'hit'))
        spawnpool.class('Voice', { fields = { loop = spawnpool.any() } })
        print(pcall(audio.play, 'hit'))
        spawnpool.class('Voice', { fields = { pan = spawnpool.live(0.5) } })
        print(audio.play('hit').pan)
      end
      return game]],
    out = { "class 'Voice': field 'volume' is built in and holds a number\n",
      "class 'Voice': field 'loop' is built in and holds a boolean\n0.5\n" },
    err = false,
  }
end)

test("mistakes are told with the line that makes them", function()
  local rows <const> = {
    { "audio.play()", "#1 to 'play' (string expected, got no value)" },
    { "audio.play(3)", "#1 to 'play' (string expected, got number)" },
    { "audio.play '../main'", "#1 to 'play' (a sound is named like its file in sounds/" },
    { "audio.play 'a/b'", "#1 to 'play' (a sound is named like its file in sounds/" },
    { "audio.play 'a\\0b'", "#1 to 'play' (a sound is named like its file in sounds/" },
    { "audio.play('hit', 3)", "#2 to 'play' (table expected, got number)" },
    { "audio.play('hit', { vol = 1 })", "#2 to 'play' (no option 'vol'; the nearest is 'volume')" },
    { "audio.play('hit', { 1 })", "#2 to 'play' (no option 'number')" },
    { "audio.play('hit', { pan = 'x' })", "#2 to 'play' (pan must be a number, got a string)" },
    { "audio.play('hit', { pan = 0 / 0 })", "#2 to 'play' (pan must be a finite number)" },
    { "audio.play('hit', { loop = 1 })", "#2 to 'play' (loop must be a boolean, got a number)" },
    { "audio.music('hit', { pan = 1 })", "#2 to 'music' (no option 'pan')" },
    { "audio.volume(2)", "#1 to 'volume' (a number from 0 to 1 expected)" },
    { "audio.mute(1)", "#1 to 'mute' (boolean expected, got number)" },
    { "spawnpool.class('A', { sound = 'a/b' })", "class 'A': sound must be the name of a file in sounds/" },
    { "spawnpool.class('A', { sound = { spwn = 'b' } })", "class 'A': sound has no entry 'spwn'" },
    { "spawnpool.class('Voice', { overflow = 'error', limit = 0 }) and audio.play 'hit'",
      "pool 'Voice' is full (limit 0)" },
  }
  local main <const>, parts <const> = { HEAD .. "function game.load()" }, {}
  for i, row in ipairs(rows) do
    main[i + 1] = ("print(pcall(function() return (%s) end))"):format(row[1])
    parts[i] = ("main.lua:%d: %s%s"):format(5 + i, row[2]:find "^#" and "bad argument " or "", row[2])
  end
  add_tones()
  run { main = table.concat(main, "\n") .. "\nend return game", out = parts }
end)

test("a missing sound is told once, and its voice lives in silence", function()
  add_tones()
  run {
    main = HEAD .. "spawnpool.class('Gun', { sound = 'gun' })\n"
      .. "function game.load() audio.play 'hat' pools:alloc 'Gun' end\n"
      .. "function game.update() step = step + 1 audio.play('hat')\n"
      .. "  if step == 1 then print(audio.music 'hut') pools:alloc 'Gun' print(voices()) end\n"
      .. "  if step == 9 then spawnpool.class('Voice').limit = 1 end\nend\nreturn game",
    out = "false\n4\n", err_lines = 3,
    err = { "main.lua:6: no sound 'hat' (the nearest is 'hit'): save ",
      "/sounds/hat.wav or .ogg, and it plays from the next time on; until then it is silent\n",
      "class 'Gun': no sound 'gun'", "main.lua:8: no sound 'hut'" },
  }
end)

-- Nothing is played then, and no file of a sound is opened.
test("a game with sounds can be checked", function()
  run { main = HEAD .. "audio.play 'hit' audio.music 'hat' audio.stop() return game", sh = "spawnpool --check game" }
end)

-- What is beyond the folder is not read, also by a link.
test("files of the game only", function()
  tone("/outside.wav", 0.5, LOUD)
  tone("sounds/hit.wav", 0.5, LOUD)
  spec.link("../../outside.wav", player.path "sounds/link.wav")
  player.save("sounds/text.wav", "no sound at all")
  play { load = "audio.play 'link' audio.play 'text'", peaks = { { 0, 0.08, 0, 0 } }, err = { "sounds/link.wav: ",
    "sounds/text.wav: neither a WAV nor an Ogg Vorbis file; it is silent until you save it again\n" } }
end)

-- }==

-- {== A device ===================================================================

-- A window that nobody sees, and a driver of SDL that writes what a device would play, and says so.
local ON_DISK <const> = "SDL_VIDEODRIVER=dummy SDL_AUDIODRIVER=disk SDL_DISKAUDIOFILE=device.raw spawnpool "

-- Voices and the music, which is streamed, behind the second wall.
test("a device plays the same", function()
  add_tones()
  run {
    main = HEAD .. [[function game.load() audio.music('hit', { volume = 0.5 }) audio.play 'shot' end
      function game.update() step = step + 1 if step == 40 then audio.play('shot') end end
      return game]],
    sh = ON_DISK .. "--frames 70 game", err = { "You are using the SDL disk i/o audio driver!" }, lacks = "warning",
  }
  local bytes <const>, peak = player.read "/device.raw", 0
  expect(#bytes > 70 * 800 * 4 // 2, "%d bytes", #bytes)
  for at = 1, #bytes - 1, 2 do peak = math.max(peak, math.abs((("<i2"):unpack(bytes, at)))) end
  spec.near(peak, LOUD, LOUD / 50)
end)

-- }==

-- {== The games ==================================================================

-- Ten seconds of shots and explosions: all steps, loud enough, not too loud, on both sides.
test("the shooter is heard", function()
  run { game = "$SP_ROOT/scripts/shooter", args = "--seed 1 --frames 600 --sound out.wav --stats stats.json" }
  local peaks <const>, samples <const> = host.peaks(player.path "/out.wav", { 0, 10 })
  spec.equal(samples, 480000)
  local sums <const> = { 0, 0 }
  local bytes <const> = player.read "/out.wav"
  for at = 45, #bytes - 3, 4 do
    local left <const>, right <const> = ("<i2i2"):unpack(bytes, at)
    sums[1], sums[2] = sums[1] + (left / 32768) ^ 2, sums[2] + (right / 32768) ^ 2
  end
  for side = 1, 2 do
    expect(peaks[side] > 8000 and peaks[side] < 32767, "loudest: %d", peaks[side])
    expect((sums[side] / samples) ^ 0.5 > 0.02, "mean: %g", (sums[side] / samples) ^ 0.5)
  end
  spec.near(sums[1] / sums[2], 1, 0.5)
  local voice <const> = player.read("/stats.json"):match '"final":true.*{"type":"Voice",([^}]*)'
  expect(tonumber(voice:match '"allocs":(%d+)') > 100 and tonumber(voice:match '"peak":(%d+)') <= 32, voice)
end)

-- The sounds in the tree are those that the script makes; other machines may round a sine differently.
test("the sounds of the games are those of the script", function()
  local made <const> = player.sh [[for game in $SP_ROOT/scripts/*/sounds; do
      mkdir -p made/$(basename $(dirname $game))/sounds; done
    here=$PWD; cd $SP_ROOT && lua5.4 demo/audio/game_sounds.lua $here/made && cd scripts && ls */sounds/* &&
    cd $here/made && ls */sounds/*]]
  local all, times = 0, {}
  for name in made:gmatch "[^\n]+" do times[name] = (times[name] or 0) + 1 end
  for name, count in pairs(times) do
    spec.equal(count, 2, name)
    local file <close> = io.open("scripts/" .. name, "rb")
    local kept <const>, new <const> = file:read "a", player.read("/made/" .. name)
    spec.equal(#kept, #new, name .. ": run make sounds")
    for at = 1, #kept - 1, 2 do
      local a <const>, b <const> = ("<i2"):unpack(kept, at), ("<i2"):unpack(new, at)
      if math.abs(a - b) > 1 then error(name .. " differs: run make sounds") end
    end
    all = all + #kept
  end
  expect(all > 100000 and all < 850000, "%d bytes", all)
end)

-- }==
