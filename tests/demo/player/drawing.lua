-- What `g` and objects draw, to the pixel, with the built-in letters; how `g` refuses wrong arguments; and PNGs as
-- sprites. The game runs in this process, in a picture of 64 x 48.

local WHITE <const> = 0xffffff

-- Objects of A and B are white squares of radius 4. `object(x, y, looks)` makes one of A.
local MAIN <const> = [[
  pools = require("spawnpool").pools
  for _, name in ipairs { "A", "B" } do require("spawnpool").class(name, { sprite = "square", radius = 4 }) end
  function object(x, y, looks, type)
    local it <const> = pools:alloc(type or "A", 0, x, y)
    for name, value in pairs(looks or {}) do it[name] = value end
    return it
  end
  ]] .. player.DRAWN:format ""

local test <const> = tests { headless = true, main = MAIN, args = "--size 64x48 --screenshot out.png", letters = 1 }

-- {== Forms ======================================================================

test("forms are exact", function()
  for _, row in ipairs {
    { "g:rect(10, 20, 7, 3)", 21, { { 10, 20, WHITE }, { 16, 22, WHITE } } },
    { "g:rect(10, 20, 7, 5, 'line')", 20, { { 13, 22, 0 } } },
    { "g:rect(10, 20, 0, 5) g:rect(10, 20, -3, 5) g:rect(10, 20, 3, -1, 'line')", 0 },
    { "g:line(10, 20, 30, 20)", 21, { { 10, 20, WHITE }, { 30, 20, WHITE } } },
    { "g:line(5, 5, 5, 5)", 1 },
    { "g:line(10, 20, 30, 20, 3)", 63, { { 10, 19, WHITE }, { 10, 21, WHITE } } },
    { "g:line(10, 10, 40, 40, 2)", false, { { 45, 45, 0 }, { 10, 40, 0 } } },
    { "g:circle(30, 24, 10)", false, { { 30, 24, WHITE }, { 21, 24, WHITE }, { 18, 24, 0 } } },
    { "g:circle(30, 24, 10, 'line')", false, { { 30, 24, 0 } } },
    { "g:circle(30, 24, 0) g:circle(30, 24, -4, 'line')", 0 },
    { "g:sprite('square', 20, 20)", 256, { { 12, 12, WHITE } } },
    { "g:sprite('square', 20, 20, 0, 0.5)", 64 },
    { "g:sprite('square', 20, 20, math.pi / 4)", false, { { 12, 12, 0 }, { 20, 10, WHITE } } },
  } do expect_drawn(table.unpack(row, 1, 3)) end
  expect(draw "g:circle(30, 24, 10, 'line')".lit(0, 0, 64, 48, BLACK) > 40)
end)

test("the colour holds until the next draw", function()
  local picture <const> = expect_drawn([[g:color(1, 0, 0) g:rect(0, 0, 2, 2) g:rect(4, 0, 2, 2)
    g:color(0, 1, 0, 0.5) g:rect(8, 0, 2, 2)]], 12, { { 0, 0, RED }, { 4, 0, RED } })
  equal(picture.at(8, 0) & 0xfffeff, 0x008000)
  expect_drawn("g:rect(0, 0, 2, 2)", 4, { { 0, 0, WHITE } })
end)

-- }==

