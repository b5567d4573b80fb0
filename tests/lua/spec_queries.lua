-- Calls over whole pools: set, add, within, nearest, overlaps, separate.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

spec.describe("set", function()
  kit.test("writes any field of every live object, and says how many", { fields = {
    n = 1, flag = false, text = "a", list = spawnpool.any(), to = spawnpool.ref,
  } }, function(pools)
    local pool <const> = pools:pool "Cube"
    local a <const>, b <const>, idle <const> = pools:alloc "Cube", pools:alloc "Cube", pools:alloc "Cube"
    idle:recycle()
    local list <const> = {}
    for field, value in pairs {
      x = 5, scale = 2, r = 0.5, layer = 3, sprite = "star", visible = false, pinned = true, n = 7, flag = true,
      text = "b", list = list, to = a, remaining = 9,
    } do
      spec.equal(pool:set(field, value), 2, field)
      spec.equal({ a[field], b[field] }, { value, value }, field)
    end
    spec.equal(pool:set("to", nil), 2)
    spec.equal({ a.to, pool:take().x }, { nil, 0 })
    pool:set("remaining", 0)
    kit.tick(pools)
    spec.equal(pool.live, 0)
    spec.equal(pool:set("x", 1), 0)
  end)

  kit.test("takes names of animations, and frames", { animation = "run" }, function(pools)
    local pool <const>, o <const> = pools:pool "Cube", pools:alloc "Cube"
    spec.equal({ pool:set("animation", "idle"), pool:set("frame", 3) }, { 1, 1 })
    spec.equal({ o.animation, o.frame, pool:set("animation", nil) }, { nil, 3, 1 })
  end)
end)

spec.describe("add", function()
  kit.test("adds to any number of every live object",
    { x = 1, fields = { n = 5, f = 0.5, kept = spawnpool.keep(1) }, grow = 1 }, function(pools)
    local pool <const> = pools:pool "Cube"
    local a <const>, b <const> = pools:alloc "Cube", pools:alloc("Cube", 0, 10)
    for _, field in ipairs { "x", "vx", "angle", "radius", "a", "n", "f", "kept" } do
      local before <const> = a[field]
      spec.equal(pool:add(field, 2), 2, field)
      spec.equal(a[field], before + 2, field)
    end
    spec.equal({ b.x, math.type(a.n) }, { 12, "integer" })
    a:recycle()
    local again <const> = pools:alloc "Cube"
    spec.equal({ again.id, again.x, again.vx, again.n, again.radius, again.kept }, { 1, 1, 0, 5, 8, 3 })
  end)

  kit.test("keeps to the numbers that there are", {}, function(pools)
    local pool <const>, o <const> = pools:pool "Cube", pools:alloc "Cube"
    o.x, o.scale = 3e38, -3e38
    kit.refuses({ pool = pool }, {
      { "pool:add('x', 1e38)", "the amount is too large" }, { "pool:add('scale', -1e38)", "the amount is too large" },
    })
    spec.equal({ pool:add("x", -1e38), pool:add("scale", 1e38) }, { 1, 1 })
    spec.equal({ o.x < 2.1e38, o.scale > -2.1e38 }, { true, true })
  end)
end)

local function random_circles(pools, type, count, spread)
  local objects <const> = {}
  for i = 1, count do
    objects[i] = pools:alloc(type, 0, {
      x = math.random(-spread, spread), y = math.random(-spread, spread), radius = math.random(0, 12),
      scale = math.random(1, 4) / 2,
    })
  end
  return objects
end

spec.describe("overlaps", function()
  spec.test("goes on after an error, and raises the first one", function()
    local pools <const> = kit.new { seed = 8 }
    spawnpool.class("Cube", {})
    random_circles(pools, "Cube", 60, 30)
    local pool <const> = pools:pool "Cube"
    local want <const> = pool:overlaps(pool, function() end)
    local calls = 0
    spec.expect_error("number 1$", pool.overlaps, pool, pool, function()
      calls = calls + 1
      error("number " .. calls)
    end)
    spec.equal({ calls, want > 10 }, { want, true })
    calls = 0
    local mine <const> = {}
    local ok <const>, message <const> = pcall(pool.within, pool, 0, 0, 100, function()
      calls = calls + 1
      if calls == 3 then error(mine) end
      if calls > 3 then error "later" end
    end)
    spec.equal({ ok, message == mine, calls }, { false, true, pool.live })
    spec.equal({ pools:remove "Cube" }, { 60, 64 })
  end)
end)

