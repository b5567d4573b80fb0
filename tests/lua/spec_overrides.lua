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
    for why, override in pairs {
      ["too many cubes"] = function() return nil, "too many cubes" end, vetoed = function() return nil end,
    } do
      Cube.alloc = override
      spec.equal({ pools:alloc "Cube" }, { nil, why })
    end
    function Cube:alloc() end
    spec.equal({ pools:alloc "Cube" }, { nil, "vetoed" })
    function Cube:alloc() return false end
    spec.equal({ pools:alloc "Cube" }, { nil, "vetoed" })
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
    local old <const>, stale <const> = pools:alloc "Cube", pools:alloc "Cube"
    local far <const>, ball <const> = others:alloc "Cube", pools:alloc "Ball"
    stale:recycle()
    local result
    function Cube:alloc(...)
      Cube.super.alloc(self, ...)
      return result
    end
    for value, shown in pairs {
      [true] = "true", [12] = "12", text = "'text'", [{}] = "table: 0x", [print] = "function", [pools] = "pools (",
      [pools:pool "Cube"] = "pool of Cube", [far] = "Cube#1 (live)", [ball] = "Ball#1 (live)", [old] = "Cube#1 (live)",
      [stale] = "Cube#2 (stale)", [spec.light(0)] = "light userdata: ",
    } do
      result = value
      kit.refuses({ pools = pools }, {
        { "pools:alloc 'Cube'", "alloc of class 'Cube' returned " .. shown },
        { "pools:alloc 'Cube'", "must return the object that its base call opened" },
      })
    end
    spec.equal({ pools:pool("Cube").live, old.alive, far.alive, ball.alive }, { 1, true, true, true })
    kit.check(pools, "Cube", "Ball")
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

  kit.test("may call its base twice: both objects live, and it picks the one to hand out", {}, function(pools, Cube)
    local first, second
    function Cube:alloc(...)
      first, second = Cube.super.alloc(self, ...), Cube.super.alloc(self, ...)
      return first
    end
    spec.equal(pools:alloc "Cube" == first, true)
    spec.equal({ first.alive, second.alive, pools:pool("Cube").live }, { true, true, 2 })
  end)
end)

spec.describe("an override of recycle", function()
  kit.test("is honoured from every door", function(pools)
    local add <const>, log <const> = kit.log()
    logged(add, "Cube", { grow = 1, limit = 1, overflow = "oldest" })
    for _, door in ipairs {
      { "recycled", function(o) o:recycle() end }, { "recycled", function(o) pools:recycle(o) end },
      { "recycled", function(o) pools:pool("Cube"):recycle(o) end },
      { "expired", function(o)
        o.remaining = kit.STEP
        kit.tick(pools)
      end },
      { "evicted", function() pools:alloc "Cube" end },
      { "cleared", function() spec.equal(pools:recycle_all(), 1) end },
      { "cleared", function() spec.equal(pools:recycle_all(function() return true end), 1) end },
      { "cleared", function() spec.equal(pools:pool("Cube"):recycle_all(), 1) end },
      { "removed", function() spec.equal({ pools:remove "Cube" }, { 1, 1 }) end },
      { "removed", function() spec.equal({ pools:close() }, { 1, 1 }) end },
    } do
      local o <const> = pools:alloc "Cube"
      log()
      door[2](o)
      spec.equal(log():match "recycle %d+ %l+", "recycle 1 " .. door[1])
      pools:recycle_all()
    end
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
    for _, value in ipairs { false, 12, "vetoed", {}, "nil" } do
      result = value ~= "nil" and value or nil
      spec.equal({ pools:recycle(pools:alloc "Cube") }, { true })
    end
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

kit.test("super: goes through every level, nearest first, and is looked up per call", function(pools)
  local add <const>, log <const> = kit.log()
  local A <const>, B <const> = logged(add, "A"), logged(add, "B", { extends = "A" })
  logged(add, "C", { extends = B })
  local o <const> = pools:alloc("C", 1)
  spec.equal(log(), "alloc C 1, alloc C 1, alloc C 1")
  function A:recycle(obj)
    add "new"
    return A.super.recycle(self, obj)
  end
  B.recycle = nil
  o:recycle()
  spec.equal(log(), "recycle 1 recycled, new")
end)