-- {== Text =======================================================================

-- "I" has five dots by seven: a bar with a foot and a head; of size 16 every dot is two by two.
test("letters are drawn where they belong", function()
  for _, row in ipairs {
    { "g:text(10, 20, 'I', 8)", 11, { { 12, 20, WHITE }, { 12, 26, WHITE }, { 11, 20, WHITE }, { 11, 23, 0 } } },
    { "g:text(10, 20, 'I', 16)", 44, { { 15, 33, WHITE } } },
    { "g:text(0, 0, 'I\\nI', 8)", 22, { { 2, 13, WHITE } } },
    { "g:text(10, 0, 'I', 8, 'right') g:text(40, 0, 'I', 8, 'center')", 22, { { 6, 3, WHITE }, { 39, 3, WHITE } } },
    { "g:color(0, 0, 1) g:text(1, 1, 'I', 8)", 11, { { 3, 2, BLUE } } },
  } do expect_drawn(table.unpack(row, 1, 3)) end
  draw "g:text(1, 1, 12) g:text(1, 1, 1.5) g:text(1, 1, true) g:text(1, 1, nil)" -- any value
end)

test("odd bytes show as boxes", function()
  for bytes, letters in pairs { [""] = 0, ["\xc3\xa4"] = 1, ["\xff\xfe"] = 2, ["\xe2\x82"] = 2, ["\xed\xa0\x80"] = 3,
    ["\xf4\x90\x80\x80"] = 4, ["a\0b"] = 3, ["\xf0\x9f\x98\x80"] = 1, ["a\tb"] = 6, ["ab\nabcd\na"] = 4 } do
    draw(("width = g:measure(%q, 8)"):format(bytes))
    equal(ask "return width", letters * 6.0)
  end
end)

test("letters of the font mono are all of one width", function()
  draw [[narrow, wide, other = g:measure("iii", 16, "mono"), g:measure("WWW", 16, "mono"), g:measure "iii"
    g:text(0, 0, "iii", 16, "left", "mono")]]
  equal(ask "return narrow == wide and other <= wide", true)
end)

-- Letters are made of twice as many dots, not stretched.
test("points may have more pixels", { density = 2 }, function()
  expect_drawn("g:text(10, 10, 'I', 8)", 44, { { 25, 20, WHITE } })
  ask "object(10, 10)"
  expect_drawn(nil, 256, { { 12, 12, WHITE } })
end)

-- }==

-- {== Fonts of the game ==========================================================

-- A picture of letters of 4 x 4 pixels: those of the eight columns on the left are red, the others green.
local FONTS <const> = { pictures = { ["fonts/pixel.png"] = { 64, 24, RED, GREEN } } }

test("a picture of letters is a font, of whole pixels at any size", FONTS, function()
  expect_drawn("g:font('fonts/pixel.png') g:text(10, 10, 'AH')", 32,
    { { 10, 10, RED }, { 13, 13, RED }, { 14, 10, GREEN }, { 17, 13, GREEN }, { 18, 10, 0 } })
  expect_drawn("g:font('fonts/pixel.png', 12) g:text(10, 10, 'AH')", 288, { { 21, 21, RED }, { 22, 10, GREEN } })
  expect_drawn("g:text(10, 10, 'A', 8, 'left', 'fonts/pixel.png')", 64, { { 17, 17, RED } })
  expect_drawn("g:font('fonts/pixel.png') g:font() g:text(10, 20, 'I', 8)", 11)
  ask [[function paint(g) g:font 'fonts/pixel.png' size = table.concat({ g:measure "AHA\nA" }, " ") end]]
  frames(1)
  equal(ask "return size", "12.0 8.0")
end)

test("text is broken at its width: between words, and within a word that is longer", FONTS, function()
  for text, want in pairs {
    ["AA AA"] = { 1, 20 }, ["AA AAA"] = { 2, 12 }, ["AA  AAA"] = { 2, 12 }, ["AAAAAAAA"] = { 2, 20 }, [""] = { 1, 0 },
    ["AA\nAA AAAA A"] = { 4, 16 }, ["A AAAAAAA A"] = { 3, 20 },
  } do
    ask(("function paint(g) w, h = g:measure(%q, 4, 20, 'fonts/pixel.png') end"):format(text))
    frames(1)
    equal({ ask "return h", ask "return w" }, { want[1] * 4, want[2] }, text)
  end
  expect_drawn("g:text(40, 0, 'AA A', 4, 'right', 8, 'fonts/pixel.png')", 48,
    { { 32, 0, RED }, { 35, 4, 0 }, { 36, 4, RED }, { 39, 7, RED } })
end)

test("what is no font is a warning with its path, and the game goes on with built-in letters", {
  pictures = { ["fonts/odd.png"] = { 60, 24, RED } }, files = { ["fonts/bad.ttf"] = "this is no font" },
  err = { "fonts/bad.ttf: ", "; built-in letters are drawn instead\n",
    "fonts/odd.png: 60 x 24 pixels are not 16 columns and 6 rows of letters; built-in letters are drawn instead" },
}, function()
  expect_drawn("g:font('fonts/bad.ttf', 8) g:text(10, 20, 'I')", 11)
  expect_drawn("g:text(10, 20, 'I', 8, 'left', 'fonts/odd.png')", 11)
end)

-- }==

