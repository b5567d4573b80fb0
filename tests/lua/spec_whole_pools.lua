-- Whole pools: recycle_all with a function, pinned, overflow by function, methods, update, on_reject and
-- on_destroy.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

-- Two objects of each of four types: Shot > Bullet, Cloud in group sky, Plain without class settings.
local function four(pools)
  spawnpool.class("Shot", { group = "weapons", grow = 1 })
  spawnpool.class("Bullet", { extends = "Shot" })
  spawnpool.class("Cloud", { group = "sky", grow = 1 })
  spawnpool.class("Plain", { grow = 1 })
  for _, type in ipairs { "Shot", "Bullet", "Cloud", "Plain" } do
    pools:alloc(type)
    pools:alloc(type)
  end
end

kit.test("filters: that are functions may act and raise: what was ended stays ended", function(pools)
  four(pools)
  local asked = 0
  spec.expect_error("enough", pools.recycle_all, pools, function(o)
    asked = asked + 1
    if asked == 3 then pools:alloc(o.type) end
    if asked == 5 then error "enough" end
    return true
  end)
  spec.equal(pools:stats().live, 5)
  kit.check(pools, "Shot", "Bullet", "Cloud", "Plain")
  spec.equal(pools:recycle_all(function(o)
    o:recycle()
    pools:remove "Cloud"
    return true
  end), 0)
  spec.equal(pools:stats().live, 0)
  four(pools)
  spec.equal(pools:recycle_all(function()
    pools:close()
    return true
  end), 0)
end)

kit.test("pinned: objects are passed over by overflow oldest, and nothing else",
  { limit = 3, overflow = "oldest", grow = 1 }, function(pools)
  local a <const>, b <const> = pools:alloc("Cube", 0, { pinned = true }), pools:alloc "Cube"
  local c <const> = pools:alloc "Cube"
  spec.equal({ a.pinned, b.pinned }, { true, false })
  pools:alloc "Cube"
  spec.equal({ a.alive, b.alive, c.alive }, { true, false, true })
  pools:pool("Cube"):set("pinned", true)
  spec.equal({ pools:alloc "Cube" }, { nil, "full" })
  a:recycle()
  spec.equal(pools:alloc("Cube").pinned, false)
  spec.equal(pools:recycle_all(), 3)
  kit.blames("field 'pinned' of Cube#%d must be true or false", function()
    local o <const> = pools:alloc "Cube"
    o.pinned = 1
  end)
end)

spec.describe("overflow by function", function()
  local function pool_with(pools, overflow)
    spawnpool.class("Cube", { limit = 2, overflow = overflow, grow = 1 })
    return pools:pool "Cube", pools:alloc "Cube", pools:alloc "Cube"
  end

  kit.test("recycles the victim that it returns", function(pools)
    local chosen
    local pool <const>, a <const>, b <const> = pool_with(pools, function(self)
      spec.equal(self, pools:pool "Cube")
      return chosen
    end)
    chosen = b
    local c <const> = pools:alloc "Cube"
    spec.equal({ a.alive, b.alive, c.alive, pools:stats("Cube").evicted }, { true, false, true, 1 })
    pool.overflow = function() return a end
    spec.equal({ pools:alloc("Cube").alive, a.alive }, { true, false })
  end)

  spec.test("refuses when the victim is no good", function()
    local pools <const>, others <const> = kit.new(), kit.new()
    local victim
    pool_with(pools, function() return victim end)
    spawnpool.class("Ball", { grow = 1 })
    local dead <const> = pools:alloc "Ball"
    local foreign <const>, ball <const> = others:alloc "Ball", pools:alloc "Ball"
    dead:recycle()
    for _, bad in ipairs { dead, foreign, ball, 5, "Cube#1", {}, true, io.stdout } do
      victim = bad
      spec.equal({ pools:alloc "Cube" }, { nil, "full" })
    end
    victim = nil
    spec.equal({ pools:alloc "Cube" }, { nil, "full" })
    spec.equal({ ball.alive, foreign.alive, pools:pool("Cube").live }, { true, true, 2 })
    kit.check(pools, "Cube", "Ball")
  end)

  kit.test("may act, raise, veto and go round in circles", function(pools)
    local pool <const>, a <const> = pool_with(pools, function(self)
      error "no victim"
    end)
    local said <const> = spec.hear(function() spec.equal({ pools:alloc "Cube" }, { nil, "full" }) end)
    spec.equal(said:find "Cube.overflow: .*no victim" ~= nil, true)
    pool.overflow = function() a:recycle() end -- makes the room itself
    spec.equal(pools:alloc("Cube").alive, true)
    pool.overflow = function() pool.limit = 5 end
    spec.equal({ pools:alloc("Cube").alive, pool.live }, { true, 3 })
    pool.limit = 3
    local depth = 0
    pool.overflow = function()
      depth = depth + 1
      local inner <const> = depth < 5 and pools:alloc "Cube"
      depth = depth - 1
      return inner or nil
    end
    spec.equal({ pools:alloc "Cube" }, { nil, "full" })
    local Cube <const> = pool.class
    function Cube:recycle() end
    pool.overflow = function(self)
      local next <const>, state <const> = self:each()
      return next(state)
    end
    spec.equal({ pools:alloc "Cube" }, { nil, "full" })
    Cube.recycle = nil
    spec.equal(pools:alloc("Cube").alive, true)
  end)
end)

