-- after, every and run, of objects and of managers: callbacks, coroutines, errors, names of methods, `stop`; tweens.
-- That timers fire in their tick, and end with the life that owns them, is compared by the model.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

local STEP <const> = kit.STEP

-- A variable of a coroutine that calls `fn` when it is closed.
local function closing(fn) return setmetatable({}, { __close = fn }) end

-- A coroutine that sleeps, and counts in `closed` how often it was closed.
local function sleeper(closed)
  return function()
    local _ <close> = closing(function() closed.count = closed.count + 1 end)
    coroutine.yield(STEP)
    coroutine.yield(100)
  end
end

-- {== Objects and managers ===================================================

for _, case in ipairs {
  { "an object", function(pools) return pools:alloc "Cube" end }, { "a manager", function(pools) return pools end },
} do
  -- A test with an owner of timers.
  local function test(title, body)
    kit.test(("timers of %s: %s"):format(case[1], title), { grow = 1 }, function(pools) body(pools, case[2](pools)) end)
  end

  test("follow the clock, and are called with their owner", function(pools, owner)
    local add <const>, log <const> = kit.log()
    owner:after(3 * STEP, function(it) add("after", it == owner, pools.time / STEP) end)
    owner:after(0, function() add "next" end)
    local count = 0
    owner:every(2.5 * STEP, function(it)
      count = count + 1
      add("every", it == owner, pools.time / STEP)
      return count < 2
    end)
    owner:run(function(it)
      add("run", it == owner)
      coroutine.yield(4 * STEP)
      add("woken", pools.time / STEP)
      coroutine.yield()
      add("end", pools.time / STEP)
    end)
    spec.equal(log(), "run true")
    kit.tick(pools, 100)
    spec.equal(log(), "next, after true 3.0, every true 3.0, woken 4.0, every true 5.0, end 5.0")
    local fired <const> = { 0, 0, 0 }
    for i, last in ipairs { false, 0, true } do -- `every` stops on false, and on nothing else
      owner:every(2.5 * STEP, function()
        fired[i] = fired[i] + 1
        if fired[i] >= 3 then return last end
      end)
    end
    kit.tick(pools, 25)
    spec.equal(fired, { 3, 10, 10 })
  end)

  test("report errors, and the tick finishes", function(pools, owner)
    local ran, repeated = 0, 0
    owner:after(STEP, function() error "first" end)
    owner:run(function()
      coroutine.yield(STEP)
      error "second"
    end)
    owner:every(STEP, function()
      repeated = repeated + 1
      error {}
    end)
    owner:after(STEP, function() ran = ran + 1 end)
    local said <const> = spec.hear(kit.tick, pools, 3)
    spec.contains(said, "first", "second", "table", "a timer", "run: ")
    spec.equal({ ran, repeated, pools.time }, { 1, 3, 3 * STEP })
    local now <const> = spec.hear(owner.run, owner, function() error "at once" end)
    spec.equal(now:find "at once" ~= nil, true)
  end)

  test("do not pile up memory", function(pools, owner)
    local function sleep() coroutine.yield(1e6) end
    kit.leaves_no_memory(function()
      for _ = 1, 50 do
        local it <const> = owner == pools and pools or pools:alloc("Cube", 1e6)
        it:run(function() coroutine.yield(STEP) end)
        for _, timer in pairs { it:after(1e6, print), it:every(1e5, print), it:run(sleep) } do
          if it == pools then timer:stop() end
        end
        if it ~= pools then
          it.remaining = 1e5
          it:recycle()
        end
      end
      kit.tick(pools)
    end)
  end)

  test("refuse to sleep for what is no time, and say so", function(pools, owner)
    for _, bad in ipairs { -1, 0 / 0, -math.huge, "1", {} } do
      local closed = false
      local said <const> = spec.hear(owner.run, owner, function()
        local _ <close> = closing(function() closed = true end)
        coroutine.yield(bad)
      end)
      spec.equal({ closed, said:find "yield takes the seconds" ~= nil or said == "" }, { true, true })
    end
  end)
end

-- }==

