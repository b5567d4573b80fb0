-- Overrides of alloc and recycle: every call honours them, their results are checked, and errors undo what they did.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

-- A class whose overrides write into a log and go through.
local function logged(add, name, definition)
  local class <const> = spawnpool.class(name, definition)
  function class:alloc(...)
    add("alloc", self.type, ...)
    return class.super.alloc(self, ...)
  end
  function class:recycle(o, ...)
    add("recycle", o.id, ...)
    return class.super.recycle(self, o, ...)
  end
  return class
end

spec.describe("an override of alloc", function()
  kit.test("is honoured by the manager and by the pool", function(pools)
    local add <const>, log <const> = kit.log()
    logged(add, "Cube")
    pools:alloc "Cube"
    pools:alloc("Cube", 2, 3)
    pools:pool("Cube"):alloc()
    pools:pool("Cube"):alloc(4)
    pools:alloc("Cube", nil)
    pools:pool("Cube"):alloc(nil, 5)
    spec.equal(log(), "alloc Cube 0, alloc Cube 2 3, alloc Cube 0, alloc Cube 4, alloc Cube 0, alloc Cube 0 5")
  end)

  kit.test("gets the arguments untouched, whatever they are", {}, function(pools, Cube)
    local got
    function Cube:alloc(lifetime, ...)
      got = table.pack(self, lifetime, ...)
      return Cube.super.alloc(self, lifetime)
    end
    local t <const> = {}
    pools:alloc("Cube", 1, t, nil, "text", false, nil)
    spec.equal({ got.n, got[1], got[2], got[5], got[6] }, { 7, pools:pool "Cube", 1, "text", false })
    spec.equal(rawequal(got[3], t), true)
    pools:alloc("Cube", -1, "a")
    spec.equal({ got.n, got[2], got[3] }, { 3, -1, "a" })
    local many <const> = {}
    for i = 1, 200 do many[i] = i end
    pools:alloc("Cube", 0, table.unpack(many))
    spec.equal({ got.n, got[202] }, { 202, 200 })
  end)

  kit.test("may return nil with a reason of its own, or none", {}, function(pools, Cube)
    function Cube:alloc() return nil, "too many cubes" end
    spec.equal({ pools:alloc "Cube" }, { nil, "too many cubes" })
    function Cube:alloc() return nil end
    spec.equal({ pools:alloc "Cube" }, { nil, "vetoed" })
    function Cube:alloc() end
    spec.equal({ pools:alloc "Cube" }, { nil, "vetoed" })
    function Cube:alloc() return false end
    spec.equal({ pools:alloc "Cube" }, { nil, "vetoed" })
    spec.equal(pools:pool("Cube").live, 0)
  end)

  kit.test("passes on the reason of its base", { limit = 0 }, function(pools, Cube)
    function Cube:alloc(...) return Cube.super.alloc(self, ...) end
    spec.equal({ pools:alloc "Cube" }, { nil, "full" })
    Cube.limit = nil
    function Cube:on_spawn(o) o:recycle() end
    spec.equal({ pools:alloc "Cube" }, { nil, "recycled" })
  end)

  kit.test("gives the object back when it returns nothing", { grow = 1 }, function(pools, Cube)
    local kept
    function Cube:alloc(...) kept = Cube.super.alloc(self, ...) end
    spec.equal({ pools:alloc "Cube" }, { nil, "vetoed" })
    spec.equal({ kept.alive, pools:pool("Cube").live, pools:pool("Cube").idle }, { false, 0, 1 })
    local s <const> = pools:stats "Cube"
    spec.equal({ s.allocs, s.recycles }, { 0, 0 })
  end)

  spec.test("gives the object back when it returns something else, and says so at the caller's line", function()
    local pools <const>, others <const> = kit.new(), kit.new()
    local Cube <const> = spawnpool.class("Cube", { grow = 1 })
    spawnpool.class "Ball"
    local other <const>, ball <const> = others:alloc "Cube", pools:alloc "Ball"
    local result
    function Cube:alloc(...)
      Cube.super.alloc(self, ...)
      return result
    end
    local wrong <const> = {
      [true] = "true", [12] = "12", text = "'text'", [{}] = "table: 0x", [print] = "function", [pools] = "pools %(",
      [pools:pool "Cube"] = "pool of Cube", [other] = "Cube#1 %(live%)", [ball] = "Ball#1 %(live%)",
    }
    for value, shown in pairs(wrong) do
      result = value
      kit.blames("alloc of class 'Cube' returned " .. shown .. ".*must return the object that its base call opened",
        function() pools:alloc "Cube" end)
    end
    spec.equal({ pools:pool("Cube").live, other.alive, ball.alive }, { 0, true, true })
    kit.check(pools, "Cube", "Ball")
  end)

  kit.test("may not return an object of an earlier call, nor a stale one", { grow = 1 }, function(pools, Cube)
    local old <const>, stale <const> = pools:alloc "Cube", pools:alloc "Cube"
    pools:recycle(stale)
    local result
    function Cube:alloc() return result end
    result = old
    spec.expect_error("returned Cube#1 %(live%)", pools.alloc, pools, "Cube")
    result = stale
    spec.expect_error("returned Cube#2 %(stale%)", pools.alloc, pools, "Cube")
    spec.equal({ old.alive, pools:pool("Cube").live }, { true, 1 })
  end)

  kit.test("says recycled when it recycled the object itself", {}, function(pools, Cube)
    function Cube:alloc(...)
      local o <const> = Cube.super.alloc(self, ...)
      self:recycle(o)
      return o
    end
    spec.equal({ pools:alloc "Cube" }, { nil, "recycled" })
    spec.equal({ pools:pool("Cube").live, pools:stats("Cube").recycles }, { 0, 1 })
  end)

  kit.test("gives every object back when it raises after the base call", { grow = 1 }, function(pools, Cube)
    local add <const>, log <const> = kit.log()
    local first, second
    function Cube:alloc(...)
      first, second = Cube.super.alloc(self, ...), Cube.super.alloc(self, ...)
      error "no room"
    end
    function Cube:on_despawn(o) add("despawn", o.id) end
    spec.expect_error("spec_overrides.lua:%d+: no room$", pools.alloc, pools, "Cube")
    spec.equal({ first.alive, second.alive, pools:pool("Cube").live }, { false, false, 0 })
    local s <const> = pools:stats "Cube"
    spec.equal({ s.allocs, s.recycles, s.idle }, { 0, 0, 2 })
    spec.equal(log(), "")
  end)

  kit.test("raises its own error value", {}, function(pools, Cube)
    local raised
    function Cube:alloc() error(raised) end
    for _, value in ipairs { { code = 7 }, false, 12 } do
      raised = value
      spec.equal(select(2, pcall(pools.alloc, pools, "Cube")), value)
    end
    raised = nil
    spec.equal({ pcall(pools.alloc, pools, "Cube") }, { false, nil })
  end)

  kit.test("may call its base twice: both objects live, and it picks the one to hand out", {}, function(pools, Cube)
    local first, second
    function Cube:alloc(...)
      first, second = Cube.super.alloc(self, ...), Cube.super.alloc(self, ...)
      return first
    end
    spec.equal(pools:alloc "Cube" == first, true)
    spec.equal({ first.alive, second.alive, pools:pool("Cube").live }, { true, true, 2 })
  end)

  kit.test("may alloc other types and its own without losing track", {}, function(pools, Cube)
    local Ball <const> = spawnpool.class "Ball"
    function Ball:alloc(...) return Ball.super.alloc(self, ...) end
    function Cube:alloc(depth)
      local o <const> = Cube.super.alloc(self)
      pools:alloc "Ball"
      if depth > 0 then pools:alloc("Cube", depth - 1) end
      return o
    end
    local o <const> = pools:alloc("Cube", 5)
    spec.equal({ o.alive, o.id, pools:pool("Cube").live, pools:pool("Ball").live }, { true, 1, 6, 6 })
  end)
end)

