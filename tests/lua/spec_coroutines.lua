-- Coroutines: hooks run on the one that called. Calls from inside of coroutines are a part of the model, and yields
-- where none can be are acts of spec_reentry.lua.
local spec <const> = require "spec"
local kit <const> = require "kit"

spec.describe("coroutines", function()
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