spec.describe("methods", function()
  kit.test("are called on objects, inherited, overridden and replaced", function(pools)
    local Shot <const> = spawnpool.class("Shot", { methods = {
      hit = function(o, n) return "shot " .. o.id .. n end,
      base = function(o) return o end,
    } })
    spawnpool.class("Bullet", { extends = "Shot", methods = { hit = function(_, n) return "bullet" .. n end } })
    local s <const>, b <const> = pools:alloc "Shot", pools:alloc "Bullet"
    spec.equal({ s:hit(1), b:hit(2), b:base() == b }, { "shot 11", "bullet2", true })
    Shot.methods = { hit = function() return "new" end, added = function() return 5 end }
    spec.equal({ s:hit(), b:hit(3), b:added() }, { "new", "bullet3", 5 })
    kit.blames("Bullet has no field 'base'", function() b:base() end)
    kit.blames("field 'hit' of Shot#1 is read only", function() s.hit = 5 end)
    s:recycle()
    kit.blames("stale", function() s:hit() end)
  end)

  spec.test("clash with nothing: built-in names and fields are refused, here and below", function()
    local f <const> = function() end
    kit.blames("class 'A': method 'x' is built in", function() spawnpool.class("A", { methods = { x = f } }) end)
    kit.blames("method 'recycle' is built in", function() spawnpool.class("A", { methods = { recycle = f } }) end)
    kit.blames("method 'hit' must be a function, got 5", function() spawnpool.class("A", { methods = { hit = 5 } }) end)
    kit.blames("methods must be a table of functions", function() spawnpool.class("A", { methods = f }) end)
    kit.blames("'hit' is both a field and a method", function()
      spawnpool.class("A", { fields = { hit = 1 }, methods = { hit = f } })
    end)
    local pools <const> = kit.new()
    local A <const> = spawnpool.class("A", { fields = { hit = 1 } })
    local a <const> = pools:alloc "A"
    kit.blames("class 'B': 'hit' is both a field and a method", function()
      spawnpool.class("B", { extends = "A", methods = { hit = f } })
    end)
    kit.blames("class 'A': 'hit' is both a field and a method", function() A.methods = { hit = f } end)
    spawnpool.class("C", { extends = "A", methods = { fly = f } })
    kit.blames("class 'C': 'fly' is both a field and a method", function() A.fields = { fly = 1 } end)
    spec.equal({ a.hit, pools:alloc("A").hit, pools:alloc("C").hit }, { 1, 1, 1 })
  end)
end)

kit.test("update: runs once per update and pool, with the scaled dt, live objects or not", {}, function(pools, Cube)
  local add <const>, log <const> = kit.log()
  function Cube:update(dt) add(self.type, dt * 64) end
  spawnpool.class("Sub", { extends = "Cube" })
  pools:pool "Sub"
  pools:pool "Cube"
  kit.tick(pools)
  spec.equal(log(), "Sub 1.0, Cube 1.0")
  function Cube:update() error "oops" end
  local said <const> = spec.hear(kit.tick, pools, 2)
  spec.equal({ said:find "Cube.update: .*oops" ~= nil, said:find "Sub.update" ~= nil }, { true, true })
  function Cube:update()
    for o in self:each() do o:recycle() end
    pools:alloc "Cube"
    spec.equal({ pools:remove "Cube" }, { false, "busy" })
    add(pools:remove "Sub")
    kit.blames("update called from inside", function() pools:update(1) end)
  end
  pools:pool "Sub".class.update = function() end
  kit.tick(pools, 3)
  spec.equal({ log(), pools:pool("Cube").live }, { "0 0, 0 0, 0 0", 1 })
end)

kit.test("on_reject and on_destroy: may alloc, recycle, clear and raise",
  { idle_limit = 0, grow = 1 }, function(pools, Cube)
  local depth = 0
  local function act(self, o)
    spec.equal(o.alive, false)
    kit.blames("not live", function() o:after(1, print) end)
    depth = depth + 1
    if depth < 4 then
      local new <const> = pools:alloc "Cube"
      self:clear()
      new:recycle()
    end
    depth = depth - 1
    error "oops"
  end
  Cube.on_reject, Cube.on_destroy = act, act
  local said <const> = spec.hear(function() pools:alloc("Cube"):recycle() end)
  spec.equal({ said:find "on_reject: .*oops" ~= nil, said:find "on_destroy: .*oops" ~= nil }, { true, true })
  spec.equal(pools:stats("Cube").total, 0)
end)
