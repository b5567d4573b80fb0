-- Whole pools: overflow by function, methods, update.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

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
  pools.time_scale = 2
  kit.tick(pools)
  pools.time_scale, pools.paused = 1, true
  kit.tick(pools)
  pools.paused = false
  spec.equal({ log(), pools.time_scale, pools.paused }, { "Sub 1.0, Cube 1.0, Sub 2.0, Cube 2.0", 1, false })
  function Cube:update() error "oops" end
  local said <const> = spec.hear(kit.tick, pools, 2)
  spec.equal({ said:find "Cube.update: .*oops" ~= nil, said:find "Sub.update" ~= nil }, { true, true })
end)
