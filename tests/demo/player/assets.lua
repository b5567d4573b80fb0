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

-- A test in a window that watches the files. `make()` makes them; `out` and `err` are what the player says.
local function test_watched(name, make, out, err, fn, args)
  test(name, function()
    make()
    run({ main = showing "tri", args = "--size 500x150 " .. (args or ""), out = out, err = err }, fn)
  end)
end

local function make_red() paint(nil, RED, RED) end

-- With pauses that are shorter than settling: nobody wants the halves.
test_watched("a picture that is saved in pieces is shown when it is whole", make_red,
  { "reloaded sprites/tri.png in ", " ms: 2 objects show it\n" }, false, function()
    paint "/whole.png"
    local bytes <const> = read "/whole.png"
    local file <close> = io.open(path "sprites/tri.png", "wb")
    file:setvbuf "no"
    for at = 1, #bytes, 30 do
      file:write(bytes:sub(at, at + 29))
      host.nap(0.002)
      player.frames(1)
    end
    await_shown(GREEN, BLUE)
  end)

test_watched("a picture that comes with its folder is shown", make_red, { "reloaded sprites/tri.png in " }, nil,
  function()
    paint "/copy.png"
    sh "cd game && mkdir other && cp ../copy.png other/tri.png && mv sprites before && mv other sprites"
    await_shown(GREEN, BLUE)
  end)

test_watched("a picture and its folder may come later", function() end, { "reloaded sprites/tri.png in " },
  { "no sprite 'tri'" }, function()
    paint()
    await_shown(GREEN, BLUE)
  end)

test("a game that stopped for want of a picture goes on", function()
  spec.make_folder(path "sprites")
  run({ main = "return { draw = function(g) g:sprite('tri', 20, 20) end }", args = "--size 64x48",
    out = { "reloaded " }, err = { "no sprite 'tri'; the nearest is 'triangle'" } }, function()
      paint()
      await_shown(GREEN, BLUE)
    end)
end)

test_watched("broken and removed pictures keep the last good one", paint, { "reloaded sprites/tri.png in " }, {
  "game/sprites/tri.png: not a PNG file; its last good picture stays until you save it again\n",
  "warning: sprites/tri.png was deleted: its last picture stays\n",
  "game/sprites/tri.png: it is a pipe, not a file; replace or remove it; its last good picture stays",
  "warning: sprites/tri.png was deleted: its last picture stays\n",
  "game/sprites/tri.png: it is outside the game's folder; ",
}, function()
  local function await(part)
    await_seen(part)
    equal(shown(), { GREEN, BLUE })
    sh "rm game/sprites/tri.png"
    await_seen "tri.png was deleted"
  end
  save("sprites/tri.png", "half a picture")
  await "not a PNG file"
  sh "mkfifo game/sprites/tri.png"
  await "it is a pipe"
  sh "ln -s /etc/passwd game/sprites/tri.png"
  await "outside the game's folder"
  paint(nil, RED, BLUE) -- and back
  await_shown(RED, BLUE)
end)

test("a folder of pictures may lead out only for a trusted game", function()
  paint "/outside/tri.png"
  sh "ln -s ../outside game/sprites"
  run { main = showing "tri", args = "--size 64x48 --trust", pixels = { { 14, 20, GREEN } } }
  run { args = "--size 64x48", pixels = { { 14, 20, CHECKER } },
    err = { "it is a link that leads out of the game's folder, and is not followed", "no sprite 'tri'" } }
end)

test("a folder that leads out is reported once, and only where it is not followed", function()
  spec.make_folder(path "/outside")
  for _, name in ipairs { "sprites", "sounds", "other" } do sh("ln -s ../outside game/" .. name) end
  for args, times in pairs { [""] = 1, ["--trust"] = 0 } do
    local err <const> = run({ main = "return {}", args = "--size 300x100 " .. args, err = false }, function()
      for _ = 1, 10 do -- the watch of Lua files reports `other`
        host.nap(0.02)
        player.frames(1)
      end
    end).err
    for name, expected in pairs { sprites = times, sounds = times, other = 1 } do
      equal(count(err, "game/" .. name .. ": it is a link that leads out of the game's folder, and is not followed"),
        expected, name)
    end
  end
end)

test("a paused game shows edits too", function()
  make_red()
  run({ main = showing "tri", args = "--size 500x150 --pause-on-reload", out = false }, function()
    save("main.lua", showing "tri" .. " -- again")
    await_seen "paused"
    paint()
    await_shown(GREEN, BLUE)
  end)
end)

-- }==

