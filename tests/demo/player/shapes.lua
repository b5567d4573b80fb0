-- What the shape of a game's pictures depends on: strokes at any scale, mirrored and enlarged sprites, and polygons.
-- The game runs in this process and draws what a test tells it to: by SDL's software renderer, or by OpenGL.

-- Runs fn in a view of 100 x 60 units with that many pixels a unit; `setting` is an entry of the game's table.
local function at_scale(scale, fn, setting, gl)
  if gl and host.tool == "valgrind" then return host.skip("shapes", "drivers of OpenGL leak") end
  local size <const> = ("%dx%d"):format(100 * scale // 1, 60 * scale // 1)
  local more <const> = "width = 100, height = 60, " .. (setting or "")
  run({ main = player.DRAWN:format(more), headless = not gl, gl = gl, err = not gl and "",
    pictures = { ["sprites/upper.png"] = { 2, 1, RED, GREEN }, ["sprites/two.png"] = { 4, 2, RED, GREEN } },
    files = { ["sprites/two.json"] = [[{"frames": [{"frame": {"x": 0, "y": 0, "w": 2, "h": 2}},
      {"frame": {"x": 2, "y": 0, "w": 2, "h": 2}}]}]] },
    args = "--size " .. size .. (gl and "" or " --screenshot out.png") }, fn)
end

local SCALES <const> = { 0.3, 0.5, 1, 2 }

-- How bright the brightest pixel is in a row, or a column, of the picture, and how many are not black.
local function light_in(picture, x, y, dx, dy)
  local most, count = 0, 0
  while x < picture.w and y < picture.h do
    local value <const> = picture.at(x, y)
    most, count = math.max(most, value >> 8 & 255), count + (value ~= 0 and 1 or 0)
    x, y = x + dx, y + dy
  end
  return most, count
end

-- {== Strokes ======================================================================

-- Wherever they lie between the pixels; also the sides of an outline.
test("upright strokes are at least one pixel at any scale", function()
  for _, scale in ipairs(SCALES) do
    at_scale(scale, function()
      local wide <const> = math.max(1, scale // 1)
      local wants <const> = { ["g:rect(11, 13, 60, 31, 'line')"] = 2 * wide }
      for at = 10, 13 do wants[("g:line(%d, 0, %d, 60) g:line(0, %d, 100, %d)"):format(at, at, at, at)] = wide end
      for code, count in pairs(wants) do
        local it <const> = draw(code)
        equal({ light_in(it, 0, it.h // 2, 1, 0) }, { 255, count }, ("%s at %g"):format(code, scale))
        equal({ light_in(it, it.w // 2, 0, 0, 1) }, { 255, count }, ("%s at %g"):format(code, scale))
      end
    end)
  end
end)

-- At any scale, and in the world under any camera: each column has that many lit pixels, and a line many shades.
test("other strokes are smooth, and nowhere interrupted", function()
  local function expect_lit(code, least, from, to)
    local it <const>, shades <const> = draw(code), {}
    local count = 0
    for x = from * it.w // 100 + 1, to * it.w // 100 - 1 do
      local most <const>, lit <const> = light_in(it, x, 0, 0, 1)
      expect(most > 90 and lit >= least, "%s, column %d: %d, %d", code, x, most, lit)
      for y = 0, it.h - 1 do
        count = count + (shades[it.at(x, y)] and 0 or 1)
        shades[it.at(x, y)] = true
      end
    end
    expect(count > 4, "%s: %d shades", code, count)
  end
  for _, scale in ipairs(SCALES) do
    at_scale(scale, function()
      expect_lit("g:line(5, 5, 95, 31)", 1, 6, 94)
      expect_lit("g:circle(50, 30, 25, 'line')", 2, 26, 74)
      expect_lit("g:polygon({ 20, 8, 80, 12, 50, 56 }, 'line')", 2, 26, 74)
      ask "is_below = true"
      for _, zoom in ipairs { 0.3, 1, 2.5 } do
        expect_lit(("g:camera(0.3, 0.2, %g, 0.4) g:line(-900, 0, 900, 0)"):format(zoom), 1, 2, 98)
      end
    end)
  end
end)

-- }==

-- {== Sprites ======================================================================

-- In units; each is looked at in its four corners' pixels.
local MIRRORED <const> = {
  { 2, 4, RED }, { 5, 7, RED }, { 6, 4, GREEN }, { 9, 7, GREEN }, { 2, 3, 0 }, { 10, 4, 0 },
  { 12, 4, GREEN }, { 15, 7, GREEN }, { 16, 4, RED }, { 19, 7, RED }, { 22, 2, GREEN }, { 25, 9, GREEN },
  { 26, 2, RED }, { 29, 9, RED }, { 2, 12, GREEN }, { 9, 12, RED },
  { 12, 12, RED }, { 19, 12, GREEN }, { 24, 12, GREEN }, { 27, 15, GREEN }, { 28, 12, 0 },
}

test("sprites are mirrored, stretched and enlarged pixel by pixel", function()
  for _, scale in ipairs { 1, 3 } do
    at_scale(scale, function()
      ask [[spawnpool.class("A", { sprite = "upper", radius = 4 })
        local pools <const> = spawnpool.pools
        pools:alloc("A", 0, 6, 6)
        pools:alloc("A", 0, 16, 6).scale_x = -1
        pools:alloc("A", 0, { x = 26, y = 6, scale_x = -1, scale_y = 2 })]]
      local picture <const> = draw [[g:sprite("upper", 6, 14, 0, -0.5) g:sprite("upper", 16, 14, 0, 0.5, -0.5)
        g:sprite("two", 26, 14, 0, 0.25, 0.25, 2)]]
      for _, row in ipairs(MIRRORED) do
        local x <const>, y <const> = row[1] * scale, row[2] * scale
        expect_pixels(picture, { { x, y, row[3] }, { x + scale - 1, y + scale - 1, row[3] } })
      end
    end, "scale = 'integer',")
  end
end)

test("filter says how pictures are enlarged", function()
  local function shades(setting)
    local between = 0
    at_scale(1, function()
      local it <const> = draw "g:sprite('upper', 50, 30, 0, 5)"
      for x = 12, 88 do
        local value <const> = it.at(x, 30)
        between = between + ((value ~= RED and value ~= GREEN) and 1 or 0)
      end
    end, setting)
    return between
  end
  equal(shades "filter = 'nearest',", 0)
  equal(shades "scale = 'integer',", 0)
  expect(shades "" > 10)
  expect(shades "filter = 'linear', scale = 'integer'," > 10)
end)

-- How much the means of 8 x 8 pixels differ in two pictures, of 255: at most, and on average.
local function compare_means(one, other)
  local most, sum, count = 0, 0, 0
  for y = 0, one.h - 8, 8 do
    for x = 0, one.w - 8, 8 do
      local steps <const> = { 0, 0, 0 }
      for i = 0, 63 do
        local at <const> = (y + i // 8) * one.w + x + i % 8
        for c = 1, 3 do steps[c] = steps[c] + one.bytes:byte(3 * at + c) - other.bytes:byte(3 * at + c) end
      end
      local step <const> = math.max(math.abs(steps[1]), math.abs(steps[2]), math.abs(steps[3])) / 64
      most, sum, count = math.max(most, step), sum + step, count + 1
    end
  end
  return most, sum / count
end

-- Objects of a view that is enlarged, reduced or as it is, some of them turned, translucent or clipped, over strokes
-- and mirrored sprites.
local MIXED <const> = [[
  local shapes <const> = { 'circle', 'square', 'spark' }
  spawnpool.class 'Drawn'
  for i = 0, 599 do
    local o <const> = spawnpool.pools:alloc('Drawn', 0, 55 + i * 37 % 450 / 10, i * 91 % 600 / 10)
    o.angle, o.sprite, o.layer = i % 3 > 0 and i * 0.01 or 0, shapes[i % 3 + 1], i % 5 // 2
    o.radius, o.r, o.a = 0.7 + i % 17 * 0.1, i % 11 / 10, 0.2 + i % 7 / 10
  end
  function paint(g)
    g:rect(4, 8, 20, 40) g:color(1, 0.4, 0) g:rect(11, 13, 17, 31) g:line(3, 3, 3, 50, 2) g:line(6, 54, 46, 54, 3)
    g:sprite("upper", 40, 25, 0, -1.25, 1.25) g:sprite("two", 40, 40, 0, 1.25, -1.25, 2)
    g:clip(60, 10, 30, 40) g:color(0, 0.5, 1) g:line(52, 4, 97, 52, 6) g:circle(83, 22, 13)
  end]]

-- What OpenGL and SDL's software renderer draw: the latter moves corners to whole pixels.
test("OpenGL and SDL's software renderer draw the same, at any scale", function()
  for _, scale in ipairs { 1, 1.5, 2, 3 } do
    local pictures <const> = {}
    for _, gl in ipairs { 1, 0 } do
      at_scale(scale, function()
        if gl == 1 and host.renderer() ~= "opengl" then return host.skip("OpenGL draws", "no OpenGL off the screen") end
        ask(MIXED)
        player.frames(2)
        pictures[#pictures + 1] = scene()
      end, "scale = 'fit', filter = 'nearest',", gl)
    end
    if #pictures < 2 then return end
    local most <const>, mean <const> = compare_means(pictures[1], pictures[2])
    expect(most < 64 and mean < 9, "at %g: %g at most, %g on average", scale, most, mean)
  end
end)

-- }==

-- {== Polygons =====================================================================

test("a polygon is filled inside, concave or not, in and out of the view", function()
  for _, scale in ipairs { 0.3, 1, 2 } do
    at_scale(scale, function()
      local function expect_red(code, places)
        local it <const> = draw("g:color(1, 0, 0) g:polygon " .. code)
        for _, row in ipairs(places) do
          equal(it.at(row[1] * scale // 1, row[2] * scale // 1), row[3] or RED, code)
        end
      end
      -- an arrow that points right, with a notch at its left side; a comb; one that is mostly far away
      expect_red("{ 10, 10, 90, 30, 10, 50, 40, 30 }",
        { { 50, 30 }, { 24, 18 }, { 20, 30, 0 }, { 80, 30 }, { 30, 40 }, { 95, 30, 0 } })
      expect_red("{ 5, 5, 20, 45, 35, 5, 50, 45, 65, 5, 65, 55, 5, 55 }",
        { { 8, 20 }, { 20, 20, 0 }, { 35, 20 }, { 50, 20, 0 }, { 62, 20 }, { 20, 50 } })
      if scale == 1 then
        expect_red("{ { 20, -1e6 }, { 1e7, 30 }, { 20, 1e6 } }", { { 19, 30, 0 }, { 20, 0 }, { 99, 59 } })
      end
      local flat <const> = draw "g:polygon { 10, 10, 10, 10, 10, 10 } g:polygon { 0, 5, 50, 5, 90, 5 }"
      equal(flat.lit(0, 0, flat.w, flat.h, 0), 0)
    end)
  end
end)

-- }==