-- {== Clipping and effects =======================================================

test("what is drawn is clipped, until it is not", function()
  expect_drawn("g:clip(10, 10, 8, 6) g:rect(0, 0, 64, 48) g:line(0, 0, 64, 48)", 48,
    { { 10, 10, WHITE }, { 17, 15, WHITE }, { 9, 10, 0 }, { 18, 15, 0 } })
  expect_drawn("g:clip(10, 10, 8, 6) g:text(0, 0, 'MMMM', 40) g:clip() g:rect(0, 0, 2, 2)", false,
    { { 1, 1, WHITE }, { 20, 20, 0 } })
  expect_drawn("g:clip(10, 10, 0, -6) g:rect(0, 0, 64, 48) g:clip(-1e30, 70, 1e38, 1e38) g:rect(0, 0, 64, 48)", 0)
  expect_drawn("g:rect(0, 0, 2, 2)", 4) -- not in the next picture
end)

test("effects change the picture as it is", function()
  local GREY <const> = "g:color(0.5, 0.5, 0.5) g:rect(0, 0, 32, 48) g:color(1, 1, 1) "
  expect_drawn(GREY .. "g:effect('flash', 1, 1, 0, 0)", 64 * 48, { { 5, 5, RED }, { 60, 40, RED } })
  expect_drawn(GREY .. "g:effect('tint', 1, 1, 0, 0)", 32 * 48, { { 5, 5, 0x800000 }, { 40, 5, 0 } })
  expect_drawn(GREY .. "g:effect('tint', 0, 1, 0, 0) g:effect('flash', -1)", 32 * 48, { { 5, 5, 0x808080 } })
  expect_drawn(GREY .. "g:clip(0, 0, 16, 48) g:effect('flash', 1, 1, 0, 0)", 32 * 48,
    { { 5, 5, RED }, { 20, 5, 0x808080 } })
  local screen <const> = draw(GREY .. "g:effect 'crt'")
  local bright <const>, line <const>, corner <const> = screen.at(30, 24), screen.at(30, 23), screen.at(1, 0)
  expect(bright > 0x707070 and line < 0x505050 and corner < 0x505050, "%06x, %06x, %06x", bright, line, corner)
end)

-- }==

-- {== Misuse =====================================================================

-- The caller is blamed, and an unknown field names the nearest.
test("wrong calls are refused", function()
  for code, message in pairs {
    ["g:line(1, 2, 3)"] = "#4 to 'line' (number expected, got no value)",
    ["g:rect(1, 2, 3, 4, 'full')"] = "#5 to 'rect' (invalid option 'full')",
    ["g:circle(0/0, 2, 3)"] = "#1 to 'circle' (finite number expected)",
    ["g:text(1, 1)"] = "#3 to 'text' (value expected)",
    ["g:text(1, 1, 'a', 9, 'left', 0)"] = "#6 to 'text' (a width above 0 expected)",
    ["g:font('fonts/none.ttf')"] = "#1 to 'font' (no font 'fonts/none.ttf' ('sans', 'mono', or a file of the game in "
      .. "fonts/))",
    ["g:line(1, 2, 3, 4, 0)"] = "#5 to 'line' (a width above 0 expected)",
    ["g:sprite('cirle', 1, 1)"] = "#1 to 'sprite' (no sprite 'cirle'; the nearest is 'circle')",
    ["g:sprite('circle', 1, 1, 0, 1, 1, 3)"] =
      "#7 to 'sprite' (the frame of 'circle' must be an integer from 1 to 1, got 3)",
    ["g:polygon { 1, 2, 3, 4 }"] = "#1 to 'polygon' (3 to 1024 points expected, got 2)",
    ["g:polygon { 1, 2, 3, 4, 5 }"] = "#1 to 'polygon' (3 to 1024 points expected, got 2 and a half)",
    ["g:polygon { 1, 2, 3, 4, 5, 0/0 }"] =
      "#1 to 'polygon' (numbers x1, y1, x2, y2, ... expected, or points {x, y}; entry 6 is none)",
    ["g:polygon { { 1, 2 }, { 3, 4 }, 7 }"] = "#1 to 'polygon' (a list of points {x, y} expected; entry 3 is none)",
    ["g.text('score', 3, 4)"] = "#1 to 'text' (g (call methods with a colon: g:text(...)) expected, got string)",
    ["g:txt(1, 2, 'a')"] = "g has no field 'txt'; the nearest is 'text'",
    ["g.score = 3"] = "g takes no fields; 'score' belongs in a table of your own",
    ["g.height = 3"] = "g.height is read only; set width and height in the table that main.lua returns",
    ["g.draw_ms = 3"] = "g.draw_ms is read only",
    ["spawnpool.view.width = 3"] =
      "spawnpool.view.width is read only; set width and height in the table that main.lua returns",
    ["spawnpool.view.zoom = 3"] = "spawnpool.view takes no fields; 'zoom' belongs in a table of your own",
  } do
    local told <const> = try_draw("\n\n" .. code)
    equal(told, "ask:3: " .. (message:find "^#" and "bad argument " or "") .. message, code)
  end
end)

test("outside of draw g refuses, and inside it is closed", function()
  draw "kept = g assert(getmetatable(g) == 'g' and not pcall(setmetatable, g, {}))"
  expect_error("^ask:1: g draws only while draw%(g%) runs; store what you want to draw, and draw it there$", ask,
    "kept:rect(1, 2, 3, 4)")
  expect_drawn("g:rect(1, 2, 3, 4)", 12)
  draw [[assert(g.width == 64 and g.height == 48 and math.type(g.width) == 'integer')
    assert(g.update_ms > 0 and g.draw_ms > 0)]]
end)

test("what is left of a large square has its edges", function()
  expect_drawn("g:rect(-5000, -5000, 5032, 5024)", 32 * 24, { { 31, 23, WHITE } })
  expect_drawn("g:rect(32, 24, 5000, 5000)", 32 * 24, { { 32, 24, WHITE } })
end)

-- }==

