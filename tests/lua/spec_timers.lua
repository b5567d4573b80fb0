-- after, every and run: timers belong to one life, and end with it.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

local STEP <const> = kit.STEP

kit.test("after: calls once, with the object, when the time has passed", {}, function(pools)
  local add <const>, log <const> = kit.log()
  local o <const> = pools:alloc "Cube"
  o:after(4 * STEP, function(it) add(it == o, pools.time / STEP) end)
  o:after(0, function() add("next", pools.time / STEP) end)
  kit.tick(pools, 3)
  spec.equal(log(), "next 1.0")
  kit.tick(pools, 5)
  spec.equal(log(), "true 4.0")
  kit.tick(pools, 100)
  spec.equal(log(), "")
end)

spec.describe("every", function()
  spec.test("fires in a day as often as it goes into one", function()
    local pools <const> = spawnpool.new { step = 1 / 60 }
    spawnpool.class "Cube"
    local o <const> = pools:alloc "Cube"
    local counts <const>, last <const> = {}, {}
    for _, n in ipairs { 1, 7, 10 } do -- times a second
      counts[n] = 0
      o:every(1 / n, function() counts[n], last[n] = counts[n] + 1, pools.time end)
    end
    for _ = 1, 24 * 3600 do pools:update(1) end
    spec.equal(counts, { [1] = 86400, [7] = 604800, [10] = 864000 })
    spec.equal(last, { [1] = 86400.0, [7] = 86400.0, [10] = 86400.0 })
  end)

  kit.test("never drifts, and stops on false", {}, function(pools)
    local times <const> = {}
    local o <const> = pools:alloc "Cube"
    o:every(2.5 * STEP, function()
      times[#times + 1] = pools.time / STEP
      return #times < 6 or nil
    end)
    kit.tick(pools, 10)
    spec.equal(times, { 3, 5, 8, 10 })
    kit.tick(pools, 1000)
    spec.equal(#times, 404)
    local stopped = 0
    o:every(STEP, function()
      stopped = stopped + 1
      return stopped < 3
    end)
    kit.tick(pools, 50)
    spec.equal(stopped, 3)
  end)
end)

spec.describe("run", function()
  kit.test("sleeps between yields, and ends with the function", {}, function(pools)
    local add <const>, log <const> = kit.log()
    local o <const> = pools:alloc "Cube"
    o:run(function(it)
      add("start", it == o)
      coroutine.yield(2 * STEP)
      add("two", pools.time / STEP)
      coroutine.yield()
      add("three", pools.time / STEP)
      for _ = 1, 2 do coroutine.yield(STEP) end
      add("end", pools.time / STEP)
    end)
    spec.equal(log(), "start true")
    kit.tick(pools, 2)
    spec.equal(log(), "two 2.0")
    kit.tick(pools, 10)
    spec.equal(log(), "three 3.0, end 5.0")
  end)

  kit.test("closes what is to be closed when the life ends first", {}, function(pools)
    local closed = 0
    local function sleeper()
      local _ <close> = setmetatable({}, { __close = function() closed = closed + 1 end })
      coroutine.yield(100)
    end
    for _, finish in ipairs {
      function(o) o:recycle() end,
      function(o) o.remaining = 0 kit.tick(pools) end,
      function() pools:recycle_all() end,
      function() pools:remove "Cube" end,
    } do
      local o <const> = pools:alloc "Cube"
      closed = 0
      o:run(sleeper)
      o:run(sleeper)
      spec.equal(closed, 0)
      finish(o)
      spec.equal({ closed, o.alive }, { 2, false })
    end
    closed = 0
    pools:alloc("Cube"):run(sleeper)
    pools:close()
    spec.equal(closed, 1)
  end)

  kit.test("reports an error that is no text", {}, function(pools)
    local o <const> = pools:alloc "Cube"
    local said <const> = spec.hear(function()
      local words <const> = setmetatable({}, { __tostring = function() return "my words" end })
      o:run(function() coroutine.yield(STEP) error(words) end)
      o:run(function() coroutine.yield(STEP) error { 1 } end)
      kit.tick(pools)
    end)
    spec.equal(said:find("my words", 1, true) ~= nil, true, said)
    spec.equal(said:find("table", 1, true) ~= nil, true, said)
    spec.equal(o.alive, true)
  end)

  kit.test("works inside other coroutines, and starts others", {}, function(pools)
    local add <const>, log <const> = kit.log()
    coroutine.wrap(function()
      pools:alloc("Cube"):run(function(o)
        local inner <const> = pools:alloc "Cube"
        inner:run(function()
          coroutine.yield(STEP)
          add "inner"
          o:recycle()
        end)
        coroutine.yield(2 * STEP)
        add "never"
      end)
    end)()
    kit.tick(pools, 5)
    spec.equal({ log(), pools:pool("Cube").live }, { "inner", 1 })
  end)

  kit.test("refuses to sleep for what is no time, and says so", {}, function(pools)
    local o <const> = pools:alloc "Cube"
    for _, bad in ipairs { -1, 0 / 0, math.huge, "1", {}, true } do
      local closed = false
      local said <const> = spec.hear(o.run, o, function()
        local _ <close> = setmetatable({}, { __close = function() closed = true end })
        coroutine.yield(bad)
      end)
      spec.equal(closed, true)
      spec.equal(said:find "yield takes the seconds" ~= nil or said == "", true)
    end
    kit.tick(pools, 5)
  end)
end)

spec.describe("timers die with the life", function()
  local ends <const> = {
    recycle = function(o) o:recycle() end,
    expiry = function(o, pools) o.remaining = 0 kit.tick(pools) end,
    eviction = function(o, pools)
      o.pool.limit, o.pool.overflow = 1, "oldest"
      pools:alloc("Cube"):recycle()
    end,
    recycle_all = function(_, pools) pools:recycle_all() end,
    remove = function(_, pools) pools:remove "Cube" end,
    close = function(_, pools) pools:close() end,
    parent = function(o, pools)
      local parent <const> = pools:alloc "Ball"
      o.parent = parent
      parent:recycle()
    end,
    bounds = function(o, pools)
      o.pool.class.bounds = { x = 0, y = 0, w = 1, h = 1, outside = "recycle" }
      o.x = 5
      kit.tick(pools)
    end,
    ["on_spawn's error"] = function() end,
  }
  for name, finish in pairs(ends) do
    spec.test(name, function()
      local pools <const> = kit.new()
      local fired = 0
      local function fire() fired = fired + 1 end
      local Cube <const> = spawnpool.class("Cube", { grow = 1 })
      spawnpool.class "Ball"
      local fails <const> = name == "on_spawn's error"
      function Cube:on_spawn(o)
        o:after(10 * STEP, fire)
        o:every(10 * STEP, fire)
        o:run(function()
          coroutine.yield(10 * STEP)
          fire()
        end)
        if fails then error "no" end
      end
      if fails then
        spec.expect_error("no", pools.alloc, pools, "Cube")
      else
        local o <const> = pools:alloc "Cube"
        function Cube:on_spawn() end
        finish(o, pools)
        spec.equal(o.alive, false)
      end
      function Cube:on_spawn() end
      Cube.bounds = nil
      local next <const> = pools:alloc "Cube" -- the same slot, in the same frame
      if name ~= "close" then
        spec.equal(next.alive, true)
        kit.tick(pools, 100)
      end
      spec.equal(fired, 0)
    end)
  end

  kit.test("a callback that recycles its own object, and takes the slot again", { grow = 1, limit = 1 }, function(pools)
    local add <const>, log <const> = kit.log()
    local function start(o)
      o:every(STEP, function(it)
        add(it.id, it == o)
        it:recycle()
        local new <const> = pools:alloc "Cube"
        spec.equal({ new.id, new == o, it.alive }, { 1, false, false })
        new:after(3 * STEP, function() add "new" end)
      end)
      o:after(STEP, function() add "same tick" end)
      o:run(function()
        coroutine.yield(STEP)
        add "same tick too"
      end)
    end
    start(pools:alloc "Cube")
    kit.tick(pools, 10)
    local text <const> = log()
    spec.equal(text:gsub("same tick too, ", ""):gsub("same tick, ", ""), "1 true, new")
    pools:recycle_all()
    local o <const> = pools:alloc "Cube"
    o:run(function()
      coroutine.yield(STEP)
      o:recycle()
      add "going on"
      coroutine.yield(STEP)
      add "never"
    end)
    kit.tick(pools, 10)
    spec.equal(log(), "going on")
  end)
end)

spec.describe("errors in timers", function()
  kit.test("are reported, and the tick finishes", {}, function(pools)
    local o <const> = pools:alloc "Cube"
    local ran, repeated = 0, 0
    o:after(STEP, function() error "first" end)
    o:run(function()
      coroutine.yield(STEP)
      error "second"
    end)
    o:every(STEP, function()
      repeated = repeated + 1
      error({})
    end)
    o:after(STEP, function() ran = ran + 1 end)
    local said <const> = spec.hear(kit.tick, pools, 3)
    for _, text in ipairs { "first", "second", "a timer", "run: " } do
      if not said:find(text, 1, true) then error(("no %q in %q"):format(text, said)) end
    end
    spec.equal({ ran, repeated, pools:pool("Cube").live, o.alive }, { 1, 3, 1, true })
    spec.equal(pools.time, 3 * STEP)
    local now <const> = spec.hear(o.run, o, function() error "at once" end)
    spec.equal(now:find "at once" ~= nil, true)
  end)

  kit.test("a callback may do anything; update and close are refused", {}, function(pools)
    spawnpool.class "Ball"
    local add <const>, log <const> = kit.log()
    local o <const> = pools:alloc "Cube"
    pools:alloc "Ball"
    o:after(STEP, function()
      add(pools:remove "Ball")
      add(pools:close())
      add(pools:remove "Cube")
      add((pcall(pools.update, pools, 1)))
      add(pools:recycle_all(), pools:clear() > 0)
    end)
    kit.tick(pools)
    spec.equal(log(), "1 32, false busy, false busy, false, 1 true")
    spec.equal(pools:stats().total, 0)
  end)
end)

kit.test("timers of the dead: do not pile up memory", { grow = 1 }, function(pools)
  local function round()
    for _ = 1, 50 do
      local o <const> = pools:alloc("Cube", 1e6)
      o:after(1e6, print)
      o:every(1e5, print)
      o:run(function() coroutine.yield(1e6) end)
      o.remaining = 1e5
      o:recycle()
    end
    kit.tick(pools)
  end
  kit.leaves_no_memory(round)
end)

spec.describe("a method's name", function()
  spec.test("calls the method that the class has when the timer is due", function()
    local add <const>, take <const> = kit.log()
    local Cube <const> = spawnpool.class("Cube", { methods = { hit = function(o) add("first", o.id) end } })
    local pools <const> = kit.new()
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
  end)

  spec.test("that is gone from the class ends the timer", function()
    local Cube <const> = spawnpool.class("Cube", { methods = { hit = function() end } })
    local pools <const> = kit.new()
    local o <const> = pools:alloc "Cube"
    o:every(1, "hit")
    Cube.methods = nil
    local said <const> = spec.hear(function() pools:update(5) end)
    spec.equal(said, "Cube#1 has no method 'hit' any more, which its timer was to call: the timer ends\n")
    spec.equal(o.alive, true)
    kit.blames("Cube#1 has no method 'hit'", function() o:after(1, "hit") end)
  end)
end)

kit.test("bad timers: are refused at the caller's line", {}, function(pools)
  local o <const> = pools:alloc "Cube"
  local f <const> = function() end
  for _, bad in ipairs { -1, 0 / 0, math.huge, 1e12, "1", {} } do
    kit.blames("after", function() o:after(bad, f) end)
    kit.blames("every", function() o:every(bad, f) end)
  end
  kit.blames("above 0", function() o:every(0, f) end)
  kit.blames("after must be a finite number, got nil", function() o:after(nil, f) end)
  kit.blames("function expected", function() o:after(1) end)
  kit.blames("Cube#1 has no method 'f'", function() o:every(1, "f") end)
  kit.blames("function expected", function() o:every(1, 5) end)
  kit.blames("function expected", function() o:run() end)
  local after <const>, run <const> = o.after, o.run
  o:recycle()
  kit.blames("stale", function() o:after(1, f) end)
  kit.blames("Cube#1 %(stale%) is not live", function() after(o, 1, f) end)
  kit.blames("not live", function() run(o, f) end)
  kit.blames("object", function() after(5, 1, f) end)
  pools:pool("Cube"):take(function(idle) kit.blames("not live", function() idle:after(1, f) end) end)
end)

kit.test("timers in hooks: a life that is ending starts none", {}, function(pools, Cube)
  function Cube:on_despawn(o) o:after(0, print) end
  local o <const> = pools:alloc "Cube"
  local said <const> = spec.hear(o.recycle, o)
  spec.equal({ o.alive, said:find "is not live" ~= nil }, { false, true })
end)
