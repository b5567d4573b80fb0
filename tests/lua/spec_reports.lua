-- Errors that have no caller to go to: reported once, with the place, and the work is finished all the same.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

-- The reports since the last call, with the line numbers of this file taken out.
local function reports()
  return (spec.reports():gsub("tests/lua/spec_reports.lua:%d+: ", "here: "))
end
reports()

spec.describe("an error in a hook is reported, and the work is finished", function()
  kit.test("on_restore: everything is restored, and the other objects are told", function(pools)
    local add <const>, log <const> = kit.log()
    local Cube <const> = spawnpool.class("Cube", { fields = { n = 0 } })
    function Cube:on_restore(o)
      add(o.id, o.n)
      if o.id == 2 then error "boom" end
    end
    for i = 1, 3 do pools:alloc("Cube", 0, { n = i }) end
    local snapshot <const>, save <const>, hash <const> = pools:snapshot(), pools:save(), pools:hash()
    local loaded
    for _, restore in ipairs {
      function() return pools:restore(snapshot) end,
      function() return (pools:restore(save)) end,
      function()
        loaded = spawnpool.load(save)
        return loaded:hash() == hash
      end,
    } do
      for o in pools:each() do o.n = 9 end
      spec.equal(restore(), true)
      spec.equal({ reports(), log() }, { "Cube.on_restore: here: boom (traced)\n", "1 1, 2 2, 3 3" })
      spec.equal(loaded ~= nil or pools:hash() == hash, true)
    end
  end)

  spec.test("misuse = 'error' inside a hook", function()
    local pools <const> = kit.new { misuse = "error" }
    local Cube <const> = spawnpool.class "Cube"
    function Cube:on_despawn(o) o:recycle() end
    spec.equal({ pools:alloc("Cube"):recycle() }, { true })
    spec.equal(reports():find("Cube.on_despawn: here: recycle of Cube#1 refused: dying", 1, true), 1)
    kit.check(pools, "Cube")
  end)
end)

spec.describe("an error value", function()
  local function reported(value)
    local pools <const> = kit.new()
    local Cube <const> = spawnpool.class "Cube"
    function Cube:on_despawn() error(value, 0) end
    spec.equal({ pools:alloc("Cube"):recycle() }, { true })
    kit.check(pools, "Cube")
    pools:close()
    return reports()
  end

  spec.test("of any type is told with its place, and one that repeats only once: it names no address", function()
    spec.equal(reported(12), "Cube.on_despawn: 12 (traced)\n")
    local told <const> = setmetatable({}, { __tostring = function() return "my own words" end })
    spec.equal(reported(told), "Cube.on_despawn: my own words (traced)\n")
    local sly <const> = setmetatable({}, { __tostring = function() error "not me" end })
    local wrong <const> = setmetatable({}, { __tostring = function() return {} end })
    local nameless <const> = "Cube.on_despawn: here: (error object is a %s value) (traced)\n"
    spec.equal(reported(nil), nameless:format "nil")
    spec.equal(reported(false), nameless:format "boolean")
    spec.equal({ reported(sly), reported(wrong), reported {} }, { nameless:format "table", "", "" })
  end)

  kit.test("that repeats is only counted, and told at every tenth power", {}, function(pools, Cube)
    function Cube:on_despawn() error("boom", 0) end
    local function fail(times)
      for _ = 1, times do pools:alloc("Cube"):recycle() end
      local _, count <const> = reports():gsub("boom", "")
      return count
    end
    spec.equal({ fail(1), fail(8), fail(1), fail(89), fail(1), fail(50) }, { 1, 0, 1, 0, 1, 0 })
  end)

  kit.test("that always differs is told every time", {}, function(pools, Cube)
    local n = 0
    function Cube:on_despawn()
      n = n + 1
      error("boom " .. n, 0)
    end
    for i = 1, 1100 do
      pools:alloc("Cube"):recycle()
      spec.equal(reports():match "boom (%d+)", tostring(i))
    end
  end)
end)

spec.describe("recursion without end", function()
  kit.test("in on_despawn ends in a report, and every count is right", {}, function(pools, Cube)
    local objects <const> = {}
    for i = 1, 1000 do objects[i] = pools:alloc "Cube" end
    function Cube:on_despawn(o)
      local next <const> = objects[o.id + 1]
      if next then next:recycle() end
    end
    spec.equal({ objects[1]:recycle() }, { true })
    spec.equal(reports():find "overflow" ~= nil, true)
    local s <const> = pools:stats "Cube"
    spec.equal({ s.live > 0, s.live + s.recycles }, { true, 1000 })
    kit.check(pools, "Cube")
    Cube.on_despawn = nil
    spec.equal(pools:recycle_all(), s.live)
  end)

  kit.test("in an override of recycle that recycles and spawns",
    { limit = 50, overflow = "oldest" }, function(pools, Cube)
    function Cube:recycle(o)
      self:alloc()
      return Cube.super.recycle(self, o)
    end
    for _ = 1, 60 do pcall(pools.alloc, pools, "Cube") end
    reports()
    local s <const> = pools:stats "Cube"
    spec.equal({ s.live <= 50, s.allocs - s.recycles }, { true, s.live })
    kit.check(pools, "Cube")
    Cube.recycle = nil
    spec.equal(pools:recycle_all(), s.live)
  end)

  kit.test("of plain Lua inside a hook", {}, function(pools, Cube)
    local function deeper(n) return 1 + deeper(n + 1) end
    function Cube:on_despawn() deeper(1) end
    spec.equal({ pools:alloc("Cube"):recycle() }, { true })
    spec.equal(reports():find "stack overflow" ~= nil, true)
  end)
end)

kit.test("a warning: goes to the same place, and is told as one", function(pools)
  pools:alloc "Zebra"
  spec.equal(reports(), "warning: unknown type 'Zebra' (no class of that name): it gets the generic pool\n")
end)
