-- Maps of tiles as the player draws them: which tiles of a sheet, what is seen of a large map, edits of both, and what
-- going back in time makes of a map that the game changes. The game runs in this process, in a picture of 64 x 48.

-- In the sheet tile 1 is red, and tile 2 green.
local test <const> = tests { headless = true, main = player.DRAWN:format "", exec = { "is_below = true" }, letters = 1,
  args = "--size 64x48 --screenshot out.png", pictures = { ["sprites/cave.png"] = { 32, 16, RED, GREEN } } }

test("letters and numbers show their tiles, and without a sheet tiles are squares of the colour", function()
  ask [[map = spawnpool.tiles { size = 16, sheet = "cave", letters = { a = 1, b = 2, ["#"] = 0 },
    rows = { "ab.#", "..a", "b" } }]]
  local picture <const> = expect_drawn("g:tiles(map)", false, { { 0, 0, RED }, { 15, 15, RED }, { 16, 0, GREEN },
    { 31, 15, GREEN }, { 32, 0, 0 }, { 48, 0, 0 }, { 32, 16, RED }, { 47, 31, RED }, { 0, 47, GREEN }, { 16, 47, 0 } })
  equal(picture.quads, 4)
  ask 'map:set(4, 1, "b")'
  expect_drawn("g:tiles(map)", false, { { 63, 0, GREEN } })
  ask "map = spawnpool.tiles { size = 16, sheet = 'cave', rows = { { 2, 0, 1 } } }"
  expect_drawn("g:tiles(map)", false, { { 8, 8, GREEN }, { 24, 8, 0 }, { 40, 8, RED } })
  ask "map = spawnpool.tiles { size = 16, rows = { '#.', '.#' } }"
  expect_drawn("g:color(0, 1, 0) g:tiles(map)", 512, { { 0, 0, GREEN }, { 31, 31, GREEN } })
end)

test("tiles keep their own edges at any size", function()
  ask "map = spawnpool.tiles { size = 16, sheet = 'cave', rows = { 'a' }, letters = 'a' }"
  for _, zoom in ipairs { 0.5, 1.3 } do
    local picture <const> = expect_drawn(("g:camera(8, 8, %g) g:tiles(map)"):format(zoom), false, { { 32, 24, RED } })
    for i = 2, #picture.bytes, 3 do equal(picture.bytes:byte(i), 0) end -- nothing is green
  end
end)

test("only what is seen of a map of a million tiles is drawn", function()
  ask [[local row = ("#"):rep(1000)
    local rows = {}
    for y = 1, 1000 do rows[y] = row end
    map = spawnpool.tiles { size = 16, rows = rows }]]
  for _, case in ipairs {
    { "", 12 }, { "g:camera(8008, 8008)", 20 }, { "g:camera(8000, 8000, 0.5)", 48 }, { "g:camera(-100, -100)", 0 },
    { "g:camera(16000, 16000)", 4 }, { "g:camera(8000, 8000, 1, math.pi / 2)", 12 },
  } do
    local quads <const> = draw(case[1] .. " g:tiles(map)").quads
    equal({ case[1], quads >= case[2] and quads <= case[2] + 18 }, { case[1], true }, tostring(quads))
  end
end)

test("an edited sheet is cut again", function()
  ask "map = spawnpool.tiles { size = 16, sheet = 'cave', rows = { 'ab' }, letters = 'ab' }"
  expect_drawn("g:tiles(map)", false, { { 8, 8, RED }, { 24, 8, GREEN } })
  paint("sprites/cave.png", 32, 16, BLUE, RED)
  frames(60)
  expect_drawn("g:tiles(map)", false, { { 8, 8, BLUE }, { 24, 8, RED } })
end)

test("what cannot be drawn is said at the line of the call", function()
  for map, problem in pairs {
    ["spawnpool.tiles { size = 16, sheet = 'cove', rows = { '#' } }"] = "no sprite 'cove'; the nearest is 'cave'",
    ["spawnpool.tiles { size = 64, sheet = 'cave', rows = { '#' } }"] = "has 32 x 16 pixels: 0 tiles of 64",
    ["spawnpool.tiles { size = 16, sheet = 'square', rows = { '#' } }"] = "the sprite is no PNG",
    ["spawnpool.tiles { size = 16, sheet = 'cave', rows = { { 3 } } }"] = "the map shows tile 3, and its sheet has 2",
    ["{ size = 3 }"] = "a map of spawnpool.tiles expected: g:tiles(map)",
  } do
    expect_text(try_draw(("g:tiles(%s)"):format(map)), { ":1: ", problem }, map)
  end
end)

local DIGGING <const> = [[local spawnpool = require 'spawnpool'
  local map = spawnpool.tiles { size = 8, rows = { '########', '########', '########' } }
  spawnpool.class('Mole', { box = { w = 6, h = 6 }, fields = { dug = 0 } })
  local mole
  return { width = 64, height = 48,
    load = function() mole = spawnpool.pools:alloc('Mole', 0, 4, -8) end,
    update = function()
      local _, down = map:move(mole, math.random(-3, 3), 2)
      local _, column, row = map:at(mole.x, mole.y + 4)
      if down and column then map:set(column, row, '.') mole.dug = mole.dug + 1 dug = mole.dug end
    end,
    draw_below = function(g) g:tiles(map) end }]]

player.test("frames that are played again find the map as it was",
  { headless = true, main = DIGGING, args = "--synctest", err = { "frames were played again, 0 differ" } }, function()
    frames(120)
    equal(ask "return dug > 2", true)
  end)

player.test("edited rows are seen at once, beside what the game has changed", function()
  local main <const> = [[local spawnpool = require 'spawnpool'
    map = spawnpool.tiles { size = 16, rows = { '....', '#...' } }
    local first = true
    return { width = 64, height = 48, update = function() if first then map:set(4, 1, '#') first = false end end,
      draw_below = function(g) g:tiles(map) end }]]
  run({ main = main, args = "--size 64x48 --no-watch", out = false }, function()
    frames(3)
    equal(ask "return map.rows[1] .. map.rows[2]", "...##...")
    save("main.lua", (main:gsub("'#%.%.%.'", "'##..'")))
    press("F5", 2)
    equal(ask "return map.rows[1] .. map.rows[2]", "...###..")
  end)
end)