-- {== Objects ====================================================================

test("objects have their size, colour and angle", function()
  for code, row in pairs {
    ["it = object(20, 10)"] = { 64, { { 16, 6, WHITE }, { 23, 13, WHITE }, { 15, 10, 0 }, { 24, 10, 0 } } },
    ["it = object(10, 10, { r = 7, g = 0.5, b = -3 })"] = { 64, { { 10, 10, 0xff8000 } } }, -- as bright as can be
    -- a triangle that pointed right, now down
    ["it = object(20, 20, { sprite = 'triangle', radius = 8, angle = math.pi / 2 })"] = { false,
      { { 20, 23, WHITE }, { 26, 20, 0 }, { 17, 17, WHITE }, { 20, 14, 0 } } },
  } do
    ask(code)
    expect_drawn(nil, table.unpack(row))
    ask "it:recycle()"
  end
end)

test("higher layers lie above, and within one later pools and slots", function()
  ask [[above = object(20, 20, { layer = 300, g = 0, b = 0 })
    object(20, 20, { layer = -5 }, 'B') object(24, 20, { layer = -32768, r = 0 })
    object(40, 20, { r = 0 }) object(40, 20, { g = 0 }) last = object(40, 20, { b = 0 }, 'B')]]
  expect_drawn(nil, false, { { 20, 20, RED }, { 26, 20, 0x00ffff }, { 40, 20, 0xffff00 } })
  ask "above.visible, last.visible = false, false"
  expect_drawn(nil, false, { { 22, 20, WHITE }, { 40, 20, 0xff00ff } })
end)

test("only what is live and in view is drawn", function()
  ask [[local gone = object(20, 20)
    object(-40, 10) object(10, 500) object(67, 10) -- its left edge is in view
    object(30, 30, { a = 0 }) object(30, 30, { visible = false }) object(30, 30, { radius = 0 })
    gone:recycle()]]
  equal(expect_drawn(nil, 8).quads, 1)
end)

-- In motion a number may become infinite, and then none.
test("objects whose numbers overflow draw nothing, and a huge angle is one all the same", function()
  ask [[for field, speed in pairs { x = "vx", y = "vy", angle = "spin" } do
      local o <const> = object(20, 20)
      o[field], o[speed] = 3e38, 3e38
    end]]
  frames(10)
  equal(ask("for o in pools:each() do if o.x == math.huge then return true end end"), true)
  equal(expect_drawn(nil, 0).quads, 0)
  ask "object(20, 20).angle = 1e30"
  equal(draw().quads, 1)
end)

-- The gun is ahead of the ship, which looks down.
test("a child is drawn where its parent takes it", function()
  ask [[local ship = pools:alloc('A', 0, 30, 20, math.pi / 2)
    ship.visible, first = false, object(5, 5)
    pools:alloc('B', 0, 15, 0, 0, ship).sprite = 'circle']]
  equal(expect_drawn(nil, false, { { 30, 35, WHITE }, { 15, 1, 0 }, { 5, 5, WHITE } }).quads, 2)
  ask "first:recycle()"
  expect_drawn(nil, false, { { 30, 35, WHITE }, { 5, 5, 0 } })
end)

test("objects are shown away from where they are when g shakes", function()
  ask "object(20, 10) object(-10, 10) pools:alloc('B', 0, 10, 0, 0, object(40, 30))" -- the second comes into view by it
  draw "g:shake(9, -3)"
  expect_drawn(nil, false, { { 25, 3, WHITE }, { 24, 7, 0 }, { 2, 7, WHITE }, { 55, 23, WHITE }, { 54, 27, 0 } })
end)

-- One picture is made while the other is shown.
test("many objects are one run and no new memory", function()
  ask [[local sprites <const> = { 'circle', 'square', 'triangle', 'ring', 'spark' }
    for i = 0, 4999 do object(i % 64, i % 48, { sprite = sprites[i % 5 + 1] }) end]]
  local vertices <const> = { draw().vertices, draw().vertices }
  for i = 1, 4 do
    local picture <const> = draw()
    equal({ picture.quads, picture.runs, picture.vertices }, { 5000, 1, vertices[(i - 1) % 2 + 1] })
  end
end)

-- }==

