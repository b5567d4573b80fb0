-- Hooks: their order, inheritance and replacement, and pools that go while hooks run.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

spec.describe("hooks", function()
  kit.test("come in order through a whole life", function(pools)
    local add <const>, log <const> = kit.log()
    spawnpool.class("Cube", kit.hooks(add, { grow = 1, idle_limit = 1 }))
    local a <const>, b <const> = pools:alloc "Cube", pools:alloc "Cube"
    spec.equal(log(), "create 1, spawn 1 fresh, create 2, spawn 2 fresh")
    pools:recycle(a)
    spec.equal(log(), "despawn 1 recycled")
    pools:recycle(b)
    spec.equal(log(), "despawn 2 recycled, reject 2, destroy 2")
    pools:alloc "Cube"
    spec.equal(log(), "spawn 1 reused")
    pools:remove "Cube"
    spec.equal(log(), "despawn 1 removed, destroy 1")
  end)

  kit.test("nest in the order of the steps: override, on_despawn, base returns", {}, function(pools, Cube)
    local add <const>, log <const> = kit.log()
    function Cube:alloc(...)
      add "alloc begins"
      local o <const> = Cube.super.alloc(self, ...)
      add "alloc ends"
      return o
    end
    function Cube:on_spawn() add "spawn" end
    function Cube:recycle(o)
      add "recycle begins"
      local done <const> = Cube.super.recycle(self, o)
      add "recycle ends"
      return done
    end
    function Cube:on_despawn() add "despawn" end
    pools:alloc("Cube"):recycle()
    spec.equal(log(), "alloc begins, spawn, alloc ends, recycle begins, despawn, recycle ends")
  end)

  spec.test("see idle objects that can be read and written, not recycled", function()
    local pools <const> = kit.new { misuse = "ignore" }
    local Cube <const> = spawnpool.class("Cube", { idle_limit = 0, grow = 1, fields = { mark = spawnpool.keep(0) } })
    local seen <const> = {}
    local function look(_, o)
      local done <const>, why <const> = pools:recycle(o)
      seen[#seen + 1] = { o.alive, o.mark, done, why, tostring(o) }
      o.mark = o.mark + 1
    end
    Cube.on_create, Cube.on_reject, Cube.on_destroy = look, look, look
    local o <const> = pools:alloc "Cube"
    spec.equal({ o.mark, o.alive }, { 1, true })
    o:recycle()
    spec.equal(seen[1], { false, 0, false, "stale", "Cube#1 (idle)" })
    spec.equal(seen[2], { false, 1, false, "stale", "Cube#1 (idle)" })
    spec.equal(seen[3], { false, 2, false, "stale", "Cube#1 (idle)" })
    kit.check(pools, "Cube")
  end)

  kit.test("are inherited, and the nearest one alone runs", function(pools)
    local add <const>, log <const> = kit.log()
    local A <const> = spawnpool.class "A"
    local B <const> = spawnpool.class("B", { extends = "A" })
    spawnpool.class("C", { extends = "B" })
    function A:on_spawn(o) add("A", o.id) end
    function A:on_despawn(o) add("A", o.id) end
    function B:on_spawn(o)
      add("B", o.id)
      B.super.on_spawn(self, o)
    end
    pools:alloc("C"):recycle()
    spec.equal(log(), "B 1, A 1, A 1")
  end)

  kit.test("take effect at once when they are assigned, replaced or taken away", {}, function(pools, Cube)
    local add <const>, log <const> = kit.log()
    local a <const>, b <const>, c <const> = pools:alloc "Cube", pools:alloc "Cube", pools:alloc "Cube"
    function Cube:on_despawn(o) add("one", o.id) end
    a:recycle()
    function Cube:on_despawn(o) add("two", o.id) end
    b:recycle()
    Cube.on_despawn = nil
    c:recycle()
    spec.equal(log(), "one 1, two 2")
  end)

  kit.test("can replace themselves", {}, function(pools, Cube)
    local add <const>, log <const> = kit.log()
    local function second() add "second" end
    function Cube:on_spawn()
      add "first"
      Cube.on_spawn = second
    end
    function Cube:recycle(o)
      Cube.recycle = nil
      add "override"
      return Cube.super.recycle(self, o)
    end
    pools:alloc("Cube"):recycle()
    pools:alloc("Cube"):recycle()
    spec.equal(log(), "first, override, second")
  end)

  kit.test("have the pool as self, with its fields and those of the class",
    { limit = 9, radius = 4 }, function(pools, Cube)
    Cube.SPEED = 12
    function Cube.helper(x) return x * 2 end
    local seen
    function Cube:on_spawn()
      seen = { self.type, self.limit, self.SPEED, self.helper(4), self.class == Cube, self.radius }
    end
    pools:alloc "Cube"
    spec.equal(seen, { "Cube", 9, 12, 8, true, 4 })
  end)

  kit.test("run on the coroutine that called", {}, function(pools, Cube)
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

spec.describe("re-entry", function()
  spec.test("a class may change while a pool of it is being removed", function()
    local pools <const>, others <const> = kit.new(), kit.new()
    local Cube <const> = spawnpool.class("Cube", { limit = 3 })
    others:alloc "Cube"
    local function nothing() end
    function Cube:on_despawn() Cube.limit, Cube.on_destroy = 5, nothing end
    pools:alloc "Cube"
    spec.equal({ pools:remove "Cube" }, { 1, 3 })
    spec.equal({ Cube.limit, others:pool("Cube").limit, pools:pool("Cube").limit }, { 5, 5, 5 })
  end)

  kit.test("alloc in on_spawn for ever is an error, and every object is given back", {}, function(pools, Cube)
    local deepest = 0
    function Cube:on_spawn(o)
      deepest = math.max(deepest, o.id)
      pools:alloc "Cube"
    end
    local ok <const>, message <const> = pcall(pools.alloc, pools, "Cube")
    spec.equal(ok, false)
    spec.equal(tostring(message):find "overflow" ~= nil, true)
    spec.equal({ deepest > 10, pools:pool("Cube").live }, { true, 0 })
    local s <const> = pools:stats "Cube"
    spec.equal({ s.allocs, s.recycles }, { 0, 0 })
    kit.check(pools, "Cube")
    Cube.on_spawn = nil
    spec.equal(pools:alloc("Cube").alive, true)
  end)
end)

-- Where there is no signal a hook of the library counts instructions.
kit.test("a hook of debug.sethook: stays while instructions are counted", {}, function(pools, Cube)
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
