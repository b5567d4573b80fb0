-- Pictures, sheets and sounds that are edited while a game is played; and what the player shows and plays then. The
-- ways in which editors save are tested with the watch of files.

local CHECKER <const> = 0xff00ff

-- {== Pictures that are watched ==================================================

local function paint(name, left, right)
  player.paint(name or "sprites/tri.png", 16, 16, left or GREEN, right or BLUE)
end

-- A game whose objects of 16 points show a sprite at 20, 20.
local function showing(sprite)
  return ([[local spawnpool = require 'spawnpool'
    for _, name in ipairs { 'A', 'B' } do spawnpool.class(name, { sprite = '%s', radius = 8 }) end
    return { load = function() spawnpool.pools:alloc('A', 0, 20, 20) spawnpool.pools:alloc('B', 0, 20, 20) end }]])
    :format(sprite)
end

local function shown() return { host.seen(14, 20), host.seen(26, 20) } end

local function await_shown(left, right)
  await_so(function() return host.seen(14, 20) == left and host.seen(26, 20) == right end)
  equal(shown(), { left, right })
end

local RED_ONE <const> = { ["sprites/tri.png"] = { 16, 16, RED } }

-- Files are watched. A frame draws nothing until somebody looks.
test("a picture and its folder may come later", { main = showing "tri", args = "--size 500x150",
  out = { "reloaded sprites/tri.png in ", " ms: 2 objects show it\n" },
  err = "warning: no sprite 'tri'; the nearest is 'triangle'; a checker is drawn instead\n" }, function()
    equal(shown(), { CHECKER, BLACK })
    paint()
    await_shown(GREEN, BLUE)
  end)

test("a game that stopped for want of a picture goes on", {
  main = "return { draw = function(g) g:sprite('tri', 20, 20) end }", setup = "mkdir game/sprites",
  args = "--size 64x48", out = { "reloaded " }, err = { "no sprite 'tri'; the nearest is 'triangle'" },
}, function()
  paint()
  await_shown(GREEN, BLUE)
end)

-- A pipe must not be waited for.
test("broken and removed pictures keep the last good one", { main = showing "tri", args = "--size 500x150", err = false,
  pictures = { ["sprites/tri.png"] = { 16, 16, GREEN, BLUE } }, out = { "reloaded sprites/tri.png in " } }, function()
    for _, row in ipairs { { "echo half a picture >", "not a PNG file" },
      { "mkfifo ", "it is a pipe, not a file" }, { "ln -s /etc/passwd ", "outside the game's folder" } } do
      sh(row[1] .. "game/sprites/tri.png")
      await_seen(row[2])
      equal(shown(), { GREEN, BLUE })
      expect_seen "its last good picture stays"
      sh "rm game/sprites/tri.png"
      await_seen "tri.png was deleted"
    end
    paint(nil, RED, BLUE) -- and back
    await_shown(RED, BLUE)
  end)

test("a folder of pictures may lead out only for a trusted game", { main = showing "tri", args = "--size 64x48",
  pictures = { ["/outside/tri.png"] = { 16, 16, GREEN } }, setup = "ln -sfn ../outside game/sprites",
  { args = "--size 64x48 --trust", pixels = { { 14, 20, GREEN } } },
  { pixels = { { 14, 20, CHECKER } },
    err = { "it is a link that leads out of the game's folder, and is not followed", "no sprite 'tri'" } },
})

-- }==

