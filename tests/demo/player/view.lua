-- What of a game the window shows: its own size, how it is scaled, the camera; and text.

-- BLACK is what the view leaves of the window, EMPTY where the game draws nothing.

-- A view of 40 x 20 units whose upper left corner is red, and green its lower right one: 4 x 4 units each. It prints
-- how many points a unit has.
local function corners(scale)
  return ([[return { width = 40, height = 20, scale = '%s', draw = function(g)
    g:color(1, 0, 0) g:rect(0, 0, 4, 4) g:color(0, 1, 0) g:rect(g.width - 4, g.height - 4, 4, 4)
    g:rect(-10, 30, 100, 10) print(g.scale) end }]]):format(scale)
end

test("a game chooses the size of its window",
  { main = corners "fit", out = { "1.0\n" }, pixels = { { 3, 3, RED }, { 4, 4, EMPTY }, { 39, 19, GREEN } } })

test("the view fits into the window, by its scale", {
  { -- 2.5 pixels a unit: 100 x 50, with 25 free above and below; what is drawn past the view is cut off
    main = corners "fit", args = "--size 100x100", out = { "2.5\n" },
    pixels = { { 50, 24, BLACK }, { 1, 25, RED }, { 9, 34, RED }, { 50, 50, EMPTY }, { 98, 73, GREEN },
      { 50, 76, BLACK } },
  },
  { args = "--size 101x100", out = { "2.5" }, pixels = { { 50, 23, BLACK }, { 50, 24, EMPTY } } }, -- from a whole pixel
  { -- 2: 80 x 40 from 10, 30 on
    main = corners "integer", args = "--size 100x100", out = { "2.0\n" },
    pixels = { { 9, 30, BLACK }, { 10, 30, RED }, { 17, 37, RED }, { 18, 38, EMPTY }, { 89, 69, GREEN },
      { 90, 69, BLACK } },
  },
  -- too small: as "fit"
  { args = "--size 20x20", out = { "0.5\n" }, pixels = { { 10, 4, BLACK }, { 0, 5, RED }, { 19, 14, GREEN } } },
  { main = corners "stretch", args = "--size 80x100", out = { "2.0\n" }, -- of the narrower direction
    pixels = { { 7, 19, RED }, { 8, 20, EMPTY }, { 72, 80, GREEN } } },
  { main = corners "none", args = "--size 60x50", out = { "1.0\n" },
    pixels = { { 3, 3, RED }, { 10, 10, EMPTY }, { 59, 49, GREEN } } },
})

-- `--check` rejects what the player warns of, with the same words.
test("a wrong setting is a warning with its line, and a problem of the game", function()
  for settings, problem in pairs {
    ["width = 0, height = 20"] = "width must be a whole number from 1 to 16384, got 0",
    ["width = 20, height = '1'"] = "height must be a whole number from 1 to 16384, got string",
    ["scale = 'big\\nbad'"] = 'scale must be "fit", "integer", "stretch" or "none", got \'big...\'',
    ["filter = 'blurred'"] = "filter must be \"nearest\" or \"linear\", got 'blurred'",
    ["title = 5"] = "title must be a string, got number",
    ["pause_unfocused = 1"] = "pause_unfocused must be true or false, got number",
    ["width = 5"] = "width must be given together with height",
  } do
    local line <const> = ("game/main.lua:2: %s\n"):format(problem)
    run { main = ("return {\n%s }"):format(settings), events = "", out = "", err = "warning: " .. line }
    run { sh = "spawnpool --check game", status = 1, out = "checked 1 file: 1 problem\n", err = line }
  end
end)

