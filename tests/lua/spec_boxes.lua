-- Boxes in place of circles: queries, bounds, and what an edit makes of them.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

-- Returns how many pairs of two objects overlap.
local function overlaps(a, b) return a.pool:overlaps(b.pool, function() end) end

spec.describe("a box", function()
  kit.test("overlaps boxes on both axes, and neither beside nor at the edge", { box = { w = 20, h = 8 } },
    function(pools)
    local a <const>, b <const> = pools:alloc("Cube", 0, 0, 0), pools:alloc "Cube"
    for _, at in ipairs { { 19, 7, 1 }, { -19, -7, 1 }, { 20, 0, 0 }, { 0, 8, 0 }, { 0, 7.5, 1 }, { 19, 9, 0 } } do
      b.x, b.y = at[1], at[2]
      spec.equal(overlaps(a, a), at[3], ("%g, %g"):format(at[1], at[2]))
    end
    a.scale = -2
    b.x, b.y = 29, 11
    spec.equal(overlaps(a, a), 1)
    b.x = 30
    spec.equal({ overlaps(a, a), a.radius }, { 0, 8 })
  end)

  kit.test("overlaps a circle whose centre is nearer to it than the radius, at its corners too",
    { box = { w = 20, h = 8 } }, function(pools)
    spawnpool.class("Ball", { radius = 5 })
    local box <const>, ball <const> = pools:alloc("Cube", 0, 100, 50), pools:alloc "Ball"
    local cases <const> = {
      { 114.5, 50, 1 }, { 115, 50, 0 }, { 100, 58.5, 1 }, { 100, 59, 0 }, { 113, 57.5, 1 }, { 113.6, 57.6, 0 },
      { 101, 51, 1 },
    }
    for _, at in ipairs(cases) do
      ball.x, ball.y = at[1], at[2]
      spec.equal({ overlaps(box, ball), overlaps(ball, box) }, { at[3], at[3] }, ("%g, %g"):format(at[1], at[2]))
    end
    ball.radius, ball.x, ball.y = 0, 105, 51
    spec.equal(overlaps(box, ball), 1)
  end)

  kit.test("is as far away as its nearest edge", { box = { w = 20, h = 8 } }, function(pools)
    local pool <const>, o <const> = pools:pool "Cube", pools:alloc("Cube", 0, 100, 50)
    spec.equal({ #pool:within(100, 60, 6), #pool:within(100, 60, 5.9), #pool:within(95, 47, 0) }, { 1, 0, 1 })
    spec.equal({ #pool:within(113, 58, 5), #pool:within(113, 58, 4.9) }, { 1, 0 })
    spec.equal({ pool:nearest(113, 58) }, { o, 5.0 })
    spec.equal({ pool:nearest(95, 47) }, { o, 0.0 })
    spec.equal({ pool:nearest(113, 58, 4.9) }, { nil, "none" })
  end)

  kit.test("is pushed along the axis on which least overlaps, and from a circle by its corner",
    { box = { w = 20, h = 8 } }, function(pools)
    spawnpool.class("Ball", { radius = 5 })
    local pool <const>, balls <const> = pools:pool "Cube", pools:pool "Ball"
    local a <const>, b <const> = pools:alloc("Cube", 0, 0, 0), pools:alloc("Cube", 0, 3, 6)
    spec.equal(pool:separate(), 1)
    spec.equal({ a.x, a.y, b.x, b.y }, { 0, -1, 3, 7 })
    spec.equal(pool:separate(), 0)
    b:recycle()
    local ball <const> = pools:alloc("Ball", 0, 0, 10)
    a.y = 2
    spec.equal(balls:separate(pool), 1)
    spec.equal({ a.x, a.y, ball.x, ball.y }, { 0, 1.5, 0, 10.5 })
    a.x, a.y, ball.x, ball.y = 0, 0, 13, 8 -- 3 and 4 from the corner: they touch
    spec.equal(balls:separate(pool), 0)
    ball.x, ball.y = 11.5, 6
    spec.equal(balls:separate(pool), 1)
    spec.equal(("%.6g %.6g %.6g %.6g"):format(a.x, a.y, ball.x, ball.y), "-0.75 -1 12.25 7")
    spec.equal(overlaps(a, ball), 0)
  end)

  kit.test("parts from one in the same place, whatever the crowd", { box = { w = 6, h = 4 } }, function(pools)
    local pool <const> = pools:pool "Cube"
    for _ = 1, 16 do pools:alloc("Cube", 0, 50, 50) end
    local calls = 0
    repeat
      calls = calls + 1
      local pushed <const> = pool:separate()
    until pushed == 0 or calls == 2000
    spec.equal({ pool:overlaps(pool, function() end), calls < 2000 }, { 0, true })
  end)
end)

spec.describe("the bounds of boxes", function()
  -- Returns where an object ends up that begins at x, y with a velocity, in bounds of 100 by 60.
  local function after(outside, x, y, vx, vy, scale)
    local pools <const> = kit.new()
    spawnpool.class("Cube", {
      box = { w = 20, h = 10 }, bounds = { x = 0, y = 0, w = 100, h = 60, outside = outside }, scale = scale,
    })
    local o <const> = pools:alloc("Cube", 0, x, y)
    o.vx, o.vy = vx, vy
    pools:update(1 / 60)
    return o.alive and { o.x, o.y, o.vx, o.vy } or "gone"
  end

  spec.test("hold all of it inside", function()
    spec.equal(after("clamp", 85, 30, 600, 0), { 90.0, 30.0, 0.0, 0.0 })
    spec.equal(after("clamp", 50, 7, 0, -300), { 50.0, 5.0, 0.0, 0.0 })
    spec.equal(after("clamp", 50, 30, 60, 60), { 51.0, 31.0, 60.0, 60.0 })
    spec.equal(after("bounce", 85, 30, 600, 0), { 85.0, 30.0, -600.0, 0.0 })
    spec.equal(after("clamp", 85, 30, 0, 0, 2), { 80.0, 30.0, 0.0, 0.0 })
  end)

  spec.test("hold one that is too large in their middle", function()
    spec.equal(after("clamp", 85, 3, 0, 0, 8), { 50.0, 30.0, 0.0, 0.0 })
    spec.equal(after("bounce", 85, 3, 0, 0, 8), { 50.0, 30.0, 0.0, 0.0 })
  end)

  spec.test("are left by one of which nothing is inside any more", function()
    spec.equal(after("recycle", 105, 30, 60, 0), { 106.0, 30.0, 60.0, 0.0 })
    spec.equal(after("recycle", 109.5, 30, 60, 0), "gone")
    spec.equal(after("recycle", 50, -4.5, 0, -60), "gone")
    spec.equal(after("wrap", 105, 30, 60, 0), { 106.0, 30.0, 60.0, 0.0 })
    spec.equal(after("wrap", 109, 30, 180, 0), { -8.0, 30.0, 180.0, 0.0 })
  end)
end)

spec.describe("the setting", function()
  kit.test("is inherited, and changes for live objects", { box = { w = 20, h = 8 } }, function(pools)
    spawnpool.class("Crate", { extends = "Cube" })
    local a <const>, b <const> = pools:alloc("Crate", 0, 0, 0), pools:alloc("Crate", 0, 25, 0)
    spec.equal(overlaps(a, b), 0)
    spawnpool.class("Cube", { box = { w = 30, h = 8 } })
    spec.equal(overlaps(a, b), 1)
  end)

  spec.test("is checked", function()
    for _, case in ipairs {
      { 3, "box must be a table, got 3" }, { {}, "box needs 'w'" }, { { w = 1 }, "box needs 'h'" },
      { { w = 0, h = 1 }, "box.w must be above 0, got 0" }, { { w = 1, h = 0 / 0 }, "box.h must be a finite number" },
      { { w = 1, h = 1, x = 1 }, "box has no entry 'x'" },
    } do
      local ok <const>, text <const> = pcall(spawnpool.class, "Wrong", { box = case[1] })
      spec.equal({ ok, text:find(case[2], 1, true) ~= nil }, { false, true }, text)
    end
  end)
end)
