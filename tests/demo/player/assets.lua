-- Pictures that are edited while a game is played, and what the player shows then; sheets.lua and sound.lua have the
-- rest. The ways in which editors save are tested with the watch of files.

local CHECKER <const> = 0xff00ff

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

-- Here files are looked at when a key says so.
local test_reload <const> = tests { main = showing "tri", setup = "mkdir -p game/sprites", pictures = RED_ONE,
  args = "--size 700x300 --no-watch", err = false, out = false }

local function reload(left, right)
  press("F5", 2)
  equal(shown(), { left, right })
end

test_reload("an edited picture is shown at any size, a touched one is not loaded", function()
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

test_reload("a picture that was broken at the start is shown when it is good", { pictures = {},
  files = { ["sprites/tri.png"] = "no picture" } }, function()
    equal(shown(), { CHECKER, 0 })
    save("sprites/tri.png", "nor this")
    reload(CHECKER, 0)
    expect_seen("not a PNG file", "a checker is drawn until you save it again")
    paint(nil, RED, BLUE)
    reload(RED, BLUE)
  end)

-- Also what the disk does not have any more.
test_reload("a lost device shows the last good edit", function()
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
test_reload("a stopped game shows its last picture through edits of its sprites", { before = "x", status = 1,
  main = showing("tri"):gsub("return {", "return { key_pressed = function() error 'boom' end,"), err = { "boom" } },
  function()
    for side = 16, 1024, 144 do
      player.paint("sprites/tri.png", side, side, GREEN)
      press("F5", 2)
    end
  end)

test_reload("many edits take a bounded number of textures", { main = showing "p1" }, function()
  for i = 1, 60 do
    local side <const>, color <const> = 2 + i * 37 % 89, math.random(0, 0xffffff)
    player.paint(("sprites/p%d.png"):format(i % 5), side, side // 2 + 1 + i * 13 % side, color)
    press("F5", 1)
    if i % 5 == 1 then equal(shown(), { color, color }) end
  end
  expect(scene().textures <= 1 + 5 * 7, "%d textures", scene().textures)
end)
