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
  kit.test("is honoured by manager and pool, and gets the arguments as they are", {}, function(pools, Cube)
    local got
    function Cube:alloc(lifetime, ...)
      got = table.pack(self, lifetime, ...)
      return Cube.super.alloc(self, lifetime)
    end
    local pool <const>, t <const>, many <const> = pools:pool "Cube", {}, {}
    for i = 1, 200 do many[i] = i end
    for _, given in ipairs {
      { n = 0 }, { n = 1, 2 }, { n = 1, nil }, { n = 2, nil, 5 }, { n = 5, 1, t, nil, "text", false },
      { n = 2, -1, "a" }, { n = 201, 0, table.unpack(many) },
    } do
      local want <const> = { n = math.max(2, given.n + 1), pool, given[1] or 0, table.unpack(given, 2, given.n) }
      pools:alloc("Cube", table.unpack(given, 1, given.n))
      spec.equal(got, want)
      got = nil
      pool:alloc(table.unpack(given, 1, given.n))
      spec.equal(got, want)
      spec.equal(given[2] ~= t or rawequal(got[3], t), true)
    end
  end)

  kit.test("may return nil with a reason of its own, or none: then what it has opened is given back", { grow = 1 },
    function(pools, Cube)
    local result, kept
    function Cube:alloc(...)
      kept = Cube.super.alloc(self, ...)
      return table.unpack(result, 1, result.n)
    end
    for _, case in ipairs { { n = 0 }, { n = 1 }, { n = 1, false }, { n = 2, nil, "too many cubes" } } do
      result = case
      spec.equal({ pools:alloc "Cube" }, { nil, case[2] or "vetoed" })
      local s <const> = pools:stats "Cube"
      spec.equal({ kept.alive, s.live, s.idle, s.allocs, s.recycles }, { false, 0, 1, 0, 0 })
    end
  end)

  kit.test("hands out the object alone, whatever else it returns", {}, function(pools, Cube)
    local more
    function Cube:alloc(...) return Cube.super.alloc(self, ...), table.unpack(more) end
    for _, list in ipairs { {}, { "more" }, { 1, 2, 3 }, { nil, nil, 3 } } do
      more = list
      for _, got in ipairs { table.pack(pools:alloc "Cube"), table.pack(pools:pool "Cube":alloc()) } do
        spec.equal({ got.n, got[1].alive }, { 1, true })
      end
    end
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

  kit.test("decides by its base call, not by what it returns or raises, and the base alone is enough", {},
    function(pools, Cube)
    local result
    function Cube:recycle(o)
      Cube.super.recycle(self, o)
      if result == "raise" then error "too late" end
      return result
    end
    for i, value in ipairs { false, 12, "vetoed", {}, "raise", "nil" } do
      result = value ~= "nil" and value or nil
      local said <const> = spec.hear(function() spec.equal({ pools:recycle(pools:alloc "Cube") }, { true }) end)
      spec.equal(said:find "^Cube.recycle: .*too late" ~= nil, value == "raise")
      spec.equal({ pools:stats("Cube").recycles, pools:stats("Cube").double_recycles }, { i, 0 })
    end
    function Cube:recycle() end
    local o <const> = pools:alloc "Cube"
    spec.equal({ pools:recycle(o) }, { false, "vetoed" })
    spec.equal({ Cube.super.recycle(pools:pool "Cube", o), o.alive }, { true, false })
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
