-- Hooks: their order, inheritance and replacement, and pools that go while hooks run; recycle, and reports of misuse.
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

  kit.test("run inside overrides, with the pool and its class as self", { limit = 9 }, function(pools, Cube)
    local add <const>, log <const> = kit.log()
    Cube.SPEED = 12
    for _, name in ipairs { "alloc", "recycle" } do
      Cube[name] = function(self, ...)
        add(name, "begins")
        local result <const> = Cube.super[name](self, ...)
        add(name, "ends")
        return result
      end
    end
    function Cube:on_spawn() add("spawn", self.type, self.limit, self.SPEED, self.class == Cube) end
    function Cube:on_despawn()
      Cube.on_despawn = nil -- for lives to come
      add "despawn"
    end
    for _ = 1, 2 do pools:alloc("Cube"):recycle() end
    local one <const> = "alloc begins, spawn Cube 9 12 true, alloc ends, recycle begins, despawn, recycle ends"
    spec.equal(log(), one .. ", " .. one:gsub(" despawn,", ""))
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
    for i = 1, 3 do spec.equal(seen[i], { false, i - 1, false, "stale", "Cube#1 (idle)" }) end
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

spec.describe("recycle", function()
  spec.test("says dying from inside the hooks that end the life, which can read and write the object", function()
    local pools <const>, seen <const> = kit.new { misuse = "ignore" }, {}
    local Cube <const> = spawnpool.class("Cube", { fields = { hp = 3, name = "crate" } })
    local function look(self, o)
      for _, door in ipairs { pools.recycle, self.recycle } do
        spec.equal({ door(door == pools.recycle and pools or self, o) }, { false, "dying" })
      end
      spec.equal({ o:recycle() }, { false, "dying" })
      seen[#seen + 1] = { o.x, o.hp, o.name, o.alive, pools:is_live(o), o.lifetime, self.live, tostring(o) }
      o.hp = o.hp + 1
    end
    function Cube:recycle(o)
      look(self, o)
      return Cube.super.recycle(self, o)
    end
    Cube.on_despawn = look
    spec.equal({ pools:recycle(pools:alloc("Cube", 2, 7)) }, { true })
    for i = 1, 2 do spec.equal(seen[i], { 7.0, 2 + i, "crate", false, false, 2.0, 1, "Cube#1 (dying)" }) end
    spec.equal(pools:stats("Cube").recycles, 1)
    kit.check(pools, "Cube")
  end)

  kit.test("does not warn about a veto", {}, function(pools, Cube)
    function Cube:recycle() end
    local o <const> = pools:alloc "Cube"
    spec.equal(kit.warnings(function() pools:recycle(o) end), {})
  end)
end)

spec.describe("misuse", function()
  local function stale_twice(pools)
    local o <const> = pools:alloc "Cube"
    pools:recycle(o)
    pools:recycle(o) -- the first site
    local function second_site() return (pools:recycle(o)) end
    second_site()
    second_site()
  end

  kit.test("warns once per site, with the line, the object and the reason", {}, function(pools)
    local said <const> = kit.warnings(function()
      stale_twice(pools)
      stale_twice(pools)
    end)
    spec.equal(#said, 2)
    local pattern <const> = "spec_hooks.lua:(%d+): recycle of Cube#1 refused: stale"
    spec.equal(tonumber(said[1]:match(pattern)) < tonumber(said[2]:match(pattern)), true)
  end)

  kit.test("warns from every door, and is silent with misuse = 'ignore'", {}, function(pools, Cube)
    local o <const>, silent <const> = pools:alloc "Cube", kit.new { misuse = "ignore" }
    o:recycle()
    for _, door in ipairs {
      function() pools:recycle(o) end, -- a line for each: it is the site
      function() pools:pool("Cube"):recycle(o) end,
      function() o:recycle() end,
      function() Cube.super.recycle(pools:pool "Cube", o) end,
    } do spec.equal(#kit.warnings(door), 1) end
    spec.equal(kit.warnings(function() stale_twice(silent) end), {})
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
