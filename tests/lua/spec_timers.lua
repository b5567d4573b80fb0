-- after, every and run, of objects and of managers: callbacks, coroutines, errors, names of methods, `stop`. That they
-- fire in their tick, and end with the life that owns them, is compared by the model.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

local STEP <const> = kit.STEP

-- A variable of a coroutine that calls `fn` when it is closed.
local function closing(fn) return setmetatable({}, { __close = fn }) end

-- {== Objects and managers ===================================================

local OWNERS <const> = {
  { "an object", function(pools) return pools:alloc "Cube" end },
  { "a manager", function(pools) return pools end },
}

for _, case in ipairs(OWNERS) do
  local name <const>, owner_of <const> = table.unpack(case)

  -- A test with an owner of timers.
  local function test(title, body)
    kit.test(("timers of %s: %s"):format(name, title), { grow = 1 }, function(pools) body(pools, owner_of(pools)) end)
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
  end)

  test("every stops on false, and on nothing else", function(pools, owner)
    local fired <const> = {}
    for i, last in ipairs { false, "nil", 0, true } do
      fired[i] = 0
      owner:every(2.5 * STEP, function()
        fired[i] = fired[i] + 1
        if fired[i] < 3 then return true end
        if last ~= "nil" then return last end
      end)
    end
    kit.tick(pools, 25)
    spec.equal(fired, { 3, 10, 10, 10 })
  end)

  test("report errors, and the tick finishes", function(pools, owner)
    local ran, repeated = 0, 0
    owner:after(STEP, function() error "first" end)
    owner:run(function()
      coroutine.yield(STEP)
      error "second"
    end)
    owner:run(function()
      coroutine.yield(STEP)
      error(setmetatable({}, { __tostring = function() return "my words" end }))
    end)
    owner:every(STEP, function()
      repeated = repeated + 1
      error({})
    end)
    owner:after(STEP, function() ran = ran + 1 end)
    local said <const> = spec.hear(kit.tick, pools, 3)
    for _, text in ipairs { "first", "second", "my words", "table", "a timer", "run: " } do
      if not said:find(text, 1, true) then error(("no %q in %q"):format(text, said)) end
    end
    spec.equal({ ran, repeated, pools.time }, { 1, 3, 3 * STEP })
    local now <const> = spec.hear(owner.run, owner, function() error "at once" end)
    spec.equal(now:find "at once" ~= nil, true)
  end)

  test("do not pile up memory", function(pools, owner)
    kit.leaves_no_memory(function()
      for _ = 1, 50 do
        local it <const> = owner == pools and pools or pools:alloc("Cube", 1e6)
        local function sleep() coroutine.yield(1e6) end
        it:run(function() coroutine.yield(STEP) end)
        if it == pools then
          for _, timer in ipairs { it:after(1e6, print), it:every(1e5, print), it:run(sleep) } do timer:stop() end
        else
          it:after(1e6, print)
          it:every(1e5, print)
          it:run(sleep)
          it.remaining = 1e5
          it:recycle()
        end
      end
      kit.tick(pools)
    end)
  end)

  test("refuse to sleep for what is no time, and say so", function(pools, owner)
    for _, bad in ipairs { -1, 0 / 0, math.huge, "1", {}, true } do
      local closed = false
      local said <const> = spec.hear(owner.run, owner, function()
        local _ <close> = closing(function() closed = true end)
        coroutine.yield(bad)
      end)
      spec.equal({ closed, said:find "yield takes the seconds" ~= nil or said == "" }, { true, true })
    end
    kit.tick(pools, 5)
  end)
end

-- }==

-- {== Of objects =============================================================

spec.describe("run", function()
  kit.test("closes what is to be closed when the life ends first", {}, function(pools)
    local closed = 0
    local function sleeper()
      local _ <close> = closing(function() closed = closed + 1 end)
      coroutine.yield(100)
    end
    for _, finish in ipairs {
      function(o) o:recycle() end,
      function(o) o.remaining = 0 kit.tick(pools) end,
      function() pools:recycle_all() end,
      function() pools:remove "Cube" end,
      function() pools:close() end,
    } do
      local o <const> = pools:alloc "Cube"
      closed = 0
      o:run(sleeper)
      o:run(sleeper)
      spec.equal(closed, 0)
      finish(o)
      spec.equal({ closed, o.alive }, { 2, false })
    end
  end)
end)

spec.describe("timers of a life", function()
  kit.test("cannot be started while it ends, or is idle", {}, function(pools, Cube)
    pools:alloc("Cube"):recycle()
    pools:pool("Cube"):take(function(idle) spec.expect_error("not live", idle.after, idle, 1, print) end)
    function Cube:on_despawn(dying) dying:after(0, print) end
    local last <const> = pools:alloc "Cube"
    spec.equal(spec.hear(last.recycle, last):find "is not live" ~= nil, true)
  end)
end)

spec.describe("a method's name", function()
  kit.test("calls the method that the class has when the timer is due", function(pools)
    local add <const>, take <const> = kit.log()
    local Cube <const> = spawnpool.class("Cube", { methods = { hit = function(o) add("first", o.id) end } })
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

  kit.test("that is gone from the class ends the timer", { methods = { hit = function() end } }, function(pools, Cube)
    local o <const> = pools:alloc "Cube"
    o:every(1, "hit")
    Cube.methods = nil
    local said <const> = spec.hear(function() pools:update(5) end)
    spec.equal(said, "Cube#1 has no method 'hit' any more, which its timer was to call: the timer ends\n")
    spec.equal(o.alive, true)
  end)
end)

-- }==

-- {== Of managers ============================================================

kit.test("timers of a manager: outlive objects, and end with the manager", {}, function(pools)
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
      local _ <close> = closing(function() add "closed" end)
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
      local _ <close> = closing(function() closed = closed + 1 end)
      coroutine.yield(STEP)
      coroutine.yield(3 * STEP)
    end
    local one <const>, two <const> = pools:run(sleeper), pools:run(sleeper)
    spec.equal({ one:stop(), closed }, { true, 1 })
    kit.tick(pools)
    spec.equal({ two:stop(), closed }, { true, 2 })
    spec.equal({ spec.hear(kit.tick, pools, 5), pools:snapshot().dropped }, { "", 0 }) -- no sleep is left
    for _, ended in ipairs { function() end, function() coroutine.yield(STEP) error "ended" end } do
      local timer <const> = pools:run(ended)
      spec.hear(kit.tick, pools)
      spec.equal({ timer:stop() }, { false, "stale" })
    end
  end)

  kit.test("is refused when the manager is gone, which a timer does not keep open", function(pools)
    local closed = 0
    local function dropped()
      return kit.new():run(function()
        local _ <close> = closing(function() closed = closed + 1 end)
        coroutine.yield(1)
      end)
    end
    local timer <const> = dropped()
    collectgarbage()
    collectgarbage()
    pools:update(0)
    spec.equal({ closed, timer:stop() }, { 1, false, "stale" })
  end)
end)

-- }==
