-- pools:after, pools:every and pools:run: timers that no object owns. They belong to the clock of their manager.
local spec <const> = require "spec"
local kit <const> = require "kit"

local STEP <const> = kit.STEP

spec.describe("timers of a manager", function()
  kit.test("follow its clock: once, again and again, asleep", function(pools)
    local add <const>, log <const> = kit.log()
    pools:after(3 * STEP, function(it) add("after", it == pools, pools.time / STEP) end)
    pools:after(0, function() add "next" end)
    local count = 0
    pools:every(2.5 * STEP, function()
      count = count + 1
      add("every", pools.time / STEP)
      return count < 2
    end)
    pools:run(function(it)
      add("run", it == pools)
      coroutine.yield(4 * STEP)
      add("woken", pools.time / STEP)
      coroutine.yield()
      add("end", pools.time / STEP)
    end)
    spec.equal(log(), "run true")
    kit.tick(pools, 100)
    spec.equal(log(), "next, after true 3.0, every 3.0, woken 4.0, every 5.0, end 5.0")

    pools:after(2 * STEP, function() add "scaled" end)
    pools.paused = true
    kit.tick(pools, 100)
    pools.paused, pools.time_scale = false, 0.5
    kit.tick(pools, 3)
    spec.equal(log(), "")
    kit.tick(pools)
    spec.equal(log(), "scaled")
    spec.equal(pools:stats().total, 0)
  end)

  kit.test("outlive objects, and end with the manager", {}, function(pools)
    local add <const>, log <const> = kit.log()
    pools:alloc "Cube"
    pools:every(STEP, function() add(pools:stats().live) end)
    kit.tick(pools)
    pools:remove "Cube"
    kit.tick(pools)
    spec.equal(log(), "1, 0")
    local timer <const> = pools:run(function()
      local _ <close> = setmetatable({}, { __close = function() add(pcall(pools.after, pools, 1, print)) end })
      coroutine.yield(100)
    end)
    pools:close()
    spec.equal(log():match "^false .*the manager is closed" ~= nil, true)
    spec.equal({ timer:stop() }, { false, "stale" })
    spec.expect_error("the manager is closed", function() pools:after(1, print) end)
    spec.expect_error("the manager is closed", function() pools:run(print) end)
  end)

  kit.test("fire in the order in which they were started, in any mixture with those of objects", {}, function(pools)
    local add <const>, log <const> = kit.log()
    local o <const> = pools:alloc "Cube"
    for i = 1, 200 do
      local owner <const> = i % 3 == 0 and o or pools
      owner:after(((i * 7) % 5 + 1) * STEP, function() add(i) end)
    end
    local want <const> = {}
    for tick = 1, 5 do
      for i = 1, 200 do
        if (i * 7) % 5 + 1 == tick then want[#want + 1] = i end
      end
    end
    kit.tick(pools, 5)
    spec.equal(log(), table.concat(want, ", "))
  end)
end)

spec.describe("stop", function()
  kit.test("ends a timer once; afterwards it is stale, also when its slot is in use again", function(pools)
    local add <const>, log <const> = kit.log()
    local after <const> = pools:after(STEP, add)
    spec.equal({ after:stop() }, { true })
    spec.equal({ after:stop() }, { false, "stale" })
    local every <const> = pools:every(STEP, function() add "every" end)
    spec.equal({ after:stop() }, { false, "stale" })
    kit.tick(pools, 2)
    spec.equal(every:stop(), true)
    kit.tick(pools, 2)
    spec.equal(log(), "every, every")
    local fired <const> = pools:after(STEP, function() add "fired" end)
    kit.tick(pools)
    spec.equal({ fired:stop() }, { false, "stale" })
    spec.equal(log(), "fired")
  end)

  kit.test("works from inside the timer", function(pools)
    local add <const>, log <const> = kit.log()
    local every, run
    every = pools:every(STEP, function() add("every", every:stop(), (every:stop())) end)
    run = pools:run(function()
      local _ <close> = setmetatable({}, { __close = function() add "closed" end })
      coroutine.yield(STEP)
      add("run", run:stop(), (run:stop()))
      coroutine.yield(STEP)
      add "never"
    end)
    kit.tick(pools, 5)
    spec.equal(log(), "every true false, run true false, closed")
  end)

  kit.test("closes a coroutine that sleeps, and knows one that has ended", function(pools)
    local closed = 0
    local function sleeper()
      local _ <close> = setmetatable({}, { __close = function() closed = closed + 1 end })
      coroutine.yield(STEP)
      coroutine.yield(100)
    end
    local one <const>, two <const> = pools:run(sleeper), pools:run(sleeper)
    spec.equal({ one:stop(), closed }, { true, 1 })
    kit.tick(pools)
    spec.equal({ two:stop(), closed }, { true, 2 })
    local short <const> = pools:run(function() coroutine.yield(STEP) end)
    kit.tick(pools)
    spec.equal({ short:stop() }, { false, "stale" })
    spec.equal({ pools:run(function() end):stop() }, { false, "stale" })
  end)
end)

spec.describe("manager timers", function()
  kit.test("report errors as those of objects do, and go on", function(pools)
    local ran = 0
    pools:after(STEP, function() error "first" end)
    pools:every(STEP, function()
      ran = ran + 1
      error "again"
    end)
    local run <const> = pools:run(function()
      coroutine.yield(STEP)
      error "second"
    end)
    local said <const> = spec.hear(kit.tick, pools, 3)
    for _, text in ipairs { "first", "second", "again", "a timer", "run: " } do
      if not said:find(text, 1, true) then error(("no %q in %q"):format(text, said)) end
    end
    spec.equal({ ran, run:stop() }, { 3, false, "stale" })
    local bad <const> = spec.hear(function() pools:run(function() coroutine.yield(-1) end) end)
    spec.equal(bad:find "yield takes the seconds" ~= nil, true)
  end)

  kit.test("check what they are given", function(pools)
    for _, seconds in ipairs { -1, 0 / 0, math.huge, "1", {} } do
      kit.blames("after", function() pools:after(seconds, print) end)
      kit.blames("every", function() pools:every(seconds, print) end)
    end
    kit.blames("seconds above 0", function() pools:every(0, print) end)
    kit.blames("function expected", function() pools:after(1) end)
    kit.blames("function expected", function() pools:run(1) end)
    kit.blames("colon", function() pools.after(1, print) end)
    local timer <const> = pools:after(1, print)
    kit.blames("a timer has no field 'stopp': it has the method stop", function() return timer.stopp end)
    kit.blames("timer", function() timer.stop() end)
    kit.blames("timer", function() timer.stop(io.stdout) end)
    spec.equal(tostring(timer):match "^timer: " ~= nil, true)
    spec.equal(getmetatable(timer), "spawnpool.timer")
  end)

  kit.test("leave no memory behind, and keep no manager open", function(pools)
    local function round()
      for _ = 1, 50 do
        pools:after(1e6, print):stop()
        pools:every(1e5, print):stop()
        pools:run(function() coroutine.yield(1e6) end):stop()
        pools:run(function() coroutine.yield(STEP) end)
      end
      kit.tick(pools)
    end
    kit.leaves_no_memory(round)
    local closed = 0
    local timer
    do
      local dropped <const> = kit.new()
      timer = dropped:run(function()
        local _ <close> = setmetatable({}, { __close = function() closed = closed + 1 end })
        coroutine.yield(1)
      end)
    end
    collectgarbage()
    collectgarbage()
    pools:update(0)
    spec.equal({ closed, timer:stop() }, { 1, false, "stale" })
  end)
end)
