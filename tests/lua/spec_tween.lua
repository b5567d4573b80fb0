-- Tweens: fields that go to other values. They belong to a life as timers do, and are copied, saved and hashed with it.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

-- Returns the value of a field after each of `count` ticks.
local function ticks(pools, o, field, count)
  local list <const> = {}
  for i = 1, count do
    kit.tick(pools)
    list[i] = o[field]
  end
  return list
end

local FAMILIES <const> = { "", "_quad", "_cubic", "_quart", "_quint", "_sine", "_expo", "_circ", "_back", "_elastic",
  "_bounce" }

spec.describe("a tween", function()
  kit.test("takes fields of all kinds of numbers to their values, tick by tick, and no further",
    { fields = { open = 0, glow = 0.5, kept = spawnpool.keep(1) } }, function(pools)
    local o <const> = pools:alloc("Cube", 0, 10)
    spec.equal(o:tween { x = 40, open = 3, glow = -1, kept = 2, r = 0.25, scale_x = -1, over = 0.5 }, true)
    spec.equal({ o.x, o.open }, { 10, 0 })
    kit.tick(pools, 8)
    spec.equal({ o.x, o.open, o.glow, o.r }, { 17.5, 0.75, 0.125, 0.8125 })
    kit.tick(pools, 24)
    spec.equal({ o.x, o.open, o.glow, o.kept, o.r, o.scale_x }, { 40.0, 3, -1, 2, 0.25, -1.0 })
    o.x = 7
    kit.tick(pools, 5)
    spec.equal(o.x, 7.0)
  end)

  kit.test("eases from 0 to 1 by each name", { fields = { v = 0 } }, function(pools)
    local function run(ease)
      local o <const> = pools:alloc "Cube"
      o:tween { v = 1, over = 1, ease = ease }
      return ticks(pools, o, "v", 64)
    end
    for _, family in ipairs(FAMILIES) do
      local into <const>, out <const>, both <const> = run("in" .. family), run("out" .. family), run("in_out" .. family)
      for i = 1, 63 do -- one is the other turned round
        spec.equal(math.abs(into[i] - (1 - out[64 - i])) < 1e-9, true, family)
        spec.equal(math.abs(both[i] - (1 - both[64 - i])) < 1e-9, true, family)
      end
      spec.equal({ into[64], out[64], both[64], into[16] < 1 / 4, out[48] > 3 / 4, math.abs(both[32] - 0.5) < 1e-9 },
        { 1, 1, 1, true, true, true }, family)
      spec.equal(math.min(table.unpack(into)) > -0.5 and math.max(table.unpack(into)) == 1, true, family)
    end
    spec.equal({ run "linear"[32], run(nil)[16], run "in"[32], run "out"[32] }, { 0.5, 0.25, 0.25, 0.75 })
    spec.equal(run "in_bounce"[63] < run "in_bounce"[64], true)
    spec.equal(math.max(table.unpack(run "out_back")) > 1, true)
  end)

  kit.test("replaces the one of the same field, and at once with 0 seconds", {}, function(pools)
    local o <const> = pools:alloc "Cube"
    o:tween { x = 100, y = 60, over = 1 }
    kit.tick(pools, 32)
    o:tween { x = 0, over = 0.5 }
    kit.tick(pools, 16)
    spec.equal({ o.x, o.y }, { 25.0, 45.0 })
    o:tween { x = -3, over = 0 }
    spec.equal(o.x, -3.0)
    kit.tick(pools, 16)
    spec.equal({ o.x, o.y }, { -3.0, 60.0 })
  end)

  kit.test("ends with the life, and not with another one in its place", {}, function(pools)
    local o <const> = pools:alloc "Cube"
    o:tween { x = 100, over = 1 }
    o:recycle()
    local again
    repeat again = pools:alloc("Cube", 0, 5) until again.id == 1
    kit.tick(pools, 10)
    spec.equal(again.x, 5.0)
  end)

  kit.test("follows the clock of its manager, whatever the steps", {}, function(pools)
    local o <const> = pools:alloc "Cube"
    o:tween { x = 60, over = 1 }
    pools.time_scale = 2
    kit.tick(pools, 16)
    spec.equal(o.x, 30.0)
    pools.paused = true
    kit.tick(pools, 16)
    pools.paused = false
    pools:update(0.125)
    spec.equal(o.x, 45.0)
    pools:update(7)
    spec.equal(o.x, 60.0)
  end)
end)

