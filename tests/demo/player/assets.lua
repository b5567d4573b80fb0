-- Pictures, sheets and sounds that are edited while a game is played; and what the player shows and plays then. The
-- ways in which editors save are tested with the watch of files.

local CHECKER <const> = 0xff00ff

local function count(text, part) return select(2, text:gsub(part, "")) end

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

test("broken and removed pictures keep the last good one", {
  main = showing "tri", args = "--size 500x150", pictures = { ["sprites/tri.png"] = { 16, 16, GREEN, BLUE } },
  out = { "reloaded sprites/tri.png in " }, err = {
    "game/sprites/tri.png: not a PNG file; its last good picture stays until you save it again\n",
    "warning: sprites/tri.png was deleted: its last picture stays\n",
    "game/sprites/tri.png: it is a pipe, not a file; replace or remove it; its last good picture stays",
    "warning: sprites/tri.png was deleted: its last picture stays\n",
    "game/sprites/tri.png: it is outside the game's folder; " },
}, function()
  for _, row in ipairs { { "echo half a picture >", "not a PNG file" }, { "mkfifo ", "it is a pipe" },
    { "ln -s /etc/passwd ", "outside the game's folder" } } do
    sh(row[1] .. "game/sprites/tri.png")
    await_seen(row[2])
    equal(shown(), { GREEN, BLUE })
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

test("a folder that leads out is reported once, and only where it is not followed", function()
  local LINE <const> = "game/%s: it is a link that leads out of the game's folder, and is not followed"
  for args, times in pairs { [""] = 1, ["--trust"] = 0 } do
    local function times_of(err, name) return select(2, err:gsub(LINE:format(name):gsub("%p", "%%%0"), "")) end
    local err <const> = run({ main = "return {}", args = "--size 300x100 " .. args, err = false,
      setup = "mkdir -p outside && for name in sprites sounds other; do ln -sfn ../outside game/$name; done",
    }, function()
      for _ = 1, 10 do -- the watch of Lua files reports `other`
        host.nap(0.02)
        frames(1)
      end
    end).err
    equal({ times_of(err, "sprites"), times_of(err, "sounds"), times_of(err, "other") }, { times, times, 1 })
  end
end)

test("a paused game shows edits too", { main = showing "tri", args = "--size 500x150 --pause-on-reload",
  pictures = RED_ONE, out = false }, function()
    save("main.lua", showing "tri" .. " -- again")
    await_seen "paused"
    paint()
    await_shown(GREEN, BLUE)
  end)

-- }==

-- {== Pictures that are reloaded by a key ========================================

local SOME <const> = 0x400000 -- added to itself it does not overflow

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
  for _, side in ipairs { 16, 17, 300, 8, 1, 64 } do
    local left <const> = side > 1 and math.random(0, 0xffffff) or BLUE
    player.paint("sprites/tri.png", side, side, left, BLUE)
    reload(left, BLUE)
  end
  player.paint("sprites/tri.png", 16, 8, RED, GREEN) -- and of another shape
  reload(RED, GREEN)
  equal({ host.seen(20, 15), host.seen(20, 16), host.seen(20, 24) }, { EMPTY, GREEN, EMPTY })
  wait(5)
  sh "touch game/sprites/tri.png"
  reload(RED, GREEN)
  expect_unseen "tri.png"
end)

test_reload("a new picture goes before a shape", "square", {}, function()
  equal(shown(), { 0xffffff, 0xffffff })
  paint("sprites/square.png", RED, BLUE)
  reload(RED, BLUE)
end)

test_reload("a picture may begin and end to glow", "tri",
  { ["sprites/tri.png"] = { 16, 16, SOME } }, function()
  equal(shown(), { SOME, SOME })
  sh "rm game/sprites/tri.png"
  paint("sprites/tri.glow.png", SOME, SOME)
  reload(EMPTY + 2 * SOME, EMPTY + 2 * SOME)
  paint(nil, SOME, SOME)
  reload(SOME, SOME)
end)