spec.describe("an override of recycle", function()
  kit.test("is honoured from every door", function(pools)
    local add <const>, log <const> = kit.log()
    logged(add, "Cube", { grow = 1, limit = 1, overflow = "oldest" })
    local function ended(door)
      local text <const> = log():match "recycle.*"
      if not text then error("no override from " .. door, 2) end
      return text
    end
    pools:alloc("Cube"):recycle()
    spec.equal(ended "object", "recycle 1 recycled")
    pools:recycle(pools:alloc "Cube")
    spec.equal(ended "manager", "recycle 1 recycled")
    pools:pool("Cube"):recycle(pools:alloc "Cube")
    spec.equal(ended "pool", "recycle 1 recycled")
    pools:alloc("Cube", kit.STEP)
    kit.tick(pools)
    spec.equal(ended "expiry", "recycle 1 expired")
    pools:alloc "Cube"
    log()
    pools:alloc "Cube"
    spec.equal(ended "eviction", "recycle 1 evicted")
    spec.equal(pools:recycle_all(), 1)
    spec.equal(ended "recycle_all", "recycle 1 cleared")
    pools:alloc "Cube"
    spec.equal(pools:recycle_all(function() return true end), 1)
    spec.equal(ended "recycle_all(function)", "recycle 1 cleared")
    pools:alloc "Cube"
    spec.equal(pools:pool("Cube"):recycle_all(), 1)
    spec.equal(ended "pool:recycle_all", "recycle 1 cleared")
    pools:alloc "Cube"
    spec.equal({ pools:remove "Cube" }, { 1, 1 })
    spec.equal(ended "remove", "recycle 1 removed")
    pools:alloc "Cube"
    spec.equal({ pools:close() }, { 1, 1 })
    spec.equal(ended "close", "recycle 1 removed")
  end)

  kit.test("can veto at every door but removal", { limit = 1, overflow = "oldest" }, function(pools, Cube)
    local despawned = 0
    function Cube:recycle() end
    function Cube:on_despawn() despawned = despawned + 1 end
    local o <const> = pools:alloc("Cube", kit.STEP)
    kit.tick(pools, 3)
    spec.equal({ o.alive, pools:recycle(o), pools:recycle_all() }, { true, false, 0 })
    spec.equal({ pools:alloc "Cube" }, { nil, "full" })
    spec.equal({ o.alive, despawned, pools:stats("Cube").vetoed }, { true, 0, 4 })
    spec.equal({ pools:stats("Cube").expired, pools:stats("Cube").evicted }, { 0, 0 })
    spec.equal({ pools:remove "Cube" }, { 1, 1 })
    spec.equal({ o.alive, despawned }, { false, 1 })
  end)

  spec.test("ends the life once when it calls its base twice", function()
    local pools <const> = kit.new { misuse = "ignore" }
    local Cube <const> = spawnpool.class "Cube"
    local results <const> = {}
    local despawned = 0
    function Cube:recycle(o)
      for i = 1, 2 do results[i] = table.pack(Cube.super.recycle(self, o)) end
    end
    function Cube:on_despawn() despawned = despawned + 1 end
    spec.equal({ pools:recycle(pools:alloc "Cube") }, { true })
    spec.equal({ results[1][1], results[2][1], results[2][2], despawned }, { true, false, "dying", 1 })
    kit.check(pools, "Cube")
  end)

  kit.test("decides by its base call, not by what it returns", {}, function(pools, Cube)
    local result
    function Cube:recycle(o)
      Cube.super.recycle(self, o)
      return result
    end
    for _, value in ipairs { false, 12, "vetoed", {} } do
      result = value
      spec.equal({ pools:recycle(pools:alloc "Cube") }, { true })
    end
    result = nil
    spec.equal({ pools:recycle(pools:alloc "Cube") }, { true })
  end)

  kit.test("has ended the life when it raises after the base call, once", {}, function(pools, Cube)
    function Cube:recycle(o)
      Cube.super.recycle(self, o)
      error "too late"
    end
    spec.equal({ pools:recycle(pools:alloc "Cube") }, { true })
    local stats <const> = pools:stats "Cube"
    spec.equal({ stats.recycles, stats.double_recycles, stats.live }, { 1, 0, 0 })
  end)

  kit.test("can be passed over by calling the base of a live object", {}, function(pools, Cube)
    function Cube:recycle() end
    local o <const> = pools:alloc "Cube"
    spec.equal({ Cube.super.recycle(pools:pool "Cube", o) }, { true })
    spec.equal(o.alive, false)
  end)
end)

spec.describe("super", function()
  local function three_levels(add)
    local A <const> = logged(add, "A")
    local B <const> = logged(add, "B", { extends = "A" })
    local C <const> = logged(add, "C", { extends = B })
    return A, B, C
  end

  kit.test("goes through every level, nearest first, with the pool of the type", function(pools)
    local add <const>, log <const> = kit.log()
    three_levels(add)
    local o <const> = pools:alloc("C", 1)
    spec.equal(log(), "alloc C 1, alloc C 1, alloc C 1")
    spec.equal({ o.type, pools:pool("C").live }, { "C", 1 })
    o:recycle()
    spec.equal(log(), "recycle 1 recycled, recycle 1 recycled, recycle 1 recycled")
    pools:alloc "A"
    spec.equal(log(), "alloc A 0")
  end)

  kit.test("is looked up per call, so a changed parent is heard at once", function(pools)
    local add <const>, log <const> = kit.log()
    local A <const>, B <const> = three_levels(add)
    local o <const> = pools:alloc "C"
    log()
    function A:recycle(obj)
      add "new"
      return A.super.recycle(self, obj)
    end
    B.recycle = nil
    o:recycle()
    spec.equal(log(), "recycle 1 recycled, new")
  end)
end)