-- {== Pictures that are reloaded by a key ========================================

-- A test of a game that shows `sprite` and has these pictures, or this text for one.
local function test_reload(name, sprite, pictures, fn)
  local is_text <const> = type(pictures) == "string"
  test(name, { main = showing(sprite), pictures = not is_text and pictures or nil, setup = "mkdir -p game/sprites",
    files = is_text and { ["sprites/tri.png"] = pictures } or nil, args = "--size 700x300 --no-watch", err = false,
    out = false }, fn)
end

local function reload(left, right)
  press("F5", 2)
  equal(shown(), { left, right })
end

test_reload("an edited picture is shown at any size, a touched one is not loaded", "tri", RED_ONE, function()
  equal(shown(), { RED, RED })
  for _, side in ipairs { 16, 300, 1, 64 } do
    player.paint("sprites/tri.png", side, side, side > 1 and GREEN or BLUE, BLUE)
    reload(side > 1 and GREEN or BLUE, BLUE)
  end
  player.paint("sprites/tri.png", 16, 8, RED, GREEN) -- and of another shape
  reload(RED, GREEN)
  equal(host.seen(20, 15), EMPTY)
  wait(5)
  sh "touch game/sprites/tri.png"
  reload(RED, GREEN)
  expect_unseen "tri.png"
end)

test_reload("a picture that was broken at the start is shown when it is good", "tri", "no picture", function()
  equal(shown(), { CHECKER, 0 })
  save("sprites/tri.png", "nor this")
  reload(CHECKER, 0)
  expect_seen("not a PNG file", "a checker is drawn until you save it again")
  paint(nil, RED, BLUE)
  reload(RED, BLUE)
end)

-- Also what the disk does not have any more.
test_reload("a lost device shows the last good edit", "tri", RED_ONE, function()
  paint()
  reload(GREEN, BLUE)
  save("sprites/tri.png", "broken")
  reload(GREEN, BLUE)
  sh "rm game/sprites/tri.png"
  for _ = 1, 2 do
    press "device_reset"
    equal(shown(), { GREEN, BLUE })
  end
end)

-- A scene may be shown again long after it was drawn: nothing that it refers to may be gone.
test("a stopped game shows its last picture through edits of its sprites", {
  main = showing("tri"):gsub("return {", "return { key_pressed = function() error 'boom' end,"), pictures = RED_ONE,
  status = 1, args = "--size 64x48 --no-watch", out = false, err = { "boom" } }, function()
    press "x"
    for side = 16, 1024, 144 do
      player.paint("sprites/tri.png", side, side, GREEN)
      press("F5", 2)
    end
  end)

test_reload("many edits take a bounded number of textures", "p1", {}, function()
  for i = 1, 60 do
    local side <const>, color <const> = 2 + i * 37 % 89, math.random(0, 0xffffff)
    player.paint(("sprites/p%d.png"):format(i % 5), side, side // 2 + 1 + i * 13 % side, color)
    press("F5", 1)
    if i % 5 == 1 then equal(shown(), { color, color }) end
  end
  expect(host.textures() <= 1 + 5 * 7, "%d textures", host.textures())
end)

-- }==

-- {== Sheets =====================================================================

local function sheet(frames, from)
  local list <const> = {}
  for i = 1, frames do
    list[i] = ('{"frame":{"x":%d,"y":0,"w":16,"h":16},"duration":100}'):format(i > 1 and 16 or 0)
  end
  return ('{"frames":[%s],"meta":{"frameTags":[{"name":"run","from":%d,"to":%d}]}}')
    :format(table.concat(list, ","), from, from)
end

local HERO <const> = [[local spawnpool = require 'spawnpool'
  spawnpool.class('Hero', { sprite = 'hero', radius = 16, animation = 'run' })
  return { load = function() o = spawnpool.pools:alloc('Hero', 0, 32, 32) end }]]

local function expect_frame(json, frame)
  save("sprites/hero.json", json)
  press("F5", 2)
  equal(ask "return o.frame", frame)
end

test("a sheet is reloaded, also larger, and a broken one keeps the last good one", {
  main = HERO, pictures = { ["sprites/hero.png"] = { 32, 16, RED, GREEN } },
  files = { ["sprites/hero.json"] = sheet(2, 0) }, args = "--size 64x64 --no-watch",
  out = { "reloaded sprites/hero.json", "reloaded sprites/hero.png", "reloaded sprites/hero.json",
    "reloaded sprites/other.png", "reloaded sprites/other.json" },
  err = { "sprites/hero.json: line 1 is not JSON; its last good picture stays until you save it again" },
}, function()
  expect_frame(sheet(2, 1), 2.0)
  expect_frame('{ "frames": oops', 2.0)
  player.paint("sprites/hero.png", 32, 16, GREEN, RED) -- with the last good sheet
  press("F5", 2)
  expect_frame(sheet(2, 0), 1.0)
  expect_frame(sheet(200, 199), 200.0)
  player.paint("sprites/other.png", 32, 16, RED, GREEN) -- a sheet may come later
  press("F5", 2)
  save("sprites/other.json", sheet(2, 0))
  press("F5", 2)
end)

-- }==

-- {== Sounds =====================================================================

local LOUD <const> = 10000
local VOICES <const> = [[local spawnpool = require 'spawnpool'
  local pools, audio = spawnpool.pools, spawnpool.audio
  function voices() return pools:pool('Voice').live end
]]

test("a saved sound is heard at the next play", function()
  local function expect_length(seconds)
    press("F5", 60)
    equal(ask "return length", seconds)
  end
  tone("sounds/hit.wav", 0.5, LOUD)
  run({ headless = true, args = "--no-watch --sound out.wav", main = VOICES .. [[return { load = function() end,
    update = function() if voices() == 0 then length = audio.play('hit').lifetime end end }]],
    out = { "reloaded sounds/hit.wav in ", " ms: heard from the next voice on\n" }, err = {
      "sounds/hit.wav: neither a WAV nor an Ogg Vorbis file; its last good sound stays until you save it again\n",
      "sounds/hit.wav was deleted: its last sound stays\n" } }, function()
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
  local function gun(settings)
    save("pools/Gun.lua", "return require('spawnpool').class('Gun', {" .. settings .. "})")
  end
  gun ""
  run({ headless = true, args = "--no-watch", out = false,
    main = VOICES .. "return { update = function() pools:alloc('Gun', 0.1) end }" }, function()
      for settings, voices in pairs { ["sound = 'hit'"] = 30, ["sound = {}"] = 0 } do
        gun(settings)
        press("F5", 40)
        near(ask "return voices()", voices, 1)
      end
    end)
end)

-- A device that is needed later is opened at the start: behind the second wall none can be. The driver of SDL writes
-- what a device would play.
test("the first sound of a game is heard without a restart", function()
  tone("/new.wav", 0.2, LOUD)
  player.run_meanwhile { main = VOICES .. [[local v
    return { update = function()
      if not v or not v.alive then v = audio.play 'new' print('lives', v.lifetime, (audio.music 'new')) end
    end }]], args = "", meanwhile = [[
      await 'lives.1.0'; mkdir game/sounds && cp new.wav game/sounds; await 'lives.0.2' 2; kill -INT $p]],
    out = { "no sound 'new'", "lives\t1.0\tfalse\n", "reloaded sounds/new.wav in ", "lives\t0.2", "\ttrue\n" },
    env = "SDL_VIDEODRIVER=dummy SDL_RENDER_DRIVER=software SDL_AUDIODRIVER=disk SDL_DISKAUDIOFILE=out" }
  local bytes <const>, peak = read "/out", 0
  for at = 1, #bytes - 1, 2 do peak = math.max(peak, (("<i2"):unpack(bytes, at))) end
  expect(peak > 0.9 * LOUD, "%d", peak)
end)

-- }==
