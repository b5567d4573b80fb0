-- Calls over whole pools: set, add, within, nearest, overlaps, separate. The model compares which objects are found,
-- and check_overlaps.c the pairs of any scene.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

kit.test("set writes any field of every live object, and says how many", { animation = "run", fields = {
  n = 1, flag = false, text = "a", list = spawnpool.any(), to = spawnpool.ref,
} }, function(pools)
  local pool <const> = pools:pool "Cube"
  local a <const>, b <const>, idle <const> = pools:alloc "Cube", pools:alloc "Cube", pools:alloc "Cube"
  idle:recycle()
  for field, value in pairs {
    x = 5, scale = 2, scale_y = 3, r = 0.5, layer = 3, sprite = "star", visible = false, pinned = true, n = 7,
    flag = true, text = "b", list = {}, to = a, animation = "idle", frame = 3, remaining = 9,
  } do
    spec.equal({ field, pool:set(field, value), a[field], b[field] }, { field, 2, value, value })
  end
  spec.equal({ pool:set("to", nil), pool:set("animation", nil) }, { 2, 2 })
  spec.equal({ n = 3, a.to, a.animation, pool:take().x }, { n = 3, nil, nil, 0 })
  pool:set("remaining", 0)
  kit.tick(pools)
  spec.equal({ pool.live, pool:set("x", 1) }, { 0, 0 })
end)

kit.test("add adds to any number of every live object, and keeps to the numbers that there are",
  { x = 1, fields = { n = 5, f = 0.5, kept = spawnpool.keep(1) }, grow = 1 }, function(pools)
  local pool <const>, a <const>, b <const> = pools:pool "Cube", pools:alloc "Cube", pools:alloc("Cube", 0, 10)
  for _, field in ipairs { "x", "vx", "angle", "radius", "a", "scale_x", "n", "f", "kept" } do
    local before <const> = a[field]
    spec.equal({ field, pool:add(field, 2), a[field] }, { field, 2, before + 2 })
  end
  spec.equal({ b.x, math.type(a.n) }, { 12, "integer" })
  a:recycle()
  local again <const> = pools:alloc "Cube"
  spec.equal({ again.id, again.x, again.vx, again.n, again.radius, again.kept }, { 1, 1, 0, 5, 8, 3 })
  b.x, b.scale = 3e38, -3e38
  kit.refuses({ pool = pool }, {
    { "pool:add('x', 1e38)", "the amount is too large" }, { "pool:add('scale', -1e38)", "the amount is too large" },
  })
  spec.equal({ pool:add("x", -1e38), b.x < 2.1e38, pool:add("scale", 1e38), b.scale > -2.1e38 }, { 2, true, 2, true })
end)

kit.test("overlaps and within go on after an error, and raise the first one", {}, function(pools)
  local pool <const> = pools:pool "Cube"
  for i = 1, 60 do pools:alloc("Cube", 0, i % 8, i % 7) end
  for name, call in pairs {
    overlaps = function(fn) return pool:overlaps(pool, fn) end,
    within = function(fn) return pool:within(0, 0, 100, fn) end,
  } do
    local calls, first = 0, nil
    local count <const> = call(function() end)
    local ok <const>, message <const> = pcall(call, function()
      calls = calls + 1
      if calls < 3 then return end
      first = first or { "the third call" }
      error(calls == 3 and first or "later")
    end)
    spec.equal({ name, ok, rawequal(message, first), calls }, { name, false, true, count })
    spec.equal(count > 50, true)
  end
  spec.equal({ pools:remove "Cube" }, { 60, 64 })
end)

