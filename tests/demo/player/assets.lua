-- Pictures, sheets and sounds that are edited while a game is played, saved in all the ways that editors and tools save
-- them; and what the player shows and plays then.
local player <const> = require "player"
local spec <const> = require "spec"
local host <const> = require "host"

local test <const>, sh <const> = player.test, player.sh
local save <const>, start <const>, await <const>, stop <const> = player.save, player.start, player.await, player.stop

local WINDOW <const> = "SDL_VIDEODRIVER=dummy SDL_RENDER_DRIVER=software" -- that nobody sees
local UNSEEN <const> = "--headless --realtime "

local function shell(command) return sh("cd game && " .. command) end

local function count(part) return select(2, player.said():gsub(part, "")) end

-- {== Pictures ===================================================================

local RED <const>, GREEN <const>, BLUE <const> = player.RED, player.GREEN, player.BLUE
local TRI <const> = [[local spawnpool = require 'spawnpool'
  spawnpool.class('Tri', { sprite = 'tri', radius = 8 })
  return { load = function() spawnpool.pools:alloc('Tri', 0, 20, 20) print 'started' end }
]]
local SHOT <const> = UNSEEN .. "--size 64x48 --screenshot shot.png "

local function paint(name, left, right)
  player.paint(name or "sprites/tri.png", 16, 16, left or GREEN, right or BLUE)
end

local function start_tri(args, env, main)
  save("main.lua", main or TRI)
  start(args or SHOT, env)
  await "started\n"
end

-- Ends the player; the picture of its last frame must be this.
local function expect_end(left, right, stats)
  stop(0, stats)
  local picture <const> = player.picture "/shot.png"
  spec.equal({ picture.at(14, 20), picture.at(26, 20) }, { left or GREEN, right or BLUE })
end

-- With pauses that are shorter than settling: nobody wants the halves.
local function picture_in_pieces()
  paint "/whole.png"
  local bytes <const> = player.read "/whole.png"
  local file <close> = io.open(player.path "sprites/tri.png", "wb")
  file:setvbuf "no"
  host.nap(0.05)
  for at = 1, #bytes, 30 do
    file:write(bytes:sub(at, at + 29))
    host.nap(0.005)
  end
end

local function picture_by(commands)
  return function()
    paint "/copy"
    shell(commands)
  end
end

for way, save_so in pairs {
  ["in place"] = function() paint() end,
  ["in pieces"] = picture_in_pieces,
  ["by rename"] = picture_by "mv ../copy sprites/tri.png.tmp && mv sprites/tri.png.tmp sprites/tri.png",
  ["by replacing"] = picture_by "rm sprites/tri.png && cp ../copy sprites/tri.png",
  ["restored"] = picture_by "touch -d 2001-09-09 ../copy && mv ../copy sprites/tri.png",
  ["with its folder"] = picture_by "mkdir other && cp ../copy other/tri.png && mv sprites before && mv other sprites",
} do
  test("a picture saved " .. way .. " is shown", function()
    paint(nil, RED, RED)
    start_tri()
    save_so()
    await("reloaded sprites/tri.png in ", " ms: 1 object shows it\n")
    -- On a busy machine a pause may be longer than it takes to settle.
    expect_end(GREEN, BLUE, { reloads = 1, refused_reloads = way ~= "in pieces" and 0 or nil })
  end)
end

test("a picture and its folder may come later", function()
  start_tri()
  await "no sprite 'tri'"
  paint()
  await("reloaded sprites/tri.png in ", " ms: 1 object shows it\n")
  expect_end()
  spec.equal(count "no sprite", 1)
end)

test("a game that stopped for want of a picture goes on", function()
  spec.make_folder(player.path "sprites")
  start_tri(nil, nil, [[local drawn
    return { load = function() print 'started' end,
    draw = function(g) g:sprite('tri', 20, 20) if not drawn then drawn = true print 'drawn' end end }]])
  await "no sprite 'tri'; the nearest is 'triangle'"
  paint()
  await("reloaded sprites/tri.png in ", "drawn\n")
  expect_end()
end)

test("broken and removed pictures keep the last good one", function()
  paint()
  start_tri()
  save("sprites/tri.png", "half a picture")
  await "game/sprites/tri.png: not a PNG file; its last good picture stays until you save it again\n"
  sh "rm game/sprites/tri.png"
  await "warning: sprites/tri.png was deleted: its last picture stays\n"
  sh "mkfifo game/sprites/tri.png"
  await "game/sprites/tri.png: it is a pipe, not a file; replace or remove it; its last good picture stays"
  sh "rm game/sprites/tri.png"
  await "warning: sprites/tri.png was deleted: its last picture stays\n"
  sh "ln -s /etc/passwd game/sprites/tri.png"
  await "game/sprites/tri.png: it is outside the game's folder; "
  sh "rm game/sprites/tri.png"
  await "warning: sprites/tri.png was deleted: its last picture stays\n"
  paint(nil, RED, BLUE) -- and back
  await "reloaded sprites/tri.png in "
  expect_end(RED, BLUE, { reloads = 1, refused_reloads = 3 })
end)

test("a folder of pictures may lead out only for a trusted game", function()
  paint "/outside/tri.png"
  sh "ln -s ../outside game/sprites"
  start_tri(SHOT .. "--trust")
  expect_end()
  start_tri()
  await "no sprite 'tri'"
  expect_end(0xff00ff, 0)
end)

test("a folder that leads out is reported once, and only where it is not followed", function()
  local out <const> = "game/%s: it is a link that leads out of the game's folder, and is not followed"
  local function expect_told(args, sprites)
    start(UNSEEN .. args)
    await "started\n"
    await(out:format "other") -- the watch of Lua files reports this one
    stop(0)
    spec.equal({ count(out:format "sprites"), count(out:format "sounds"), count(out:format "other") },
      { sprites, sprites, 1 })
  end
  spec.make_folder(player.path "/outside")
  for _, name in ipairs { "sprites", "sounds", "other" } do sh("ln -s ../outside game/" .. name) end
  save("main.lua", "return { load = function() print 'started' end }")
  expect_told("", 1)
  expect_told("--trust", 0)
end)

test("a touched picture shows nothing, and a signal all", function()
  paint(nil, RED, RED)
  paint("sprites/other.png", RED, RED)
  start_tri(SHOT .. "--no-watch")
  paint()
  sh "touch game/sprites/other.png"
  host.nap(0.5)
  spec.equal(count "reloaded", 0)
  player.signal "USR1"
  await "reloaded sprites/tri.png in "
  expect_end()
  spec.equal(count "other", 0)
end)

test("a paused game shows edits too", function()
  paint(nil, RED, RED)
  start_tri("--size 400x300 --screenshot shot.png --pause-on-reload", WINDOW)
  save("main.lua", TRI .. " -- again")
  await "reloaded main.lua in "
  paint()
  await "reloaded sprites/tri.png in "
  expect_end()
end)

-- }==