spec.describe("a tween in a copy", function()
  kit.test("is snapshotted, restored, saved, loaded and hashed", { fields = { v = 0 } }, function(pools)
    local o <const> = pools:alloc "Cube"
    local before <const> = pools:hash()
    o:tween { x = 60, v = 6, over = 1, ease = "in_out_elastic" }
    spec.equal(pools:hash() ~= before, true)
    kit.tick(pools, 20)
    local snapshot <const>, saved <const>, at <const> = pools:snapshot(), pools:save(), pools:hash()
    local went <const> = ticks(pools, o, "x", 45)
    spec.equal(went[45], 60.0)
    pools:restore(snapshot)
    spec.equal({ pools:hash() == at, ticks(pools, o, "x", 45) }, { true, went })
    local loaded <const> = spawnpool.load(saved)
    spec.equal(loaded:hash(), at)
    for copy in loaded:each() do spec.equal(ticks(loaded, copy, "x", 45), went) end
    loaded:close()
  end)

  kit.test("starts in the same order whatever the order of the table", { fields = { a1 = 0, b2 = 0, c3 = 0 } },
    function(pools)
    local function hash_of(...)
      local own <const>, to <const> = kit.new(), {}
      for _, name in ipairs { ... } do to[name] = 1 end
      to.over = 1
      own:alloc("Cube"):tween(to)
      own:update(0.1)
      local hash <const> = own:hash()
      own:close()
      return hash
    end
    spec.equal(hash_of("a1", "b2", "c3", "x", "y"), hash_of("y", "c3", "x", "b2", "a1"))
    spec.equal(pools:stats().live, 0)
  end)

  kit.test("ends with a message when an edit takes its field away", { fields = { v = 0, w = 0 } }, function(pools)
    local o <const> = pools:alloc "Cube"
    o:tween { v = 6, w = 6, over = 1 }
    kit.tick(pools, 6)
    spawnpool.class("Cube", { fields = { w = 0 } })
    local said <const> = spec.hear(function() kit.tick(pools, 64) end)
    spec.equal({ o.w, said }, { 6, "Cube#1: field 'v' is no number field any more: its tween ends\n" })
  end)
end)

spec.describe("a wrong tween", function()
  kit.test("is an error, and starts nothing", { fields = { v = 0, name = "a", any = spawnpool.any() } }, function(pools)
    local o <const>, gone <const> = pools:alloc "Cube", pools:alloc "Cube"
    gone:recycle()
    kit.refuses({ o = o, gone = gone, nan = 0 / 0 }, {
      { "o:tween { x = 1 }", "over must be seconds from 0 up, got nil" },
      { "o:tween { x = 1, over = nan }", "over must be seconds from 0 up, got nan" },
      { "o:tween { x = 1, over = -1 }", "over must be seconds from 0 up, got -1" },
      { "o:tween { x = 1, over = 1e12 }", "over must be seconds from 0 up" },
      { "o:tween { over = 1 }", "no field is named: tween { x = 60, over = 0.5 }" },
      { "o:tween { x = 1, over = 1, ease = 'outt' }", "ease must be linear, in, out or in_out" },
      { "o:tween { x = 1, over = 1, ease = 3 }", "ease must be linear, in, out or in_out" },
      { "o:tween { x = nan, over = 1 }", "x must be a finite number, got nan" },
      { "o:tween { x = 1e39, over = 1 }", "field 'x' must be a finite number" },
      { "o:tween { x = 'a', over = 1 }", "x must be a finite number, got 'a'" },
      { "o:tween { x = 1, vvv = 1, over = 1 }", "Cube has no field 'vvv'" },
      { "o:tween { name = 1, over = 1 }", "field 'name' holds no number" },
      { "o:tween { any = 1, over = 1 }", "field 'any' holds no number" },
      { "o:tween { layer = 1, over = 1 }", "field 'layer' holds no number" },
      { "o:tween { age = 1, over = 1 }", "field 'age' holds no number" },
      { "o:tween { 1, over = 1 }", "1 must be a finite number" }, { "o:tween()", "table expected" },
      { "o:tween(3)", "table expected" }, { "gone:tween { x = 1, over = 1 }", "stale" },
    })
    kit.tick(pools, 60)
    spec.equal({ o.x, o.v }, { 0.0, 0 })
  end)
end)