-- {== Of objects =============================================================

kit.test("run closes what is to be closed when the life ends first; then no timer can be started", {},
  function(pools, Cube)
  pools:alloc("Cube"):recycle()
  pools:pool("Cube"):take(function(idle) spec.expect_error("not live", idle.after, idle, 1, print) end)
  function Cube:on_despawn(dying) spec.expect_error("not live", dying.after, dying, 0, print) end
  for _, finish in ipairs {
    function(o) o:recycle() end,
    function(o) o.remaining = 0 kit.tick(pools) end,
    function() pools:recycle_all() end,
    function() pools:remove "Cube" end,
    function() pools:close() end,
  } do
    local o <const>, closed <const> = pools:alloc "Cube", { count = 0 }
    o:run(sleeper(closed))
    o:run(sleeper(closed))
    spec.equal({ spec.hear(finish, o), closed.count, o.alive }, { "", 2, false })
  end
end)

kit.test("a method's name calls the method that the class has when the timer is due", { fields = { calls = 0 } },
  function(pools, Cube)
  local add <const>, take <const> = kit.log()
  Cube.methods = { hit = function(o) add("first", o.id) end }
  local o <const> = pools:alloc "Cube"
  o:after(1, "hit")
  o:every(1, "hit")
  o:after(3.5, "recycle")
  pools:update(1)
  Cube.methods = { hit = function(cube)
    add("second", cube.id)
    return false
  end }
  pools:update(2)
  spec.equal({ take(), o.alive }, { "first 1, first 1, second 1", true })
  pools:update(1)
  spec.equal(o.alive, false)
  local again <const> = pools:alloc "Cube"
  again:every(1, "hit")
  Cube.methods = nil
  spec.equal(spec.hear(function() pools:update(5) end),
    "Cube#1 has no method 'hit' any more, which its timer was to call: the timer ends\n")
  spec.equal(again.alive, true)
end)

-- }==

-- {== Of managers ============================================================

kit.test("timers of a manager outlive objects, and end with the manager", {}, function(pools)
  local add <const>, log <const> = kit.log()
  pools:alloc "Cube"
  pools:every(STEP, function() add(pools:stats().live) end)
  kit.tick(pools)
  pools:remove "Cube"
  kit.tick(pools)
  spec.equal(log(), "1, 0")
  local timer <const> = pools:run(function()
    local _ <close> = closing(function() add(pcall(pools.after, pools, 1, print)) end)
    coroutine.yield(100)
  end)
  pools:close()
  spec.equal(log():match "^false .*the manager is closed" ~= nil, true)
  spec.equal({ timer:stop() }, { false, "stale" })
end)

kit.test("stop ends a timer once, also from inside; afterwards it is stale, whoever uses its slot", function(pools)
  local add <const>, log <const> = kit.log()
  local after <const> = pools:after(STEP, add)
  spec.equal({ { after:stop() }, { after:stop() } }, { { true }, { false, "stale" } })
  local every, run
  every = pools:every(STEP, function() add("every", every:stop(), (every:stop())) end)
  spec.equal({ after:stop() }, { false, "stale" })
  run = pools:run(function()
    local _ <close> = closing(function() add "closed" end)
    coroutine.yield(STEP)
    add("run", run:stop(), (run:stop()))
    coroutine.yield(STEP)
    add "never"
  end)
  kit.tick(pools, 5)
  spec.equal(log(), "every true false, run true false, closed")
end)

kit.test("stop closes a coroutine that sleeps, and knows one that has ended, or whose manager is gone", function(pools)
  local closed <const> = { count = 0 }
  local one <const>, two <const> = pools:run(sleeper(closed)), pools:run(sleeper(closed))
  spec.equal({ one:stop(), closed.count }, { true, 1 })
  kit.tick(pools)
  spec.equal({ two:stop(), closed.count }, { true, 2 })
  spec.equal({ spec.hear(kit.tick, pools, 5), pools:snapshot().dropped }, { "", 0 }) -- no sleep is left
  spec.equal({ pools:run(function() end):stop() }, { false, "stale" })
  local dropped <const> = (function() return kit.new():run(sleeper(closed)) end)() -- a timer keeps no manager open
  collectgarbage()
  collectgarbage()
  pools:update(0)
  spec.equal({ closed.count, dropped:stop() }, { 3, false, "stale" })
end)

-- }==

