-- Maps of tiles: what they hold, what is solid, and movement that no speed takes through a wall.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

local function room()
  return spawnpool.tiles { size = 16, letters = "#^", rows = { "....", ".^.#", "####" } }
end

spec.test("a map of text has a size, and letters by column and row, by point, in lists and as numbers", function()
  local map <const> = room()
  spec.equal({ map.columns, #map.rows, map.width, map.height, map.size }, { 4, 3, 64, 48, 16 })
  spec.equal({ map:get(1, 1), map:get(4, 2), map:get(2, 2), map:get(5, 1), map:get(0, 1), map:get(1, 4) },
    { ".", "#", "^" })
  spec.equal({ { map:at(20, 31.9) }, { map:at(64, 0) }, { map:at(-0.1, 0) } }, { { "^", 2, 2 }, {}, {} })
  spec.equal({ map.shown[("#"):byte()], map.shown[("^"):byte()], tostring(map) }, { 1, 2, "map of 4 x 3 tiles" })
  local found <const> = {}
  for x, y, column, row in map:each "#" do found[#found + 1] = ("%g %g %d %d"):format(x, y, column, row) end
  spec.equal(table.concat(found, "; "), "56 24 4 2; 8 40 1 3; 24 40 2 3; 40 40 3 3; 56 40 4 3")
  local named <const> = spawnpool.tiles { size = 8, rows = { "a@b", "#" }, letters = { a = 7, b = 2, ["@"] = 0 } }
  spec.equal({ named.shown[("a"):byte()], named.shown[("@"):byte()], named.shown[("#"):byte()], named:get(3, 2) },
    { 7, 0, 0, " " })
end)

spec.test("a map changes tile by tile, and its definition does not", function()
  local rows <const> = { "..", "##" }
  local map <const> = spawnpool.tiles { size = 8, rows = rows }
  spec.equal(map:solid(0, 0, 8, 8), false)
  spec.equal({ map:set(1, 1, "#"), map:set(1, 1, "#") }, { ".", "#" })
  spec.equal({ map:solid(0, 0, 8, 8), map:get(1, 1), map.rows[1], rows[1] }, { true, "#", "#.", ".." })
end)

spec.test("a map of numbers is solid where a tile is, or where a tile is of the list", function()
  local rows <const> = { { 0, 1, 2 }, { 3 } }
  local all <const>, some <const> = spawnpool.tiles { size = 8, rows = rows },
    spawnpool.tiles { size = 8, rows = rows, solid = { 2, 3 } }
  spec.equal({ all:solid(0, 0), all:solid(8, 0), all:solid(16, 0), all:solid(0, 8), all:solid(8, 8) },
    { false, true, true, true, false })
  spec.equal({ some:solid(8, 0), some:solid(16, 0), some:solid(0, 8) }, { false, true, true })
  spec.equal({ some:get(3, 1), some:get(3, 2) }, { 2, 0 })
  some:set(3, 1, 0)
  all:set(3, 2, 65535)
  spec.equal({ some:solid(16, 0), all:solid(16, 8), rows[1][3] }, { false, true, 2 })
end)

spec.test("solid tells of any solid tile in a rectangle, whose edges do not count, or at a point", function()
  local map <const> = room()
  for _, case in ipairs {
    { 0, 0, 64, 16, false }, { 0, 0, 64, 16.1, true }, { 0, 0, 48, 32, false }, { 48, 16, 0, 0, true },
    { 47.9, 16, 0, 0, false }, { 63.9, 31.9, 0, 0, true }, { 64, 16, 0, 0, false }, { -50, -50, 500, 500, true },
    { -50, -50, 50, 50, false }, { 0, 48, 64, 64, false }, { 1e300, 0, 1e300, 1, false },
    { -1e308, 40, 1.7e308, 1, true },
  } do
    spec.equal(map:solid(case[1], case[2], case[3], case[4]), case[5], table.concat({ case[1], case[2] }, ", "))
  end
end)

-- {== Movement ===============================================================

kit.test("move takes the square around a circle, and the scale", { radius = 4, scale = 2 }, function(pools)
  local map <const>, o <const> = room(), pools:alloc("Cube", 0, 8, 8)
  map:move(o, 0, 100)
  spec.equal(o.y, 24)
  o.scale, o.y = 0, 8 -- a point
  spec.equal({ map:move(o, 0, 100) }, { false, true })
  spec.equal({ o.y < 32, o.y > 31.99, map:solid(o.x, o.y) }, { true, true, false })
end)

kit.test("move stands on the ground far from the origin, however short the step", { box = { w = 8, h = 8 } },
  function(pools)
  local rows <const> = {}
  for y = 1, 39 do rows[y] = ("."):rep(4000) end
  rows[40] = ("#"):rep(4000)
  local map <const>, o <const> = spawnpool.tiles { size = 16.1, rows = rows }, pools:alloc("Cube", 0, 60000.3, 9)
  spec.equal({ map:move(o, 0, 1e6) }, { false, true })
  for _ = 1, 50 do spec.equal({ map:move(o, 0.37, 1e-3) }, { false, true }) end
  spec.equal(map:solid(o.x - 4, o.y - 4, 8, 8), false)
end)

local SIZE <const> = 16

local function random_map(columns, rows, share)
  local list <const>, solids <const> = {}, {}
  for y = 1, rows do
    local row <const> = {}
    for x = 1, columns do
      local is_solid <const> = math.random() < share
      row[x] = is_solid and "#" or "."
      if is_solid then
        solids[#solids + 1] = { left = (x - 1) * SIZE, top = (y - 1) * SIZE, right = x * SIZE, bottom = y * SIZE }
      end
    end
    list[y] = table.concat(row)
  end
  return spawnpool.tiles { size = SIZE, rows = list }, solids
end

local function meets(solid, left, top, right, bottom)
  return solid.left < right and solid.right > left and solid.top < bottom and solid.bottom > top
end

-- Returns the solids that something does not touch now: those that can stop it.
local function apart_from(solids, x, y, w, h)
  local list <const> = {}
  for _, solid in ipairs(solids) do
    if not meets(solid, x - w, y - h, x + w, y + h) then list[#list + 1] = solid end
  end
  return list
end

-- Moves along one axis by quarters of a point, until something is met or all of the map lies behind.
local function step_along(solids, x, y, w, h, along, by, most)
  local way <const> = by > 0 and 0.25 or -0.25
  local can_stop <const>, done = apart_from(solids, x, y, w, h), 0.0
  while done ~= by do
    local next_x <const>, next_y <const> = x + (along == "x" and way or 0), y + (along == "y" and way or 0)
    for _, solid in ipairs(can_stop) do
      if meets(solid, next_x - w, next_y - h, next_x + w, next_y + h) then return x, y, true end
    end
    x, y, done = next_x, next_y, done + way
    if (along == "x" and x or y) * way > most * 0.25 then
      return x + (along == "x" and by - done or 0), y + (along == "y" and by - done or 0), false
    end
  end
  return x, y, false
end

kit.test("movement over any map is that of tiny steps, at any speed", {}, function(pools)
  math.randomseed(1)
  local quarter <const> = function(least, most) return math.random(least * 4, most * 4) / 4 end
  for round = 1, 60 do
    local map <const>, solids <const> = random_map(math.random(1, 9), math.random(1, 7), math.random() * 0.5)
    local w <const>, h <const> = quarter(1, 12), quarter(1, 12)
    spawnpool.class("Cube", { box = { w = 2 * w, h = 2 * h } })
    local o <const> = pools:alloc("Cube", 0, quarter(-20, 150), quarter(-20, 120))
    for _ = 1, 4 do
      local most <const> = 10 ^ math.random(0, 6)
      local dx <const>, dy <const> = quarter(-most, most), quarter(-most, most)
      local x, y, hit_x = step_along(solids, o.x, o.y, w, h, "x", dx, 200)
      local hit_y
      x, y, hit_y = step_along(solids, x, y, w, h, "y", dy, 200)
      spec.equal({ map:move(o, dx, dy) }, { hit_x, hit_y }, ("round %d: %g, %g"):format(round, dx, dy))
      spec.equal({ o.x, o.y }, { x, y })
      if math.abs(x) > 300 or math.abs(y) > 300 then o.x, o.y = quarter(-20, 150), quarter(-20, 120) end
    end
    o:recycle()
  end
end)

-- }==

kit.test("a wrong map, and a wrong call of it, say what is wrong at the caller's line", {}, function(pools)
  local child <const>, gone <const> = pools:alloc "Cube", pools:alloc "Cube"
  local it <const> = { map = room(), o = pools:alloc "Cube", child = child, gone = gone, tiles = spawnpool.tiles,
    nan = 0 / 0 }
  gone:recycle()
  child.parent = it.o
  for entry, message in pairs {
    ["rows = {}"] = "rows must list strings", ["rows = { '' }"] = "rows[1] has no tiles",
    ["rows = { '##', '###' }"] = "rows[2] is too long: it has 3 tiles, and rows[1] has 2",
    ["rows = { '#.', '#?' }"] = "rows[2] has the letter '?' at 2: name it in letters or in solid",
    ["rows = { '#', { 1 } }"] = "rows[2] must be a string as rows[1] is, got table",
    ["rows = { { 1, 1.5 } }"] = "rows[1][2] must be an integer from 0 to 65535, got 1.5",
    ["rows = { '#' }, solid = 1"] = "solid must be a string of letters, got 1",
    ["rows = { { 1 } }, solid = '#'"] = "solid must be a number or a list of numbers, got '#'",
    ["rows = { { 1 } }, letters = '#'"] = "letters are for rows of text",
    ["rows = { '#' }, letters = { ab = 1 }"] = "letters maps single letters to numbers of tiles",
    ["rows = { '#' }, letters = '\\xc3\\xa9'"] = "letters and solid take ASCII letters",
    ["rows = { '#' }, sheet = 3"] = "sheet must be the name of a picture, got 3",
    ["rows = { '#' }, soild = '#'"] = "there is no entry 'soild' (did you mean 'solid'?)",
  } do kit.refuses(it, { { ("tiles { size = 8, %s }"):format(entry), "tiles: " .. message } }) end
  kit.refuses(it, {
    { "tiles { size = 0, rows = { '#' } }", "tiles: size must be a number above 0, got 0" },
    { "tiles { size = nan, rows = { '#' } }", "tiles: size must be a number above 0, got nan" },
    { "tiles { size = 8 }", "tiles: rows must list strings, or tables of numbers, got nil" },
    { "tiles(3)", "tiles: a table expected, got 3" },
    { "map:move(o, nan, 1)", "dx must be a finite number, got nan" },
    { "map:move(o, 1, 1 / 0)", "dy must be a finite number, got inf" }, { "map:move(o, 1)", "dy must be a finite" },
    { "map:move(gone, 1, 1)", "stale" }, { "map:move(nil, 1, 1)", "object expected" },
    { "map:move(child, 1, 1)", "has a parent: move that, or set parent to nil" },
    { "map.move(o, 1, 1)", "table expected" }, { "map.solid({}, 1, 1)", "map of spawnpool.tiles" },
    { "map:solid(nan, 1)", "x must be a finite number" }, { "map:solid(1, 1, -1)", "must not be negative" },
    { "map:set(5, 1, '#')", "the map has no tile at column 5, row 1" },
    { "map:set(1, 1, '?')", "'?' is no letter of this map: name it in letters or in solid" },
    { "map:set(1, 1, 7)", "7 is no letter of this map" }, { "map:at('x', 1)", "two numbers expected" },
    { "map.get({}, 1, 1)", "map of spawnpool.tiles expected" },
  })
end)

kit.test("a map in a field is copied by a snapshot and taken back, and saved by its rows", { fields = {
  map = spawnpool.any(),
} }, function(pools)
  local o <const> = pools:alloc "Cube"
  o.map = room()
  local snapshot <const>, hash <const> = pools:snapshot(), pools:hash()
  o.map:set(1, 1, "#")
  spec.equal({ o.map:solid(1, 1), pools:hash() == hash }, { true, false })
  local rows <const> = o.map.rows
  pools:restore(snapshot)
  spec.equal({ o.map:solid(1, 1), o.map:solid(1, 40), pools:hash() == hash }, { false, true, true })
  o.map = rows
  local loaded <const> = spawnpool.load(pools:save())
  for it in loaded:each() do
    spec.equal(spawnpool.tiles { size = 16, letters = "#^", rows = it.map }:get(1, 1), "#")
  end
end)