-- The square at 1000, 1000 has a radius of 5. The first picture already has the camera. Also large turned areas, which
-- SDL's software renderer cannot draw in one piece.
test("a camera shows the world around its place, and what is drawn below is in it", function()
  for code, pixels in pairs {
    ["draw = function(g) g:camera(1000, 1000) g:color(0, 1, 0) g:rect(0, 0, 3, 3) end"] =
      { { 50, 30, RED }, { 54, 34, RED }, { 56, 30, EMPTY }, { 1, 1, GREEN } },
    -- 5 units to the right, four times as large
    ["draw = function(g) g:camera(995, 1000, 4) end"] = { { 51, 30, RED }, { 88, 30, RED }, { 48, 30, EMPTY } },
    -- what is below is at the right
    ["draw = function(g) g:camera(1000, 985, 1, math.pi / 2) end"] = { { 65, 30, RED }, { 50, 45, EMPTY } },
    ["draw = function(g) g:camera(1000, 1000) g:camera() end"] = { { 50, 30, EMPTY } },
    ["draw_below = function(g) g:camera(1000, 1000, 1, 0.5) g:color(0, 1, 0) g:rect(0, 0, 2000, 2000) end"] =
      { { 50, 30, RED }, { 5, 5, GREEN }, { 95, 55, GREEN } },
    [ [[draw_below = function(g) g:camera(1000, 1000) g:color(0, 1, 0) g:rect(990, 990, 20, 20) end,
      draw = function(g) g:color(0, 1, 0) g:rect(990, 990, 20, 20) g:rect(0, 0, 2, 2) end]] ] =
      { { 50, 30, RED }, { 41, 21, GREEN }, { 61, 30, EMPTY }, { 1, 1, GREEN } },
  } do
    run { args = "--frames 1", pixels = pixels, main = ([[local pools <const> = require('spawnpool').pools
      require('spawnpool').class('Box', { sprite = 'square', radius = 5, g = 0, b = 0 })
      return { width = 100, height = 60, load = function() pools:alloc('Box', 0, 1000, 1000) end, %s }]]):format(code) }
  end
end)

test("places are converted both ways", { main = [[local view <const> = require('spawnpool').view
  local function near(a, b) return math.abs(a - b) < 1e-3 end
  return { width = 100, height = 60, draw = function(g)
    g:camera(300, -200, 2.5, 0.7)
    local x, y = view:to_world(70, 20)
    local vx, vy = view:to_view(x, y)
    assert(near(vx, 70) and near(vy, 20) and not near(x, 70))
    x, y = view:to_world(50, 30) assert(near(x, 300) and near(y, -200))
    assert(view.width == 100 and view.height == 60)
    g:camera() x, y = view:to_world(7, 8) assert(x == 7 and y == 8)
    assert(not pcall(view.to_world, 1, 2) and not pcall(function() return view.w end))
    for _, zoom in ipairs { 0, -1, 1e9, 0 / 0 } do assert(not pcall(g.camera, g, 0, 0, zoom)) end
    assert(not pcall(g.camera, g, 1)) end }]] })

test("a text has the same width in every window and in none", function()
  local function width(args)
    return run { events = "", args = "--frames 1 " .. args, main = [[return { width = 100, height = 60,
      draw = function(g) print(g:measure('The quick brown fox', 11)) end }]] }.out
  end
  local first <const> = width "--screenshot out.png"
  expect(#first > 4, first)
  equal({ width "--size 333x200 --screenshot out.png", width "" }, { first, first })
end)

test("without a font text is drawn all the same", function()
  if not can("unshare -m mount -t tmpfs none /usr/share/fonts", "the fonts cannot be hidden") then return end
  run {
    main = "return { draw = function(g) g:text(1, 1, 'text') end }", files = { ["empty.lua"] = "return {}" },
    sh = [[HOME=/nowhere unshare -m sh -c 'mount -t tmpfs none /usr/share/fonts &&
      spawnpool --headless --frames 3 --size 64x48 --screenshot text.png game &&
      spawnpool --headless --frames 3 --size 64x48 --screenshot empty.png game/empty.lua' &&
      ! cmp -s text.png empty.png]],
  }
end)