-- {== In one window, on request ==================================================

local press <const>, paint_as <const> = player.press, player.paint
local SOME <const> = 0x400000 -- added to itself it does not overflow

-- A test in this process: two objects of 16 points show the sprite at 20, 20. `fn` may return how many
-- lines stderr has.
local function test_reload(name, sprite, make, fn)
  test(name, function()
    make()
    local lines
    local said <const> = player.sit({
      main = ([[local spawnpool = require 'spawnpool'
        for _, name in ipairs { 'A', 'B' } do spawnpool.class(name, { sprite = '%s', radius = 8 }) end
        return { load = function() spawnpool.pools:alloc('A', 0, 20, 20) spawnpool.pools:alloc('B', 0, 20, 20) end }]])
        :format(sprite),
      args = "--size 700x300 --no-watch", err = false, out = false,
    }, function() lines = fn() end).err
    if lines then spec.equal(select(2, said:gsub("\n", "")), lines) end
  end)
end

local function expect_shown(left, right)
  spec.equal({ host.seen(14, 20), host.seen(26, 20) }, { left, right })
end

local function reload(left, right)
  press("F5", 2)
  expect_shown(left, right)
end

test_reload("an edited picture is shown at any size", "tri", function() paint(nil, RED, RED) end, function()
  expect_shown(RED, RED)
  for _, side in ipairs { 16, 17, 300, 8, 1, 64 } do
    local left <const> = side > 1 and math.random(0, 0xffffff) or BLUE
    paint_as("sprites/tri.png", side, side, left, BLUE)
    reload(left, BLUE)
  end
  paint_as("sprites/tri.png", 16, 8, RED, GREEN) -- and of another shape
  reload(RED, GREEN)
  spec.equal({ host.seen(20, 15), host.seen(20, 16), host.seen(20, 24) }, { player.EMPTY, GREEN, player.EMPTY })
end)

test_reload("a new picture goes before a shape", "square", function() spec.make_folder(player.path "sprites") end,
  function()
    expect_shown(0xffffff, 0xffffff)
    paint("sprites/square.png", RED, BLUE)
    reload(RED, BLUE)
  end)

test_reload("a picture may begin and end to glow", "tri", function() paint(nil, SOME, SOME) end, function()
  expect_shown(SOME, SOME)
  sh "rm game/sprites/tri.png"
  paint("sprites/tri.glow.png", SOME, SOME)
  reload(player.EMPTY + 2 * SOME, player.EMPTY + 2 * SOME)
  paint(nil, SOME, SOME)
  reload(SOME, SOME)
end)

-- The file, cut off at each byte, or with one bit turned over.
test_reload("a broken picture changes nothing and says so", "tri", function() paint(nil, RED, BLUE) end, function()
  paint_as("/good.png", 16, 16, GREEN)
  local good <const>, refused = player.read "/good.png", 0
  for i = 1, 2 * #good - 4, 3 do
    local at <const> = i <= #good and i or i - #good
    save("sprites/tri.png", good:sub(1, at - 1)
      .. (i > #good and string.char(good:byte(at) ~ 4) .. good:sub(at + 1) or ""))
    press("F5", 1)
    refused = refused + 1
  end
  press("F5", 1) -- asked for again, it is said again
  press("F5", 6)
  player.expect_seen("sprites/tri.png: ", "its last good picture stays until you save it again")
  expect_shown(RED, BLUE)
  save("sprites/tri.png", good)
  reload(GREEN, GREEN)
  press("F5", 2)
  return refused + 2
end)

test_reload("a picture that was broken at the start is shown when it is good", "tri",
  function() save("sprites/tri.png", "no picture") end, function()
    expect_shown(0xff00ff, 0) -- a checker
    save("sprites/tri.png", "nor this")
    reload(0xff00ff, 0)
    player.expect_seen("not a PNG file", "a checker is drawn until you save it again")
    paint(nil, RED, BLUE)
    reload(RED, BLUE)
  end)

-- Also what the disk does not have any more.
test_reload("a lost device shows the last good edit", "tri", function() paint(nil, RED, RED) end, function()
  paint()
  reload(GREEN, BLUE)
  save("sprites/tri.png", "broken")
  reload(GREEN, BLUE)
  sh "rm game/sprites/tri.png"
  for _ = 1, 2 do
    press "device_reset"
    expect_shown(GREEN, BLUE)
  end
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

local function start_sheet()
  player.paint("sprites/hero.png", 32, 16, RED, GREEN)
  save("sprites/hero.json", sheet(2, 0))
  save("main.lua", [[local spawnpool = require 'spawnpool'
    local o, last
    spawnpool.class('Hero', { sprite = 'hero', radius = 16, animation = 'run' })
    return { load = function() o = spawnpool.pools:alloc('Hero', 0, 32, 32) end,
    update = function() if o.frame ~= last then last = o.frame print('frame', last) end end }]])
  start(UNSEEN .. "--size 64x64")
  await "frame\t1"
end

test("a sheet is reloaded, and a broken one keeps the last good one", function()
  start_sheet()
  save("sprites/hero.json", sheet(2, 1))
  await("reloaded sprites/hero.json", "frame\t2")
  save("sprites/hero.json", '{ "frames": oops')
  await "sprites/hero.json: line 1 is not JSON; its last good picture stays until you save it again"
  player.paint("sprites/hero.png", 32, 16, GREEN, RED) -- with the last good sheet
  await "reloaded sprites/hero.png"
  save("sprites/hero.json", sheet(2, 0))
  await "frame\t1"
  stop(0)
end)

test("a sheet may come later, and grow", function()
  start_sheet()
  save("sprites/hero.json", sheet(200, 199))
  await "frame\t200"
  player.paint("sprites/other.png", 32, 16, RED, GREEN)
  await "reloaded sprites/other.png"
  save("sprites/other.json", sheet(2, 0))
  await "reloaded sprites/other.json"
  stop(0)
end)

-- }==

-- {== Sounds =====================================================================

local LOUD <const> = 10000
local VOICES <const> = [[local spawnpool = require 'spawnpool'
  local pools, audio = spawnpool.pools, spawnpool.audio
  local function voices() return pools:pool('Voice').live end
]]

local function tone(name, seconds, amplitude)
  spec.make_folder(player.path "sounds")
  host.tone(player.path(name), seconds, amplitude)
end

test("a saved sound is heard at the next play", function()
  tone("sounds/hit.wav", 0.5, LOUD)
  save("main.lua", VOICES .. [[return { load = function() print 'started' end,
    update = function() if voices() == 0 then print(audio.play('hit').lifetime) end end }]])
  start(UNSEEN .. "--sound out.wav")
  await "started\n0.5\n"
  tone("sounds/hit.wav", 0.25, LOUD // 4)
  await("reloaded sounds/hit.wav in ", " ms: heard from the next voice on\n", "0.25\n")
  save("sounds/hit.wav", "RIFF")
  await("sounds/hit.wav: neither a WAV nor an Ogg Vorbis file; its last good sound stays until you save it again\n",
    "0.25\n")
  sh "rm game/sounds/hit.wav"
  await("sounds/hit.wav was deleted: its last sound stays\n", "0.25\n", "0.25\n")
  stop(0)
  local _, samples <const> = host.peaks(player.path "/out.wav", {})
  local seconds <const> = samples / 48000
  spec.equal(host.peaks(player.path "/out.wav", { 0, 0.4, seconds - 0.3, seconds }),
    { LOUD, LOUD, LOUD // 4, LOUD // 4 })
end)

-- The setting follows an edit like any other, and so does the class of voices; a lowered limit ends no life.
test("a class that gets a sound is heard", function()
  tone("sounds/hit.wav", 0.5, LOUD)
  local function gun(settings)
    save("pools/Gun.lua", "return require('spawnpool').class('Gun', {" .. settings .. "})")
  end
  gun ""
  save("main.lua", VOICES .. [[local last
    return { update = function() pools:alloc('Gun', 0.1)
      local now = voices() .. ' of ' .. pools:pool('Voice').limit .. ' '
      if now ~= last then last = now print(now) end end }]])
  start()
  await "0 of 32 "
  gun "sound = 'hit'"
  await "30 of 32 "
  save("pools/Voice.lua", "return require('spawnpool').class('Voice', { limit = 7 })")
  await " of 7 "
  gun "sound = {}"
  await "0 of 7 "
  stop(0)
end)

local function start_with_a_missing_sound(...)
  save("main.lua", VOICES .. [[local v
    return { update = function()
      if not v or not v.alive then v = audio.play 'new' print('lives', v.lifetime) end
    end }]])
  start(...)
  await("no sound 'new'", "lives\t1.0\n")
end

test("a new file gives a missing sound its voice", function()
  spec.make_folder(player.path "sounds")
  start_with_a_missing_sound()
  tone("sounds/new.wav", 0.2, LOUD)
  await("reloaded sounds/new.wav in ", "lives\t0.2\n")
  stop(0)
end)

-- Behind the second wall no device can be opened any more. The driver of SDL writes what a device would play.
for way, it in pairs {
  ["on a device"] = { "", WINDOW .. " SDL_AUDIODRIVER=disk SDL_DISKAUDIOFILE=out" },
  ["in the file of --sound"] = { UNSEEN .. "--sound out" },
} do
  test("the first sound of a game is heard " .. way .. ", without a restart", function()
    start_with_a_missing_sound(it[1], it[2])
    tone("sounds/new.wav", 0.2, LOUD)
    await("reloaded sounds/new.wav in ", "lives\t0.2\n", "lives\t0.2\n", "lives\t0.2\n")
    stop(0)
    spec.equal(count "no sound", 1)
    local bytes <const>, peak = player.read "/out", 0
    for at = 45, #bytes - 1, 2 do peak = math.max(peak, (("<i2"):unpack(bytes, at))) end
    player.expect(peak > 0.9 * LOUD, "%d", peak)
  end)
end

-- }==