kit.test("within and nearest give a list, its walk, calls in the same order, and the distance", {}, function(pools)
  local pool <const> = pools:pool "Cube"
  spec.equal({ pool:nearest(0, 0) }, { nil, "none" })
  for i = 1, 10 do pools:alloc("Cube", 0, i, 0) end
  local list <const>, called <const>, walked <const> = pool:within(0, 0, 4), {}, {}
  spec.equal(pool:within(0, 0, 4, function(o) called[#called + 1] = o end), 4)
  for o in pool:within(0, 0, 4) do walked[#walked + 1] = o end
  spec.equal({ #list, called, walked }, { 4, { list[1], list[2], list[3], list[4] }, called })
  local o <const> = pool:within(7, 0, 0)[1]
  spec.equal({ { pool:nearest(7.25, 0) }, { pool:nearest(7, 0, 0) } }, { { o, 0.25 }, { o, 0.0 } })
  spec.equal({ { pool:nearest(7, 4, 4) }, { pool:nearest(7, 4, 3.99) } }, { { o, 4.0 }, { nil, "none" } })
end)

-- {== separate ===============================================================

kit.test("separate pushes two circles apart by halves, along the line between them", {}, function(pools)
  spawnpool.class("Ball", { radius = 4, scale = 2 })
  local a <const>, b <const> = pools:alloc("Cube", 0, 10, 20), pools:alloc("Ball", 0, 20, 20)
  local cubes <const>, balls <const> = pools:pool "Cube", pools:pool "Ball"
  a.vx = 7
  spec.equal({ cubes:separate(), balls:separate(), cubes:separate(balls) }, { 0, 0, 1 })
  spec.equal({ a.x, a.y, b.x, b.y, a.vx }, { 7, 20, 23, 20, 7 })
  spec.equal({ cubes:separate(balls), balls:separate(cubes) }, { 0, 0 })
  a.x, a.y = b.x, b.y - 8
  spec.equal({ balls:separate(cubes), a.x, a.y, b.x, b.y }, { 1, 23, 8, 23, 24 })
end)

kit.test("separate pushes boxes along the axis on which least overlaps, and a circle by the corner of a box",
  { box = { w = 20, h = 8 } }, function(pools)
  spawnpool.class("Ball", { radius = 5 })
  local pool <const>, balls <const> = pools:pool "Cube", pools:pool "Ball"
  local a <const>, b <const> = pools:alloc("Cube", 0, 0, 0), pools:alloc("Cube", 0, 3, 6)
  spec.equal({ pool:separate(), a.x, a.y, b.x, b.y, pool:separate() }, { 1, 0, -1, 3, 7, 0 })
  b:recycle()
  local ball <const> = pools:alloc "Ball"
  for _, row in ipairs { -- the circle before, whether it is pushed, and both afterwards
    { 0, 8, 1, "0 -0.5 0 8.5" }, { 13, 8, 0, "0 0 13 8" }, { 11.5, 6, 1, "-0.75 -1 12.25 7" },
  } do
    a.x, a.y, ball.x, ball.y = 0, 0, row[1], row[2]
    local pushed <const> = balls:separate(pool)
    spec.equal({ pushed, ("%.6g %.6g %.6g %.6g"):format(a.x, a.y, ball.x, ball.y) }, { row[3], row[4] })
  end
end)

spec.test("separate parts any crowd, also one in a single place, and the same way each time", function()
  local function run(place, count, box)
    local pools <const>, calls, text = kit.new(), 0, {}
    spawnpool.class("Cube", { box = box })
    local pool <const> = pools:pool "Cube"
    for i = 1, count do
      local x <const>, y <const> = place(i)
      pools:alloc("Cube", 0, { x = x, y = y, radius = 2 + i % 5 })
    end
    repeat calls = calls + 1 until pool:separate() == 0 or calls == 2000
    for o in pool:each() do text[#text + 1] = ("%.9g %.9g"):format(o.x, o.y) end
    return { pool:overlaps(pool, function() end), calls < 2000, table.concat(text, "; ") }
  end
  for _, place in ipairs { function() return 100, 100 end, function(i) return (i * 37) % 40, (i * 53) % 40 end } do
    for count, box in pairs { [60] = false, [16] = { w = 6, h = 4 } } do
      local got <const> = run(place, count, box or nil)
      spec.equal({ got[1], got[2] }, { 0, true })
      spec.equal(run(place, count, box or nil), got)
    end
  end
end)

kit.test("separate leaves objects with a parent where they are", {}, function(pools)
  local tank <const>, rock <const> = pools:alloc("Cube", 0, 0, 0), pools:alloc("Cube", 0, 12, 0)
  local turret <const> = pools:alloc("Cube", 0, 2, 0, 0, tank)
  spec.equal({ pools:pool("Cube"):separate(), tank.x, rock.x, turret.x }, { 1, -2, 14, 2 })
end)

-- }==
