-- Coroutines: calls from inside them, hooks that run on them, and hooks that try to yield.
local spec <const> = require "spec"
local kit <const> = require "kit"

spec.describe("coroutines", function()
  kit.test("may alloc, recycle, walk and update, and yield in between", {}, function(pools, Cube)
    local spawned = 0
    function Cube:on_spawn() spawned = spawned + 1 end
    local step <const> = coroutine.wrap(function()
      local a <const>, b <const> = pools:alloc "Cube", pools:alloc("Cube", kit.STEP)
      coroutine.yield(pools:pool("Cube").live)
      for o in pools:each() do coroutine.yield(o.id) end
      pools:update(kit.STEP)
      coroutine.yield(b.alive)
      a:recycle()
      return pools:pool("Cube").live
    end)
    spec.equal({ step(), step(), step(), step(), step(), spawned }, { 2, 1, 2, false, 0, 2 })
  end)

  kit.test("run hooks on the coroutine that called", {}, function(pools, Cube)
    local seen <const> = {}
    function Cube:on_spawn() seen[#seen + 1] = coroutine.running() end
    function Cube:on_despawn() seen[#seen + 1] = coroutine.running() end
    local co
    co = coroutine.create(function() pools:alloc("Cube"):recycle() end)
    coroutine.resume(co)
    spec.equal({ seen[1] == co, seen[2] == co }, { true, true })
    pools:alloc "Cube"
    spec.equal(seen[3] == coroutine.running(), true)
    coroutine.wrap(function() pools:alloc "Cube" end)()
    pools:alloc "Cube"
    spec.equal(seen[5] == coroutine.running(), true)
  end)

  kit.test("may be dead and collected before their objects end", {}, function(pools, Cube)
    local ended = 0
    function Cube:on_despawn() ended = ended + 1 end
    for _ = 1, 20 do coroutine.wrap(function() pools:alloc("Cube", kit.STEP) end)() end
    collectgarbage()
    kit.tick(pools)
    spec.equal(ended, 20)
  end)

  kit.test("a hook that yields is an error of alloc, and the object is given back", {}, function(pools, Cube)
    function Cube:on_spawn() coroutine.yield() end
    local function try() return pcall(pools.alloc, pools, "Cube") end
    local ok <const>, message <const> = coroutine.wrap(try)()
    spec.equal({ ok, message }, { false, "attempt to yield across a C-call boundary" })
    spec.equal({ try() }, { false, "attempt to yield from outside a coroutine" })
    spec.equal({ pools:pool("Cube").live, pools:stats("Cube").allocs }, { 0, 0 })
    Cube.on_spawn = nil
    spec.equal(pools:alloc("Cube").alive, true)
  end)

  kit.test("an override of alloc that yields is an error, and the object is given back", {}, function(pools, Cube)
    function Cube:alloc(...)
      local o <const> = Cube.super.alloc(self, ...)
      coroutine.yield(o)
      return o
    end
    local results <const> = { coroutine.wrap(function() return pcall(pools.alloc, pools, "Cube") end)() }
    spec.equal(results, { false, "attempt to yield across a C-call boundary" })
    spec.equal(pools:pool("Cube").live, 0)
  end)

  kit.test("a filter that yields is an error, and everything stays usable", {}, function(pools)
    pools:alloc "Cube"
    local function yields() coroutine.yield() end
    for _, call in ipairs {
      function() pools:recycle_all(yields) end, function() return pools:each(yields)(math.maxinteger, nil) end,
    } do
      local results <const> = { coroutine.wrap(function() return pcall(call) end)() }
      spec.equal(results, { false, "attempt to yield across a C-call boundary" })
    end
    spec.equal({ pools:recycle_all(), pools:remove "Cube" }, { 1, 0, 32 })
  end)

  kit.test("that die in an error inside a hook leave everything usable", {}, function(pools, Cube)
    function Cube:on_spawn() error "in a coroutine" end
    local co <const> = coroutine.create(function() pools:alloc "Cube" end)
    local ok <const>, message <const> = coroutine.resume(co)
    spec.equal({ ok, message:find "in a coroutine" ~= nil, coroutine.status(co) }, { false, true, "dead" })
    Cube.on_spawn = nil
    spec.equal({ pools:alloc("Cube").alive, pools:close() }, { true, 1, 32 })
  end)
end)

-- Where there is no signal a hook of the library counts instructions.
spec.describe("a hook of debug.sethook", function()
  kit.test("stays while instructions are counted", {}, function(pools, Cube)
    local reload <const> = require "spawnpool.reload"
    reload.no_signal()
    reload.patience(1)
    local spawned, own = 0, nil
    function Cube:on_spawn() spawned = spawned + 1 end
    local function hook() end
    local step <const> = coroutine.wrap(function()
      debug.sethook(hook, "c")
      pools:alloc "Cube"
      own = debug.gethook()
    end)
    step()
    spec.equal({ spawned, own == hook }, { 1, true })
  end)
end)