-- {== Pictures that are reloaded by a key ========================================

local SOME <const> = 0x400000 -- added to itself it does not overflow

-- `fn` may return how many lines stderr has.
local function test_reload(name, sprite, make, fn)
  test(name, function()
    make()
    local lines
    local err <const> = run({ main = showing(sprite), args = "--size 700x300 --no-watch", err = false, out = false },
      function() lines = fn() end).err
    if lines then equal(count(err, "\n"), lines) end
  end)
end

local function reload(left, right)
  press("F5", 2)
  equal(shown(), { left, right })
end

test_reload("an edited picture is shown at any size, a touched one is not loaded", "tri", make_red, function()
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

test_reload("a new picture goes before a shape", "square", function() spec.make_folder(path "sprites") end,
  function()
    equal(shown(), { 0xffffff, 0xffffff })
    paint("sprites/square.png", RED, BLUE)
    reload(RED, BLUE)
  end)

test_reload("a picture may begin and end to glow", "tri", function() paint(nil, SOME, SOME) end, function()
  equal(shown(), { SOME, SOME })
  sh "rm game/sprites/tri.png"
  paint("sprites/tri.glow.png", SOME, SOME)
  reload(EMPTY + 2 * SOME, EMPTY + 2 * SOME)
  paint(nil, SOME, SOME)
  reload(SOME, SOME)
end)

-- The file, cut off at each byte, or with one bit turned over.
test_reload("a broken picture changes nothing and says so", "tri", function() paint(nil, RED, BLUE) end, function()
  player.paint("/good.png", 16, 16, GREEN)
  local good <const>, refused = read "/good.png", 0
  for i = 1, 2 * #good - 4, 3 do
    local at <const> = i <= #good and i or i - #good
    save("sprites/tri.png", good:sub(1, at - 1)
      .. (i > #good and string.char(good:byte(at) ~ 4) .. good:sub(at + 1) or ""))
    press("F5", 1)
    refused = refused + 1
  end
  press("F5", 1) -- asked for again, it is said again
  press("F5", 6)
  expect_seen("sprites/tri.png: ", "its last good picture stays until you save it again")
  equal(shown(), { RED, BLUE })
  save("sprites/tri.png", good)
  reload(GREEN, GREEN)
  press("F5", 2)
  return refused + 2
end)

test_reload("a picture that was broken at the start is shown when it is good", "tri",
  function() save("sprites/tri.png", "no picture") end, function()
    equal(shown(), { CHECKER, 0 })
    save("sprites/tri.png", "nor this")
    reload(CHECKER, 0)
    expect_seen("not a PNG file", "a checker is drawn until you save it again")
    paint(nil, RED, BLUE)
    reload(RED, BLUE)
  end)

-- Also what the disk does not have any more.
test_reload("a lost device shows the last good edit", "tri", make_red, function()
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
test("a stopped game shows its last picture through edits of its sprites", function()
  make_red()
  run({ main = showing("tri"):gsub("return {", "return { key_pressed = function() error 'boom' end,"), status = 1,
    args = "--size 64x48 --no-watch", out = false, err = { "boom" } }, function()
      press "x"
      for side = 16, 1024, 144 do
        player.paint("sprites/tri.png", side, side, GREEN)
        press("F5", 2)
      end
    end)
end)

test_reload("many edits take a bounded number of textures", "p1", function() end, function()
  for i = 1, 600 do
    local side <const>, color <const> = 2 + i * 37 % 89, math.random(0, 0xffffff)
    player.paint(("sprites/p%d.png"):format(i % 5), side, side // 2 + 1 + i * 13 % side, color)
    press("F5", 1)
    if i % 5 == 1 then equal(shown(), { color, color }) end
  end
  expect(host.textures() <= 1 + 5 * 7, "%d textures", host.textures())
end)

-- What takes long is spread over frames, and is one line all the same.
test("many pictures are loaded over several frames and told once", function()
  local out <const> = run({ main = showing "square", args = "--size 640x480", out = { "reloaded sprites/p01.png, "
    .. "sprites/p02.png, sprites/p03.png, sprites/p04.png and 56 more in ", " ms: 0 objects show them\n" } }, function()
      spec.make_folder(path "sprites")
      for i = 1, 60 do player.paint(("sprites/p%02d.png"):format(i), 400, 400, RED, BLUE) end
      await_seen "56 more"
    end).out
  equal(count(out, "reloaded"), 1)
end)

-- Either the new picture is shown, or the old one is and a line says why; what was refused comes with the next save.
test_reload("an edit without memory changes nothing", "tri", make_red, function()
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

-- A test of a sheet of two frames whose tag is the first one.
local function test_sheet(name, out, err, fn)
  test(name, function()
    player.paint("sprites/hero.png", 32, 16, RED, GREEN)
    save("sprites/hero.json", sheet(2, 0))
    run({ main = HERO, args = "--size 64x64 --no-watch", out = out, err = err }, function()
      equal(ask "return o.frame", 1.0)
      fn()
    end)
  end)
end

local function expect_frame(json, frame)
  save("sprites/hero.json", json)
  press("F5", 2)
  equal(ask "return o.frame", frame)
end

test_sheet("a sheet is reloaded, and a broken one keeps the last good one",
  { "reloaded sprites/hero.json", "reloaded sprites/hero.png", "reloaded sprites/hero.json" },
  { "sprites/hero.json: line 1 is not JSON; its last good picture stays until you save it again" }, function()
    expect_frame(sheet(2, 1), 2.0)
    expect_frame('{ "frames": oops', 2.0)
    player.paint("sprites/hero.png", 32, 16, GREEN, RED) -- with the last good sheet
    press("F5", 2)
    expect_frame(sheet(2, 0), 1.0)
  end)

test_sheet("a sheet may grow, and come later", { "reloaded sprites/other.png", "reloaded sprites/other.json" }, nil,
  function()
    expect_frame(sheet(200, 199), 200.0)
    player.paint("sprites/other.png", 32, 16, RED, GREEN)
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
    host.reload()
    player.frames(60)
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
        host.reload()
        player.frames(40)
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