-- {== Tweens: fields that go to other values =================================

-- Returns the value of a field after each of `count` ticks.
local function ticks(pools, o, field, count)
  local list <const> = {}
  for i = 1, count do
    kit.tick(pools)
    list[i] = o[field]
  end
  return list
end

kit.test("a tween takes fields of all kinds of numbers to their values, tick by tick, and no further",
  { grow = 1, fields = { open = 0, glow = 0.5, kept = spawnpool.keep(1) } }, function(pools)
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
  o:tween { x = 100, over = 1 }
  o:recycle()
  local again <const> = pools:take()
  again.x = 5
  kit.tick(pools, 10)
  spec.equal({ again.id, again.x }, { 1, 5.0 })
end)

kit.test("a tween eases from 0 to 1 by each name", { fields = { v = 0 } }, function(pools)
  local function run(ease)
    local o <const> = pools:alloc "Cube"
    o:tween { v = 1, over = 1, ease = ease }
    return ticks(pools, o, "v", 64)
  end
  for family in (" _quad _cubic _quart _quint _sine _expo _circ _back _elastic _bounce"):gmatch "[^ ]*" do
    local into <const>, out <const>, both <const> = run("in" .. family), run("out" .. family), run("in_out" .. family)
    for i = 1, 63 do -- one is the other turned round
      spec.equal(math.abs(into[i] + out[64 - i] - 1) + math.abs(both[i] + both[64 - i] - 1) < 1e-9, true, family)
    end
    spec.equal({ into[64], out[64], both[64], into[16] < 1 / 4, out[48] > 3 / 4 }, { 1, 1, 1, true, true }, family)
  end
  spec.equal({ run "linear"[32], run(nil)[16], run "in"[32], run "out"[32] }, { 0.5, 0.25, 0.25, 0.75 })
  spec.equal({ run "in_bounce"[63] < 1, math.max(table.unpack(run "out_back")) > 1 }, { true, true })
end)

kit.test("a tween replaces the one of the same field, at once with 0 seconds", {}, function(pools)
  local o <const> = pools:alloc "Cube"
  o:tween { x = 100, y = 60, over = 1 }
  kit.tick(pools, 32)
  o:tween { x = 0, over = 0.5 }
  kit.tick(pools, 16)
  spec.equal({ o.x, o.y }, { 25.0, 45.0 })
  o:tween { x = -3, over = 0 }
  spec.equal(o.x, -3.0)
  pools:update(7)
  spec.equal({ o.x, o.y }, { -3.0, 60.0 })
end)

kit.test("a tween has its last value at the tick of its end, before lives end and timers fire, whatever started first",
  {}, function(pools, Cube)
  local add <const>, log <const> = kit.log()
  local lift <const>, brief <const> = pools:alloc "Cube", pools:alloc("Cube", 0.5)
  function Cube:on_despawn(o) add("despawn", o.x) end
  Cube.methods = { arrive = function(o) add("arrive", o.x) end }
  lift:after(0.5, function(o) add("after", o.x) end)
  brief:tween { x = 100, over = 0.5 }
  lift:tween { x = 100, over = 0.5, done = function(o)
    add("done", o.x)
    o:tween { x = 0, over = 0.25, delay = 0.25, done = "arrive" }
  end }
  kit.tick(pools, 31)
  spec.equal({ log(), lift.x }, { "", 96.875 })
  kit.tick(pools)
  spec.equal(log(), "despawn 100.0, after 100.0, done 100.0")
  kit.tick(pools, 15)
  lift.x = 60
  kit.tick(pools, 9)
  spec.equal(lift.x, 30.0)
  local loaded <const> = spawnpool.load((pools:save()))
  spec.equal(loaded:hash(), pools:hash())
  for _, all in ipairs { pools, loaded } do
    kit.tick(all, 8)
    spec.equal(log(), "arrive 0.0")
  end
end)

kit.test("a tween that another one replaces does not arrive; one of several fields does with the others", {},
  function(pools)
  local o <const>, add <const>, log <const> = pools:alloc "Cube", kit.log()
  local function arrives(name) return function() add(name) end end
  o:tween { x = 8, over = 0.125, done = arrives "x" }
  o:tween { x = 4, y = 8, over = 0.25, done = arrives "xy" }
  local snapshot <const> = pools:snapshot()
  for _ = 1, 2 do
    o:tween { x = 2, over = 0.0625, done = arrives "late" }
    kit.tick(pools, 16)
    spec.equal({ log(), o.x, o.y }, { "late, xy", 2.0, 8.0 })
    spec.equal(pools:restore(snapshot), true)
    kit.tick(pools, 16)
    spec.equal({ log(), o.x, o.y }, { "xy", 4.0, 8.0 })
    pools:restore(snapshot)
  end
  o:tween { x = 1, over = 0, done = arrives "at once" }
  spec.equal({ o.x, log() }, { 1.0, "" })
  kit.tick(pools)
  spec.equal(log(), "at once")
  spec.equal({ pools:save() }, { nil, "Cube#1 has a timer that calls a function (give it the name of a method)" })
end)

kit.test("paused and time_scale, set in a timer or hook, take effect at the next tick of the update", { vx = 64 },
  function(pools)
  local add <const>, log <const> = kit.log()
  local o <const> = pools:alloc "Cube"
  local every <const> = pools:every(1 / 64, function() add(pools.time * 64) end)
  pools:after(2 / 64, function() pools.paused = true end)
  pools:after(2 / 64, function() add "with it" end)
  pools:update(1)
  spec.equal({ log(), pools.time * 64, o.x }, { "1.0, with it, 2.0", 2.0, 2.0 })
  pools:update(1)
  pools.paused = false
  pools:after(2 / 64, function() pools.time_scale = 0.5 end)
  pools:update(10 / 64)
  spec.equal({ pools.time * 64, o.x, log() }, { 8.0, 8.0, "3.0, 4.0, 5.0, 6.0, 7.0, 8.0" })
  every:stop()
  pools.time_scale = 1
  pools:after(1 / 64, function() pools.time_scale = 1e6 end)
  pools:update(1e10)
  spec.equal(pools.time <= 2e11, true)
end)

kit.test("a tween ends with a message when an edit takes its field away", { fields = { v = 0, w = 0 } },
  function(pools)
  local o <const> = pools:alloc "Cube"
  o:tween { v = 6, w = 6, over = 1 }
  kit.tick(pools, 6)
  spawnpool.class("Cube", { fields = { w = 0 } })
  local said <const> = spec.hear(function() kit.tick(pools, 64) end)
  spec.equal({ o.w, said }, { 6, "Cube#1: field 'v' is no number field any more: its tween ends\n" })
end)

-- Also after a save.
kit.test("math.huge is for ever, in every call that takes a time",
  { fields = { v = 0, called = 0 }, methods = { call = function(o) o.called = o.called + 1 end } }, function(pools)
  local huge <const> = math.huge
  local o <const>, log <const> = pools:alloc("Cube", huge), {}
  o:after(huge, "call")
  o:every(huge, "call")
  o:tween { x = 5, over = huge, done = "call" }
  o:tween { y = 5, over = 1, delay = huge, done = "call" }
  local loaded <const> = spawnpool.load(pools:save())
  pools:after(huge, function() log[1] = "after" end)
  o:run(function() coroutine.yield(huge) log[1] = "run" end)
  pools:pool "Cube":prewarm(100, { per_frame = 1, delay = huge })
  for _, of in ipairs { pools, loaded } do
    of:update(1e6)
    local step <const>, state <const>, first <const> = of:each()
    local it <const> = step(state, first)
    spec.equal({ it.x, it.y, it.called, it.lifetime, it.remaining, log[1] }, { 0, 0, 0, 0, huge })
  end
  o.remaining = 1
  o.remaining = huge
  pools:update(100)
  spec.equal({ o.alive, pools:pool "Cube".total < 100 }, { true, true })
  loaded:close()
end)

kit.test("a wrong tween is an error, and starts nothing", { fields = { v = 0, name = "a", any = spawnpool.any() } },
  function(pools)
  local o <const>, gone <const> = pools:alloc "Cube", pools:alloc "Cube"
  gone:recycle()
  kit.refuses({ o = o, gone = gone, nan = 0 / 0, print = print }, {
    { "o:tween { x = 1 }", "over must be seconds from 0 to 1e11 (math.huge: for ever), got nil" },
    { "o:tween { x = 1, over = V }", "over must be seconds from 0 to 1e11 (math.huge: for ever), got ",
      { 0 / 0, -1, 1e12 } },
    { "o:tween { over = 1 }", "no field is named: tween { x = 60, over = 0.5 }" },
    { "o:tween { x = 1, over = 1, delay = V }", "delay must be seconds from 0 to 1e11 (math.huge: for ever), got ",
      { 0 / 0, -1, "1", {} } },
    { "o:tween { x = 1, over = 1, done = V }", "done must be a function or the name of a method, got ", { 5, true } },
    { "o:tween { x = 1, over = 1, done = 'land' }", "done: Cube#1 has no method 'land'" },
    { "o:tween { x = 1, over = 1, on_complete = print }", "on_complete must be a finite number, got function: " },
    { "o:tween { x = 1, over = 1, on_complete = print }", "(over, ease, delay and done are the settings)" },
    { "o:tween { x = 1, over = 1, ease = V }", "ease must be linear, in, out or in_out", { "outt", 3 } },
    { "o:tween { x = nan, over = 1 }", "x must be a finite number, got nan" },
    { "o:tween { x = 1e39, over = 1 }", "field 'x' must be a finite number" },
    { "o:tween { x = 'a', over = 1 }", "x must be a finite number, got 'a' (over, ease" },
    { "o:tween { x = 1, vvv = 1, over = 1 }", "Cube has no field 'vvv'" },
    { "o:tween { [V] = 1, over = 1 }", "holds no number", { "name", "any", "layer", "age" } },
    { "o:tween { 1, over = 1 }", "1 must be a finite number" }, { "o:tween()", "table expected" },
    { "o:tween(3)", "table expected" }, { "gone:tween { x = 1, over = 1 }", "stale" },
  })
  kit.tick(pools, 60)
  spec.equal({ o.x, o.v }, { 0.0, 0 })
end)

-- }==
