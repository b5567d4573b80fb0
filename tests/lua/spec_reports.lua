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
  kit.test("on_despawn", {}, function(pools, Cube)
    function Cube:on_despawn() error "boom" end
    local o <const> = pools:alloc "Cube"
    spec.equal({ pools:recycle(o) }, { true })
    spec.equal(reports(), "Cube.on_despawn: here: boom (traced)\n")
    spec.equal({ o.alive, pools:pool("Cube").live, pools:stats("Cube").recycles }, { false, 0, 1 })
  end)

  kit.test("recycle, before its base call", {}, function(pools, Cube)
    local add <const>, log <const> = kit.log()
    function Cube:recycle() error "boom" end
    function Cube:on_despawn(o, why) add(o.id, why) end
    local o <const> = pools:alloc "Cube"
    spec.equal({ pools:recycle(o) }, { true })
    spec.equal({ reports(), log() }, { "Cube.recycle: here: boom (traced)\n", "1 recycled" })
    spec.equal({ o.alive, pools:stats("Cube").vetoed }, { false, 0 })
  end)

  kit.test("recycle, after its base call", {}, function(pools, Cube)
    local add <const>, log <const> = kit.log()
    function Cube:recycle(o)
      Cube.super.recycle(self, o)
      error "boom"
    end
    function Cube:on_despawn(o) add(o.id) end
    spec.equal({ pools:alloc("Cube"):recycle() }, { true })
    spec.equal({ reports(), log() }, { "Cube.recycle: here: boom (traced)\n", "1" })
  end)

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

  kit.test("expiry: the others still expire, and update goes on", {}, function(pools, Cube)
    function Cube:on_despawn(o)
      if o.id % 2 == 1 then error("boom " .. o.id) end
    end
    for _ = 1, 4 do pools:alloc("Cube", kit.STEP) end
    spec.equal(pools:update(kit.STEP), true)
    spec.equal(reports(), "Cube.on_despawn: here: boom 1 (traced)\nCube.on_despawn: here: boom 3 (traced)\n")
    spec.equal({ pools:pool("Cube").live, pools:stats("Cube").expired }, { 0, 4 })
  end)

  kit.test("eviction, recycle_all, remove and close",
    { limit = 2, overflow = "oldest", grow = 1 }, function(pools, Cube)
    function Cube:recycle() error "boom" end
    function Cube:on_despawn(o, why) error(why) end
    for _ = 1, 3 do pools:alloc "Cube" end
    local texts <const> = "Cube.recycle: here: boom (traced)\nCube.on_despawn: here: %s (traced)\n"
    spec.equal(reports(), texts:format "evicted")
    spec.equal({ pools:recycle_all(), pools:pool("Cube").live }, { 2, 0 })
    spec.equal(reports():find("on_despawn: here: cleared", 1, true) ~= nil, true)
    pools:alloc "Cube"
    spec.equal({ pools:remove "Cube" }, { 1, 2 })
    spec.equal(reports():find("on_despawn: here: removed", 1, true) ~= nil, true)
    pools:alloc "Cube"
    spec.equal({ pools:close() }, { 1, 1 })
  end)

  kit.test("on_create: the object is made", { prealloc = 2 }, function(pools, Cube)
    function Cube:on_create(o) error("boom " .. o.id) end
    local o <const> = pools:alloc "Cube"
    spec.equal(reports(), "Cube.on_create: here: boom 1 (traced)\nCube.on_create: here: boom 2 (traced)\n")
    spec.equal({ o.alive, pools:pool("Cube").total }, { true, 2 })
  end)

  kit.test("a hook inside a hook", {}, function(pools, Cube)
    local Ball <const> = spawnpool.class "Ball"
    local ball <const> = pools:alloc "Ball"
    function Ball:on_despawn() error "inner" end
    function Cube:on_despawn()
      ball:recycle()
      error "outer"
    end
    spec.equal({ pools:alloc("Cube"):recycle() }, { true })
    spec.equal(reports(), "Ball.on_despawn: here: inner (traced)\nCube.on_despawn: here: outer (traced)\n")
  end)

  kit.test("a refused alloc inside a hook raises there, and that is reported", {}, function(pools, Cube)
    local Ball <const> = spawnpool.class "Ball"
    function Ball:on_spawn() error "no balls" end
    function Cube:on_despawn() pools:alloc "Ball" end
    spec.equal({ pools:alloc("Cube"):recycle() }, { true })
    spec.equal(reports(), "Cube.on_despawn: here: no balls (traced)\n")
    spec.equal(pools:pool("Ball").live, 0)
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