-- {== PNGs =======================================================================

test("a PNG is a sprite by its name", { pictures = { ["sprites/flag.png"] = { 16, 8, RED, BLUE } },
  files = { ["sprites/notes.txt"] = "no picture", ["sprites/.hidden.png"] = "no picture" } }, function()
    ask "it = object(20, 20, { sprite = 'flag', radius = 8 })" -- 16 wide: its own size, and wider than high
    expect_drawn(nil, 16 * 8, { { 12, 16, RED }, { 27, 23, BLUE } })
    ask "it.radius = 4" -- half its size, from the halved picture
    expect_drawn(nil, 8 * 4, { { 16, 20, RED }, { 23, 20, BLUE } })
  end)

test("a PNG that glows is added to what is behind", { pictures = { ["sprites/wall.png"] = { 16, 16, 0x800040 },
  ["sprites/flag.glow.png"] = { 16, 16, 0x208010, 0xff0000 } } }, function()
    expect_drawn("g:sprite('wall', 24, 24) g:sprite('flag', 24, 24)", 256,
      { { 18, 24, 0xa08050 }, { 29, 24, 0xff0040 }, { 40, 24, 0 } })
  end)

player.test("what is too much for a picture is left out, and told once", {
  patience = 60, main = [[local text <const> = ("x"):rep(1e6)
    return { draw = function(g)
      g:color(1, 0, 0)
      for _ = 1, 262144 do g:rect(-9, -9, 1, 1) end
      g:color(1, 1, 1)
      g:rect(0, 0, 1e9, 1e9)
      for y = 20, 21 do g:text(0, y, text) end
      assert(g:measure(text) < 1e6)
    end }]],
  args = "--size 64x48 --frames 2", events = "", pixels = { { 30, 10, 0x12131b } }, -- the background
  err = "warning: g draws up to 262144 shapes and 65536 letters in a frame, and 65536 bytes in one text: the rest "
    .. "is left out\n",
})

-- Textures of 256 pixels have room for one of these each.
test("pictures in many textures keep their order", { textures = 256, before = "device_reset",
  pictures = { ["sprites/red.png"] = { 250, 8, RED }, ["sprites/blue.png"] = { 250, 250, BLUE },
    ["sprites/tall.png"] = { 4, 300, GREEN } } }, function()
      local picture <const> = expect_drawn([[for _ = 1, 3 do
        g:sprite("red", 30, 20, 0, 125 / 8) g:sprite("blue", 30, 20, 0, 125 / 8) g:sprite("tall", 30, 20, 0, 2 / 8)
        end]], false, { { 30, 20, GREEN }, { 40, 20, BLUE } })
      equal(picture.runs, 9)
    end)

-- }==