spec.describe("within and nearest", function()
  kit.test("give a list, its walk, calls in the same order, and the distance", {}, function(pools)
    local pool <const> = pools:pool "Cube"
    spec.equal({ pool:nearest(0, 0) }, { nil, "none" })
    for i = 1, 10 do pools:alloc("Cube", 0, i, 0) end
    local list <const>, called <const>, walked <const> = pool:within(0, 0, 4), {}, {}
    spec.equal(pool:within(0, 0, 4, function(o) called[#called + 1] = o end), 4)
    for o in pool:within(0, 0, 4) do walked[#walked + 1] = o end
    spec.equal({ #list, called, walked }, { 4, { list[1], list[2], list[3], list[4] }, called })
    spec.equal({ pool:nearest(7.25, 0) }, { pool:within(7, 0, 0)[1], 0.25 })
  end)
end)

kit.test("nearest within a distance: finds what is no further, the edge included", {}, function(pools)
  local pool <const> = pools:pool "Cube"
  local o <const> = pools:alloc("Cube", 0, 3, 4)
  spec.equal({ pool:nearest(0, 0, 5) }, { o, 5.0 })
  spec.equal({ pool:nearest(0, 0, 4.99) }, { nil, "none" })
  spec.equal({ pool:nearest(3, 4, 0) }, { o, 0.0 })
  spec.equal({ pool:nearest(0, 0, math.huge) }, { o, 5.0 })
  spec.equal({ pool:nearest(0, 0, nil) }, { o, 5.0 })
end)

spec.describe("separate", function()
  kit.test("pushes two circles apart by halves, along the line between them", {}, function(pools)
    spawnpool.class("Ball", { radius = 4, scale = 2 })
    local a <const>, b <const> = pools:alloc("Cube", 0, 10, 20), pools:alloc("Ball", 0, 20, 20)
    local cubes <const>, balls <const> = pools:pool "Cube", pools:pool "Ball"
    a.vx = 7
    spec.equal({ cubes:separate(), balls:separate() }, { 0, 0 })
    spec.equal(cubes:separate(balls), 1)
    spec.equal({ a.x, a.y, b.x, b.y, a.vx }, { 7, 20, 23, 20, 7 })
    spec.equal({ cubes:separate(balls), balls:separate(cubes) }, { 0, 0 })
    a.x, a.y = b.x, b.y - 8
    spec.equal(balls:separate(cubes), 1)
    spec.equal({ a.x, a.y, b.x, b.y }, { 23, 8, 23, 24 })
    a.radius = 0
    b.x, b.y, b.radius = a.x, a.y, 0
    spec.equal(cubes:separate(balls), 0)
  end)

  spec.test("parts any crowd, also one in a single place, and the same way each time", function()
    local function run(place)
      local pools <const> = kit.new()
      spawnpool.class "Cube"
      local pool <const> = pools:pool "Cube"
      for i = 1, 60 do
        local x <const>, y <const> = place(i)
        pools:alloc("Cube", 0, { x = x, y = y, radius = 2 + i % 5 })
      end
      local calls = 0
      repeat
        calls = calls + 1
        local pushed <const> = pool:separate()
      until pushed == 0 or calls == 2000
      local text <const> = {}
      for o in pool:each() do text[#text + 1] = ("%.9g %.9g"):format(o.x, o.y) end
      return pool:overlaps(pool, function() end), calls, table.concat(text, "; ")
    end
    local places <const> = {
      one = function() return 100, 100 end,
      row = function(i) return i / 10, 0 end,
      heap = function(i) return (i * 37) % 40, (i * 53) % 40 end,
    }
    for name, place in pairs(places) do
      local left <const>, calls <const>, text <const> = run(place)
      spec.equal({ left, calls < 2000 }, { 0, true }, name)
      spec.equal({ run(place) }, { left, calls, text })
    end
  end)

  kit.test("leaves objects with a parent where they are, and carries children along", {}, function(pools)
    local tank <const>, rock <const> = pools:alloc("Cube", 0, 0, 0), pools:alloc("Cube", 0, 12, 0)
    local turret <const> = pools:alloc("Cube", 0, 2, 0, 0, tank)
    spec.equal(pools:pool("Cube"):separate(), 1)
    spec.equal({ tank.x, rock.x, turret.x }, { -2, 14, 2 })
  end)

  kit.test("moves nothing to where there is no place", {}, function(pools)
    local pool <const> = pools:pool "Cube"
    local a <const>, b <const> = pools:alloc("Cube", 0, 3e38, 0), pools:alloc("Cube", 0, 3.1e38, 0)
    a.radius, b.radius = 3e38, 3e38
    pool:separate()
    spec.equal({ a.x > 0, a.x < math.huge, b.x > 0, b.x < math.huge }, { true, true, true, true })
  end)
end)
