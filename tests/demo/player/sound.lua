-- Voices of a game: how they live, what is heard of them, also of edited files, and what is told of mistakes. Runs
-- without a window save their sound step by step, so that every sample can be compared.

local LOUD <const> = 10000

local HEAD <const> = [[local spawnpool = require 'spawnpool'
  local pools, audio = spawnpool.pools, spawnpool.audio
  function voices() return pools:pool('Voice').live end
  local game, step = {}, 0
]]

local function add_tones()
  tone("sounds/hit.wav", 0.5, LOUD)
  tone("sounds/shot.wav", 0.1, LOUD // 2)
end

-- Plays a game: what `load` and each `step` do, behind `head`; its sound is saved. `peaks`: { from, to, left, right },
-- a row for each stretch of seconds. Returns what was heard.
local function play(it)
  local frames <const> = it.frames or 5
  add_tones()
  local main <const> = ("%s%s\nfunction game.load() %s end\nfunction game.update() step = step + 1 %s end return game")
    :format(HEAD, it.head or "", it.load or "", it.step or "")
  run { files = it.files, main = main, events = "", args = ("--frames %d --sound out.wav"):format(frames),
    out = it.out or "", err = it.err }
  local heard <const> = wave "/out.wav"
  equal(heard.samples, frames * 800)
  for _, row in ipairs(it.peaks or {}) do
    local from <const>, to <const>, left <const>, right <const> = table.unpack(row)
    equal({ heard.peak(from, to) }, { left, right }, ("from %g to %g s"):format(from, to))
  end
  return heard
end

local function test_played(name, it)
  test(name, function() play(it) end)
end

-- {== Voices =====================================================================

test("the end of the sample ends the life of its voice, with an output or without", function()
  local said <const> = "Voice#1 (live)\t0.5\thit\t1.0\t0.0\tfalse\tfalse\n10\t1\n20\t1\n30\t1\n40\t0\n"
  play { frames = 40, out = said, step = "if step % 10 == 0 then print(step, voices()) end",
    load = "local v = audio.play('hit') print(v, v.lifetime, v.sound, v.volume, v.pan, v.loop, v.pinned)",
    peaks = { { 0, 0.5, LOUD, LOUD }, { 23999 / 48000, 0.5, LOUD, LOUD }, { 0.5, 0.66, 0, 0 } } }
  run { events = "", args = "--frames 40", out = said }
end)

-- Volumes below 0 are 0, and a pan beyond its side is that side.
test_played("fields change a living voice, and recycle stops it", { frames = 150, head = "local v",
  load = [[v = audio.play('hit', { loop = true, pinned = true, volume = 0.5, pan = -1 })
    print(v.remaining, v.pinned, v.volume, v.pan)]],
  step = [[if step == 61 then v.pan = 1 end if step == 76 then v.volume, v.pan = 2, -0.5 end
    if step == 91 then v.volume = -1 end if step == 106 then v.volume, v.pan = 1, -7 end
    if step == 121 then print(v:recycle(), v.alive) end]],
  out = "inf\ttrue\t0.5\t-1.0\ntrue\tfalse\n",
  peaks = { { 0.1, 0.95, LOUD // 2, 0 }, { 1.1, 1.2, 0, LOUD // 2 }, { 1.3, 1.45, 2 * LOUD, LOUD },
    { 1.55, 1.7, 0, 0 }, { 1.8, 1.95, LOUD, 0 }, { 2.1, 2.5, 0, 0 } } })

-- 0.5 s from the start of the round in which it was turned off.
test_played("a loop that is turned off ends with its round",
  { frames = 105, head = "local v", load = "v = audio.play('hit', { loop = true })",
    step = [[if step == 66 then v.loop = false end
      if step == 60 or step == 90 or step == 92 then print(step, v.alive) end]],
    out = "60\ttrue\n90\ttrue\n92\tfalse\n",
    peaks = { { 1.2, 1.45, LOUD, LOUD }, { 1.55, 1.75, 0, 0 } } })

test_played("the pool has 32 voices, and pinned ones stay; without the default manager there are none",
  { load = [[local first = audio.play('hit', { pinned = true, volume = 0 })
      for i = 1, 40 do audio.play 'shot' end
      local p = pools:pool 'Voice' print(p.limit, p.overflow, p.live, first.alive, p:stats().evicted)
      p:set('pinned', true) print(audio.play 'hit')
      pools:close() print(audio.play 'hit') audio.music 'hit' audio.stop() audio.volume(1)]],
    out = "32\toldest\t32\ttrue\t9\nnil\tfull\nnil\tclosed\n", peaks = { { 0, 0.08, 0, 0 } } })

local LAST <const> = "local function last() local v for o in pools:pool('Voice'):each() do v = o end return v end\n"

test_played("a class sounds where its objects are",
  { frames = 70, head = LAST .. [[spawnpool.class('Gun', { sound = 'shot' })
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
    peaks = { { 0.02, 0.08, 0, LOUD // 2 }, { 0.28, 0.33, LOUD // 2, 0 }, { 0.5, 0.58, LOUD // 2, LOUD // 2 } } })

-- At twice the size and turned by a right angle, what was 100 below the middle is 200 on its right.
test_played("a class sounds where the camera sees its objects",
  { frames = 3, head = LAST .. [[spawnpool.class('Gun', { sound = 'shot' })
      function game.draw(g) g:camera(5000, 300, 2, math.pi / 2) end]],
    step = "if step > 1 then pools:alloc('Gun', 0, 5000, 200 + 100 * step) print(last().pan) end", out = "0.5\n1.0\n" })

test_played("the game may have a class of its own, and a voice from alloc is a voice",
  { frames = 45, files = { ["pools/Voice.lua"] = [[local spawnpool = require 'spawnpool'
      local Voice = spawnpool.class('Voice', { limit = 2, fields = { volume = 0.5, mood = 'calm' } })
      function Voice:alloc(s, t) t.pan = -0.5 print(s, t.sound) return Voice.super.alloc(self, s, t) end
      return Voice]] },
    load = "local v = audio.play('hit') print(v.volume, v.mood, v.pan, v.visible, v.pool.limit, v.pool.overflow)",
    step = "if step == 35 then pools:alloc('Voice', 0, { sound = 'shot' }) end if step > 43 then print(voices()) end",
    out = "0.5\thit\n0.5\tcalm\t-0.5\tfalse\t2\toldest\n0\tshot\n0\n0\n",
    peaks = { { 0.58, 0.66, LOUD // 4, LOUD // 8 } } })

-- Music that is played already goes on, at full volume.
test_played("music and master volume",
  { frames = 240, load = "print(audio.music('hit', { volume = 0.5 }), audio.volume(), audio.mute(), voices())",
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
      { 3.03, 3.08, LOUD // 2, LOUD // 2 }, { 3.15, 3.45, 0, 0 }, { 3.55, 3.95, 0, 0 } } })

-- Half a second of 441 Hz, encoded: as long, and about as loud.
test("Ogg files are played", function()
  sh "mkdir game/sounds && cp $SP_ROOT/tests/demo/sounds/tone.ogg game/sounds"
  play { frames = 40, head = "local v", load = "v = audio.play 'tone' print(v.lifetime)",
    step = "if step % 20 == 0 then print(v.alive) end", out = "0.5\ntrue\nfalse\n", peaks = { { 0.52, 0.66, 0, 0 } } }
  local peak <const> = wave "/out.wav".peak(0.1, 0.4)
  expect(peak > 12000 and peak < 20000, "%d", peak)
end)

-- }==

-- {== The mix, sample by sample ==================================================

-- 800 samples a step; what is played in a step begins with it. A wave has half a period in 100 samples.

test("a sound plays once or in a loop, to the sample", function()
  tone("sounds/short.wav", 1000 / 48000, LOUD)
  for loop, last in pairs { [false] = 999, [true] = 2500 } do
    local heard <const> = play { load = ("audio.play('short', { loop = %s })"):format(loop) }
    for i = 0, 2500 do
      equal((heard.at(i)), i > last and 0 or i // 100 % 2 == 0 and LOUD or -LOUD, i)
    end
  end
end)

-- A jump to silence would click. What is nearly over plays to its end instead.
test("a voice that ends fades out", function()
  tone("sounds/short.wav", 2000 / 48000, LOUD)
  for name, last in pairs { hit = 0, short = LOUD } do
    local heard <const> = play { frames = 8, head = "local v", load = ("v = audio.play '%s'"):format(name),
      step = "if step == 3 then v:recycle() end" }
    expect(math.abs(heard.at(1601)) > 0.9 * LOUD, "it ends at once")
    for i = 1600, 1999 do
      if i % 100 ~= 0 then expect(math.abs(heard.at(i) - heard.at(i - 1)) <= LOUD / 100, "%d", i) end
    end
    equal(math.abs(heard.at(1999)) > 0 and LOUD or 0, last)
    equal({ heard.peak(2600 / 48000, 0.1) }, { 0, 0 })
  end
end)

test("equal sounds at once do not add up, and different ones are compressed", function()
  for i = 1, 6 do tone(("sounds/t%d.wav"):format(i), 0.5, LOUD) end
  for _, row in ipairs {
    { "for _ = 1, 2 do audio.play 't1' end", LOUD * 2 ^ 0.5, 20 },
    { "for _ = 1, 9 do audio.play 't1' end", 2 * LOUD, 20 },
    { "for i = 1, 6 do audio.play('t' .. i) end", 0.9 * 32767, 0.09 * 32767 },
  } do
    near(play { load = row[1] }.peak(0.02, 0.08), row[2], row[3])
  end
end)

-- The second half of the sound is louder.
test("a voice that is restored goes on where it was", function()
  tone("sounds/low.wav", 0.5, LOUD // 2)
  tone("sounds/high.wav", 0.5, LOUD)
  tone("sounds/both.wav", 1, LOUD)
  save("sounds/both.wav", read "sounds/both.wav":sub(1, 44) .. read "sounds/low.wav":sub(45)
    .. read "sounds/high.wav":sub(45))
  play { frames = 60, head = "local kept", load = "audio.play 'both'",
    step = [[if step == 36 then kept = pools:snapshot() end if step == 39 then audio.stop() end
      if step == 45 then pools:restore(kept) end]],
    peaks = { { 0.1, 0.45, LOUD // 2, LOUD // 2 }, { 0.55, 0.6, LOUD, LOUD }, { 0.68, 0.72, 0, 0 },
      { 0.75, 0.95, LOUD, LOUD } } }
end)

-- }==

-- {== Files ======================================================================

-- Cut off at every byte of its head, and at many behind that; or with one byte turned over.
test("a file that is cut off is silent, and a damaged one is that or has a length", function()
  tone("sounds/whole.wav", 0.01, LOUD)
  sh "cp $SP_ROOT/tests/demo/sounds/tone.ogg game/sounds/other.ogg"
  local count = 0
  for name, kind in pairs { whole = "wav", other = "ogg" } do
    local whole <const> = read(("sounds/%s.%s"):format(name, kind))
    for at = 0, #whole - 1 do
      if at < 60 or at % 31 == 0 or at == #whole - 1 then
        count = count + 1
        save(("sounds/c%d.%s"):format(count, kind), whole:sub(1, at))
        save(("sounds/d%d.%s"):format(count, kind),
          whole:sub(1, at) .. string.char(~whole:byte(at + 1) & 255) .. whole:sub(at + 2))
      end
    end
  end
  local err <const> = run { events = "", args = "--frames 1 --sound out.wav", out = "0.01\t0.5\n", err = false,
    main = ([[%s function game.load()
      print(audio.play('whole').lifetime, audio.play('other').lifetime)
      for i = 1, %d do
        local a, b = audio.play('c' .. i).lifetime, audio.play('d' .. i).lifetime
        assert(a == 1 and b > 0 and b < math.huge)
      end end return game]]):format(HEAD, count) }.err
  for i = 1, count do expect(err:find(("sounds/c%d%%.%%l+: "):format(i)), "%d: %s", i, err:sub(1, 500)) end
end)

test("a saved sound is heard at the next play", function()
  tone("sounds/hit.wav", 0.5, LOUD)
  run({ headless = true, args = "--no-watch --sound out.wav", main = HEAD .. [[
    function game.update() if voices() == 0 then length = audio.play('hit').lifetime end end return game]],
    out = { "reloaded sounds/hit.wav in ", " ms: heard from the next voice on\n" }, err = {
      "sounds/hit.wav: neither a WAV nor an Ogg Vorbis file; its last good sound stays until you save it again\n",
      "sounds/hit.wav was deleted: its last sound stays\n" } }, function()
      local function expect_length(seconds)
        press("F5", 60)
        equal(ask "return length", seconds)
      end
      expect_length(0.5)
      tone("sounds/hit.wav", 0.25, LOUD // 4)
      expect_length(0.25)
      save("sounds/hit.wav", "RIFF")
      expect_length(0.25)
      sh "rm game/sounds/hit.wav"
      expect_length(0.25)
    end)
  local heard <const> = wave "/out.wav"
  local seconds <const> = heard.samples / 48000
  equal({ heard.peak(0, 0.4) }, { LOUD, LOUD })
  equal({ heard.peak(seconds - 0.3, seconds) }, { LOUD // 4, LOUD // 4 })
end)

test("a class that gets a sound is heard", function()
  tone("sounds/hit.wav", 0.5, LOUD)
  save("pools/Gun.lua", "return require('spawnpool').class('Gun', {})")
  run({ headless = true, args = "--no-watch", out = false,
    main = HEAD .. "function game.update() pools:alloc('Gun', 0.1) end return game" }, function()
      for settings, voices in pairs { ["sound = 'hit'"] = 30, ["sound = {}"] = 0 } do
        save("pools/Gun.lua", "return require('spawnpool').class('Gun', {" .. settings .. "})")
        press("F5", 40)
        near(ask "return voices()", voices, 1)
      end
    end)
end)

-- }==

-- {== Mistakes ===================================================================

test("a voice that fails harms nobody", function()
  tone("sounds/hit.wav", 0.1, LOUD)
  run {
    files = { ["pools/Voice.lua"] = "local spawnpool = require 'spawnpool'\n"
      .. "return spawnpool.class('Voice', { on_spawn = function() error 'hoarse' end })" },
    main = HEAD .. [[spawnpool.class('Gun', { sound = { spawn = 'hit', recycle = 'hit' } })
      function game.load()
        local gun = pools:alloc('Gun')
        print(gun, gun:recycle(), pcall(audio.play, 'hit'))
      end
      return game]],
    status = 1, out = { "Gun#1 (stale)\ttrue\tfalse\t" }, err = { "Gun.sound: ", "pools/Voice.lua:2: hoarse" },
  }
end)

test("mistakes are told with the line that makes them", function()
  local rows <const> = {
    { "audio.play()", "#1 to 'play' (string expected, got no value)" },
    { "audio.play '../main'", "#1 to 'play' (a sound is named like its file in sounds/" },
    { "audio.play('hit', { vol = 1 })", "#2 to 'play' (no option 'vol'; the nearest is 'volume')" },
    { "audio.play('hit', { pan = 'x' })", "#2 to 'play' (pan must be a number, got a string)" },
    { "audio.play('hit', { pan = 0 / 0 })", "#2 to 'play' (pan must be a finite number)" },
    { "audio.play('hit', { loop = 1 })", "#2 to 'play' (loop must be a boolean, got a number)" },
    { "audio.music('hit', { pan = 1 })", "#2 to 'music' (no option 'pan')" },
    { "audio.volume(2)", "#1 to 'volume' (a number from 0 to 1 expected)" },
    { "spawnpool.class('A', { sound = 'a/b' })", "class 'A': sound must be the name of a file in sounds/" },
    { "spawnpool.class('A', { sound = { spwn = 'b' } })", "class 'A': sound has no entry 'spwn'" },
    { "spawnpool.class('Voice', { fields = { volume = 'loud' } }) and audio.play 'hit'",
      "class 'Voice': field 'volume' is built in and holds a number" },
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

-- What is beyond the folder is not read, also by a link.
test("files of the game only", function()
  tone("/outside.wav", 0.5, LOUD)
  tone("sounds/hit.wav", 0.5, LOUD)
  spec.link("../../outside.wav", path "sounds/link.wav")
  save("sounds/text.wav", "no sound at all")
  play { load = "audio.play 'link' audio.play 'text'", peaks = { { 0, 0.08, 0, 0 } }, err = { "sounds/link.wav: ",
    "sounds/text.wav: neither a WAV nor an Ogg Vorbis file; it is silent until you save it again\n" } }
end)

-- }==

-- {== A device ===================================================================

-- A driver of SDL writes what a device would play to the file `raw`, and says so.
local ON_DISK <const> = "SDL_VIDEODRIVER=dummy SDL_RENDER_DRIVER=software SDL_AUDIODRIVER=disk SDL_DISKAUDIOFILE=raw "

local function peak_of_device()
  local bytes <const>, peak = read "/raw", 0
  for at = 1, #bytes - 1, 2 do peak = math.max(peak, math.abs((("<i2"):unpack(bytes, at)))) end
  return peak
end

-- Voices and the music, which is streamed, behind the second wall.
test("a device plays the same", function()
  add_tones()
  run {
    main = HEAD .. "function game.load() audio.music('hit', { volume = 0.5 }) audio.play 'shot' end return game",
    sh = ON_DISK .. "spawnpool --frames 30 game", err = { "You are using the SDL disk i/o audio driver!" },
    lacks = "warning",
  }
  near(peak_of_device(), LOUD, LOUD / 50)
end)

-- A device that is needed later is opened at the start: behind the second wall none can be.
test("the first sound of a game is heard without a restart", function()
  tone("/new.wav", 0.2, LOUD)
  run_meanwhile { main = HEAD .. [[local v
    function game.update()
      if not v or not v.alive then v = audio.play 'new' print('lives', v.lifetime) end
    end return game]], args = "", meanwhile = [[
      await 'lives.1.0'; mkdir game/sounds && cp new.wav game/sounds; await 'lives.0.2' 2; kill -INT $p]],
    out = { "no sound 'new'", "lives\t1.0\n", "reloaded sounds/new.wav in " }, env = ON_DISK }
  expect(peak_of_device() > 0.9 * LOUD, "%d", peak_of_device())
end)

-- The driver takes no less time than a device would.
test("a paused game is silent", function()
  add_tones()
  host.setenv("SDL_AUDIODRIVER", "disk")
  host.setenv("SDL_DISKAUDIOFILE", path "/raw")
  local function bytes_after(events)
    press(events, 2)
    local from <const> = #read "/raw" + 8192
    local bytes
    repeat
      host.nap(0.05)
      bytes = read("/raw"):sub(from)
    until #bytes > 20000
    return bytes
  end
  run({ main = HEAD .. "function game.load() audio.play('hit', { loop = true }) end return game",
    args = "--size 64x48", err = false }, function()
      expect(bytes_after {}:find "[^\0]")
      expect(not bytes_after "F6":find "[^\0]")
    end)
end)

-- }==
