-- What the shape of a game's pictures depends on: strokes at any scale, mirrored and enlarged sprites, and polygons. By
-- SDL's software renderer and by OpenGL.

-- A view of 100 x 60 units in a window of that many pixels a unit; draw(g) runs this code.
local function picture_of(code, scale, setting)
  run {
    main = ("return { width = 100, height = 60, %s draw = function(g) %s end }"):format(setting or "", code),
    args = ("--size %dx%d --frames 2 --screenshot out.png"):format(100 * scale // 1, 60 * scale // 1),
  }
  return player.picture "/out.png"
end

local SCALES <const> = { 0.3, 0.5, 1, 2 }

-- How bright the brightest pixel is in a row, or a column, of the picture, and how many are not empty.
local function light_in(picture, x, y, dx, dy)
  local most, count = 0, 0
  while x < picture.w and y < picture.h do
    local value <const> = picture.at(x, y)
    most, count = math.max(most, value >> 8 & 255), count + (value ~= EMPTY and 1 or 0)
    x, y = x + dx, y + dy
  end
  return most, count
end

-- {== Strokes ======================================================================

test("upright strokes are at least one pixel at any scale", function()
  for _, scale in ipairs(SCALES) do
    for at = 10, 13 do -- wherever they lie between the pixels
      local wide <const> = math.max(1, scale // 1)
      local column <const> = picture_of(("g:line(%g, 0, %g, 60)"):format(at, at), scale)
      equal({ light_in(column, 0, column.h // 2, 1, 0) }, { 255, wide }, ("column %d at %g"):format(at, scale))
      local row <const> = picture_of(("g:line(0, %g, 100, %g)"):format(at, at), scale)
      equal({ light_in(row, row.w // 2, 0, 0, 1) }, { 255, wide }, ("row %d at %g"):format(at, scale))
    end
  end
end)

test("an outline has all its sides at any scale", function()
  for _, scale in ipairs(SCALES) do
    local it <const> = picture_of("g:rect(11, 13, 60, 31, 'line')", scale)
    local wide <const> = math.max(1, scale // 1)
    for _, row in ipairs { { 0, it.h // 2, 1, 0 }, { it.w * 4 // 10, 0, 0, 1 } } do
      equal({ light_in(it, table.unpack(row)) }, { 255, 2 * wide }, tostring(scale))
    end
    for _, code in ipairs { "g:circle(50, 30, 25, 'line')", "g:polygon({ 20, 8, 80, 12, 50, 56 }, 'line')" } do
      local round <const> = picture_of(code, scale)
      for x = 26 * scale // 1, 74 * scale // 1, 3 do
        local most <const>, count <const> = light_in(round, x, 0, 0, 1)
        expect(most > 90 and count >= 2, "%s at %g, column %d: %d, %d", code, scale, x, most, count)
      end
    end
  end
end)

test("a slanted line is smooth, and nowhere interrupted", function()
  for _, scale in ipairs(SCALES) do
    local it <const> = picture_of("g:line(5, 5, 95, 31)", scale)
    local shades = {}
    for x = 6 * scale // 1 + 1, 94 * scale // 1 - 1 do
      local most <const> = light_in(it, x, 0, 0, 1)
      expect(most > 110, "%g, column %d: %d", scale, x, most)
      for y = 0, it.h - 1 do shades[it.at(x, y)] = true end
    end
    local count = 0
    for _ in pairs(shades) do count = count + 1 end
    expect(count > 4, "%g: %d shades", scale, count)
  end
end)

test("strokes in the world keep their width under any camera", function()
  for _, zoom in ipairs { 0.3, 0.7, 1, 2.5 } do
    run {
      main = ([[return { draw_below = function(g) g:camera(0.3, 0.2, %g, 0.4) g:line(-900, 0, 900, 0)
        g:circle(0, 0, 12 / %g, "line") end }]]):format(zoom, zoom),
      args = "--size 100x60 --frames 2 --screenshot out.png",
    }
    local it <const> = player.picture "/out.png"
    for x = 2, 98 do
      local most <const> = light_in(it, x, 0, 0, 1)
      expect(most > 110, "zoom %g, column %d: %d", zoom, x, most)
    end
  end
end)

-- }==

-- {== Sprites ======================================================================

local FIELDS <const> = { ["sprites/upper.png"] = { 2, 1, RED, GREEN }, ["sprites/two.png"] = { 4, 2, RED, GREEN } }
local SHEET <const> = { ["sprites/two.json"] = [[{"frames": [{"frame": {"x": 0, "y": 0, "w": 2, "h": 2}},
  {"frame": {"x": 2, "y": 0, "w": 2, "h": 2}}]}]] }

local MIRRORS <const> = [[local spawnpool <const> = require "spawnpool"
  spawnpool.class("A", { sprite = "upper", radius = 4 })
  local pools <const> = spawnpool.pools
  return { width = 40, height = 20, scale = "integer", load = function()
    pools:alloc("A", 0, 6, 6)
    pools:alloc("A", 0, 16, 6).scale_x = -1
    pools:alloc("A", 0, { x = 26, y = 6, scale_x = -1, scale_y = 2 })
  end, draw = function(g)
    g:sprite("upper", 6, 14, 0, -0.5) g:sprite("upper", 16, 14, 0, 0.5, -0.5) g:sprite("two", 26, 14, 0, 0.25, 0.25, 2)
  end }]]

-- In units of the view; each is looked at in its four corners' pixels.
local MIRRORED <const> = {
  { 2, 4, RED }, { 5, 7, RED }, { 6, 4, GREEN }, { 9, 7, GREEN }, { 2, 3, EMPTY }, { 10, 4, EMPTY },
  { 12, 4, GREEN }, { 15, 7, GREEN }, { 16, 4, RED }, { 19, 7, RED }, { 22, 2, GREEN }, { 25, 9, GREEN },
  { 26, 2, RED }, { 29, 9, RED }, { 2, 12, GREEN }, { 9, 12, RED },
  { 12, 12, RED }, { 19, 12, GREEN }, { 24, 12, GREEN }, { 27, 15, GREEN }, { 28, 12, EMPTY },
}

test("sprites are mirrored, stretched and enlarged pixel by pixel", function()
  for scale = 1, 3 do
    local pixels <const> = {}
    for _, row in ipairs(MIRRORED) do
      local x <const>, y <const> = row[1] * scale, row[2] * scale
      pixels[#pixels + 1] = { x, y, row[3] }
      pixels[#pixels + 1] = { x + scale - 1, y + scale - 1, row[3] }
    end
    run { main = MIRRORS, pictures = FIELDS, files = SHEET, pixels = pixels,
      args = ("--frames 2 --size %dx%d"):format(40 * scale, 20 * scale) }
  end
end)

-- Upright strokes, an outline and mirrored sprites; in the right half slanted strokes and a ring.
local BOTH <const> = [[return { width = 100, height = 60, filter = "nearest", draw = function(g)
  g:color(0, 0, 0) g:rect(0, 0, 100, 60) g:color(1, 1, 1)
  g:line(3, 3, 3, 50) g:line(6, 5, 6, 40, 3) g:line(10, 7, 44, 7) g:rect(11, 13, 17, 31, "line")
  g:sprite("upper", 40, 25, 0, -1.25, 1.25) g:sprite("two", 40, 50, 0, 1.25, -1.25, 2)
  g:line(52, 4, 97, 22) g:line(55, 50, 70, 20, 4) g:circle(83, 42, 13, "line")
end }]]

-- How much two pictures differ between two columns, of 255: at most, and on average where one is not black.
local function compare(one, other, from, to)
  local most, sum, count = 0, 0, 0
  for y = 0, one.h - 1 do
    for x = from, to - 1 do
      local a <const>, b <const> = one.at(x, y), other.at(x, y)
      local step = 0
      for shift = 0, 16, 8 do step = math.max(step, math.abs((a >> shift & 255) - (b >> shift & 255))) end
      most, sum, count = math.max(most, step), sum + step, count + (a | b > 0 and 1 or 0)
    end
  end
  return most, sum / count
end

test("OpenGL draws strokes and sprites as SDL's software renderer does, at any scale", function()
  for _, scale in ipairs(SCALES) do
    local size <const> = ("%dx%d"):format(100 * scale // 1, 60 * scale // 1)
    run { main = BOTH, pictures = FIELDS, files = SHEET,
      args = ("--size %s --frames 2 --screenshot out.png"):format(size) }
    local software <const> = player.picture "/out.png"
    run({ gl = 1, args = "--size " .. size, err = false, main = BOTH }, function()
      if not host.has_gl() then return host.skip("OpenGL draws strokes", "no OpenGL off the screen") end
      frames(2)
      local w <const>, h <const>, bytes <const> = host.scene()
      local it <const> = player.picture_of(w, h, bytes)
      equal({ it.w, it.h }, { software.w, software.h })
      equal(compare(software, it, 0, it.w // 2), 0, ("upright at %g"):format(scale))
      local most <const>, mean <const> = compare(software, it, it.w // 2, it.w)
      expect(most < 128 and mean < 16, "slanted at %g: %d at most, %g on average", scale, most, mean)
    end)
  end
end)

test("filter says how pictures are enlarged", function()
  paint("sprites/upper.png", 2, 1, RED, GREEN)
  local function shades(setting)
    local it <const> = picture_of("g:sprite('upper', 50, 30, 0, 5)", 1, setting)
    local between = 0
    for x = 12, 88 do
      local value <const> = it.at(x, 30)
      between = between + ((value ~= RED and value ~= GREEN) and 1 or 0)
    end
    return between
  end
  equal(shades "filter = 'nearest',", 0)
  equal(shades "scale = 'integer',", 0)
  expect(shades "" > 10)
  expect(shades "filter = 'linear', scale = 'integer'," > 10)
  run { main = "return {\nfilter = 'blurred' }", args = "--check", status = 1,
    out = "checked 1 file: 1 problem\n",
    err = "game/main.lua:2: filter must be \"nearest\" or \"linear\", got 'blurred'\n" }
end)

test("light of additive objects is added", {
  main = [[local spawnpool <const> = require "spawnpool"
    spawnpool.class("Lamp", { sprite = "square", radius = 8, r = 1, g = 0, b = 0, blend = "add" })
    spawnpool.class("Wall", { sprite = "square", radius = 8, r = 0, g = 0, b = 1 })
    local pools <const> = spawnpool.pools
    return { load = function()
      pools:alloc("Wall", 0, 20, 20) pools:alloc("Lamp", 0, 28, 20) pools:alloc("Wall", 0, 60, 20)
    end }]],
  args = "--size 100x60 --frames 2", pixels = { { 14, 20, BLUE }, { 24, 20, 0xff00ff }, { 60, 20, BLUE } },
})

-- }==

-- {== Polygons =====================================================================

test("a polygon is filled inside, concave or not, in and out of the view", function()
  for _, scale in ipairs(SCALES) do
    -- an arrow that points right; the notch is at its left side
    local it <const> = picture_of("g:color(1, 0, 0) g:polygon { 10, 10, 90, 30, 10, 50, 40, 30 }", scale)
    local function at(x, y) return it.at(x * scale // 1, y * scale // 1) end
    equal({ at(50, 30), at(24, 18), at(20, 30), at(80, 30), at(30, 40), at(95, 30) },
      { RED, RED, EMPTY, RED, RED, EMPTY })
  end
  local comb <const> = picture_of("g:color(1, 0, 0) g:polygon { 5, 5, 20, 45, 35, 5, 50, 45, 65, 5, 65, 55, 5, 55 }", 1)
  equal({ comb.at(8, 20), comb.at(20, 20), comb.at(35, 20), comb.at(50, 20), comb.at(62, 20), comb.at(20, 50) },
    { RED, EMPTY, RED, EMPTY, RED, RED })
  local far <const> = picture_of("g:color(1, 0, 0) g:polygon { { 20, -1e6 }, { 1e7, 30 }, { 20, 1e6 } }", 1)
  equal({ far.at(19, 30), far.at(20, 0), far.at(99, 59) }, { EMPTY, RED, RED })
  equal(picture_of("g:polygon { 10, 10, 10, 10, 10, 10 } g:polygon { 0, 5, 50, 5, 90, 5 }", 1).lit(0, 0, 100, 60,
    EMPTY), 0)
end)

test("what is no polygon is refused at the caller's line", function()
  for code, problem in pairs {
    ["g:polygon { 1, 2, 3, 4 }"] = "3 to 1024 points expected, got 2",
    ["g:polygon { 1, 2, 3, 4, 5 }"] = "3 to 1024 points expected, got 2 and a half",
    ["g:polygon { 1, 2, 3, 4, 5, 0/0 }"] = "entry 6 is none",
    ["g:polygon { { 1, 2 }, { 3, 4 }, 7 }"] = "a list of points {x, y} expected; entry 3 is none",
    ["g:polygon { { 1, 2 }, { 3, 4 }, { 5 } }"] = "entry 2 is none",
    ["g:polygon(5)"] = "table expected, got number",
    ["g:polygon({ 1, 2, 3, 4, 5, 6 }, 'thick')"] = "bad argument #2 to 'polygon'",
    ["g:sprite('two', 1, 1, 0, 1, 1, 3)"] = "the frame of 'two' must be an integer from 1 to 2, got 3",
  } do
    run { pictures = FIELDS, files = SHEET, args = "--size 100x60 --frames 1", out = { "main.lua:3: ", problem },
      main = ("return { draw = function(g)\nlocal fine <const>, why <const> = pcall(function()\n%s end)\n"
        .. "print(why) end }"):format(code) }
  end
end)

-- }==