-- trouble.lua breaks every byte of one. What is asked for again is said again.
test("a broken picture changes nothing and says so", function()
  local err <const> = run({ main = showing "tri", pictures = { ["sprites/tri.png"] = { 16, 16, RED, BLUE } },
    args = "--size 700x300 --no-watch", err = false, out = false }, function()
      player.paint("/good.png", 16, 16, GREEN)
      local good <const> = read "/good.png"
      for _, broken in ipairs { good:sub(1, 40), (good:gsub("IDAT", "IDOT")) } do
        save("sprites/tri.png", broken)
        reload(RED, BLUE)
      end
      press("F5", 2)
      expect_seen("sprites/tri.png: ", "its last good picture stays until you save it again")
      save("sprites/tri.png", good)
      reload(GREEN, GREEN)
      press("F5", 2)
    end).err
  equal(count(err, "\n"), 3)
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
  for i = 1, 200 do
    local side <const>, color <const> = 2 + i * 37 % 89, math.random(0, 0xffffff)
    player.paint(("sprites/p%d.png"):format(i % 5), side, side // 2 + 1 + i * 13 % side, color)
    press("F5", 1)
    if i % 5 == 1 then equal(shown(), { color, color }) end
  end
  expect(host.textures() <= 1 + 5 * 7, "%d textures", host.textures())
end)

-- What takes long is spread over frames, and is one line all the same.
test("many pictures are loaded over several frames and told once", function()
  local out <const> = run({ main = showing "square", args = "--size 640x480", setup = "mkdir game/sprites",
    out = { "reloaded sprites/p1.png, sprites/p10.png, sprites/p11.png, sprites/p12.png and 26 more in ",
      " ms: 0 objects show them\n" } }, function()
      for i = 1, 30 do player.paint(("sprites/p%d.png"):format(i), 400, 400, RED, BLUE) end
      await_seen "26 more"
    end).out
  equal(count(out, "reloaded"), 1)
end)

-- Either the new picture is shown, or the old one is and a line says why; what was refused comes with the next save.
test_reload("an edit without memory changes nothing", "tri", RED_ONE, function()
  local is_refused, fail_at, said, before = host.can_refuse, 0, 0, RED
  while is_refused do
    local color <const> = fail_at % 2 == 0 and GREEN or BLUE
    fail_at = fail_at + 1
    player.paint("sprites/tri.png", 40, 40, color)
    is_refused = host.refuse(fail_at)
    player.frames(2)
    said = said + (seen "memory" and 1 or 0)
    local now <const> = host.seen(14, 20)
    expect(now == color or now == before and is_refused, "call %d: %06x", fail_at, now)
    press("F5", 1)
    player.paint("sprites/tri.png", 41, 41, color)
    reload(color, color)
    before = color
  end
  expect(fail_at > 12 and said > 3 or not host.can_refuse, "%d, %d", fail_at, said)
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

local function tone(name, seconds, amplitude)
  spec.make_folder(path "sounds")
  host.tone(path(name), seconds, amplitude)
end

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

-- The setting follows an edit like any other, and so does the class of voices; a lowered limit ends no life.
test("a class that gets a sound is heard", function()
  tone("sounds/hit.wav", 0.5, LOUD)
  local function gun(settings)
    save("pools/Gun.lua", "return require('spawnpool').class('Gun', {" .. settings .. "})")
  end
  gun ""
  run({ headless = true, args = "--no-watch", out = false, main = VOICES .. [[
    function limit() return pools:pool('Voice').limit end
    return { update = function() pools:alloc('Gun', 0.1) end }]] }, function()
      local function expect_voices(voices, limit)
        press("F5", 40)
        near(ask "return voices()", voices, 1)
        equal(ask "return limit()", limit)
      end
      expect_voices(0.0, 32.0)
      gun "sound = 'hit'"
      expect_voices(30.0, 32.0)
      save("pools/Voice.lua", "return require('spawnpool').class('Voice', { limit = 7 })")
      expect_voices(29.0, 7.0)
      gun "sound = {}"
      expect_voices(0.0, 7.0)
    end)
end)

-- A device that is needed later is opened at the start: behind the second wall none can be. The driver of SDL writes
-- what a device would play.
local DISK <const> = "SDL_VIDEODRIVER=dummy SDL_RENDER_DRIVER=software SDL_AUDIODRIVER=disk SDL_DISKAUDIOFILE=out"
for way, it in pairs {
  ["on a device"] = { "", DISK },
  ["in the file of --sound"] = { "--headless --realtime --sound out" },
} do
  test("the first sound of a game is heard " .. way .. ", without a restart", function()
    save("main.lua", VOICES .. [[local v
      return { update = function()
        if not v or not v.alive then v = audio.play 'new' print('lives', v.lifetime) end
      end }]])
    start(it[1], it[2])
    player.await("no sound 'new'", "lives\t1.0\n")
    tone("sounds/new.wav", 0.2, LOUD)
    player.await("reloaded sounds/new.wav in ", "lives\t0.2\n", "lives\t0.2\n", "lives\t0.2\n")
    stop(0)
    equal(count(player.said(), "no sound"), 1)
    local bytes <const>, peak = read "/out", 0
    for at = 45, #bytes - 1, 2 do peak = math.max(peak, (("<i2"):unpack(bytes, at))) end
    expect(peak > 0.9 * LOUD, "%d", peak)
  end)
end

-- }==
