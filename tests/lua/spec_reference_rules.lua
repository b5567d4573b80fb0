-- The eleven rules that follow from what goes wrong in other pools, each driven through all that it names.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

local STEP <const> = kit.STEP

local function alloc_many(pools, type, count)
  local objects <const> = {}
  for i = 1, count do objects[i] = pools:alloc(type) end
  return objects
end

-- {== Searching, queueing and spawnpool, for rule 11 =========================

-- Takes the first object that is not out. `looked` counts what it had to look at.
local function searching_pool(count)
  local out <const>, pool <const> = {}, { looked = 0 }
  for i = 1, count do out[i] = false end
  function pool.take()
    for i = 1, count do
      pool.looked = pool.looked + 1
      if not out[i] then
        out[i] = true
        return i
      end
    end
  end
  function pool.give(i)
    local was_out <const> = out[i]
    out[i] = false
    return was_out
  end
  return pool
end

local function queueing_pool(count)
  local queue <const>, out <const>, pool <const> = {}, {}, { looked = 0 }
  local first, last = 1, count
  for i = 1, count do queue[i], out[i] = i, false end
  function pool.take()
    if first > last then return nil end
    local i <const> = queue[first]
    queue[first], first, out[i] = nil, first + 1, true
    pool.looked = pool.looked + 1
    return i
  end
  function pool.give(i)
    if not out[i] then return false end
    last = last + 1
    queue[last], out[i] = i, false
    return true
  end
  return pool
end

local function our_pool(count)
  local pools <const> = kit.new { misuse = "ignore" }
  local ours <const> = pools:pool "Cube"
  ours:prewarm(count)
  return {
    looked = 0,
    take = function() return (ours:alloc()) end,
    give = function(o) return (ours:recycle(o)) end,
    stats = function() return ours:stats() end,
  }
end

local function median(list)
  table.sort(list)
  return #list % 2 == 1 and list[#list // 2 + 1] or (list[#list // 2] + list[#list // 2 + 1]) / 2
end

-- One round takes all and gives all back in reverse. Seconds per pair: the median of `times` measurements of `rounds`
-- rounds each, in whole, after one round that is not counted.
local function measure(pool, count, rounds, times)
  local objects <const>, seconds <const> = {}, {}
  local function run()
    for i = 1, count do objects[i] = pool.take() end
    for i = count, 1, -1 do pool.give(objects[i]) end
  end
  run()
  for t = 1, times do
    local begun <const> = os.clock()
    for _ = 1, rounds do run() end
    seconds[t] = (os.clock() - begun) / (rounds * count)
  end
  return median(seconds), objects
end

-- }==

spec.describe("the rules", function()
  spec.test("R1 recycle: check, mark dying, hooks read the object, timers and links go, reusable last", function()
    local pools <const> = kit.new { misuse = "ignore" }
    local add <const>, log <const> = kit.log()
    spawnpool.class("Ship", { grow = 1 })
    local Cube <const> = spawnpool.class("Cube", { grow = 1, fields = { hp = 5 } })
    local Spark <const> = spawnpool.class("Spark", { grow = 1 })
    local ship <const> = pools:alloc "Ship"
    function Cube:recycle(o)
      add("override", o, o.alive, o.hp, o.parent, self.live)
      return Cube.super.recycle(self, o)
    end
    function Cube:on_despawn(o)
      local done <const>, why <const> = pools:recycle(o)
      add("hook", o, done, why, o.hp, o.x, pools:alloc("Cube").id)
    end
    function Spark:on_despawn(o, why) add("child", why, o.x, o.parent) end
    local o <const> = pools:alloc("Cube", STEP, 3, 4, 0, ship)
    o:after(0, function() add "timer" end)
    pools:alloc("Spark", 0, 1, 1, 0, o)
    spec.equal({ pools:recycle(o), pools:recycle(o) }, { true, false, "stale" })
    spec.equal(log(), "override Cube#1 (dying) false 5 Ship#1 (live) 1, hook Cube#1 (dying) false dying 5 3.0 2, "
      .. "child parent 4.0 nil")
    kit.tick(pools, 5)
    spec.equal({ log(), pools:pool("Cube").live, pools:stats("Cube").expired }, { "", 1, 0 })
    spec.equal({ pools:alloc("Cube").id, o.alive }, { 1, false })
    kit.check(pools, "Ship", "Cube", "Spark")
  end)

  spec.test("R2 alloc: template, lifetime and place are written before hooks; recycled inside, it says so", function()
    local pools <const> = kit.new()
    local add <const>, log <const> = kit.log()
    spawnpool.class("Ship", { grow = 1 })
    local Cube <const> = spawnpool.class("Cube", { grow = 1, limit = 1, radius = 2, fields = { hp = 5 } })
    function Cube:on_spawn(o)
      add(o, o.alive, o.x, o.y, o.angle, o.parent, o.hp, o.radius, o.lifetime, o.age)
      if o.hp == 0 then o:recycle() end
    end
    local ship <const> = pools:alloc "Ship"
    local o <const> = pools:alloc("Cube", 9, 1, 2, 3, ship)
    o.hp, o.radius, o.vx = 99, 99, 99
    kit.tick(pools)
    o:recycle()
    local again <const> = pools:alloc "Cube"
    spec.equal(log(), "Cube#1 (live) true 1.0 2.0 3.0 Ship#1 (live) 5 2.0 9.0 0.0, "
      .. "Cube#1 (live) true 0.0 0.0 0.0 nil 5 2.0 0.0 0.0")
    again:recycle()
    spec.equal({ pools:alloc("Cube", 0, { hp = 0 }) }, { nil, "recycled" })
    spec.equal({ pools:alloc("Cube", 0, { hp = 1 }).hp, pools:stats("Cube").recycles }, { 1, 3 })
    kit.check(pools, "Cube")
  end)

  spec.test("R3 new and used objects go the same way, and the hook is told which it is", function()
    local pools <const> = kit.new()
    local add <const>, log <const> = kit.log()
    local Cube <const> = spawnpool.class("Cube", { prealloc = 1, grow = 1, fields = { hp = 5 } })
    function Cube:on_spawn(o, fresh) add(o.id, fresh, o.x, o.hp, o.scale) end
    for _ = 1, 2 do
      for _, o in ipairs { pools:alloc("Cube", 0, 7), pools:alloc("Cube", 0, 7) } do
        o.hp, o.scale = 1, 8
        o:recycle()
      end
    end
    spec.equal(log(), "1 true 7.0 5 1.0, 2 true 7.0 5 1.0, 1 false 7.0 5 1.0, 2 false 7.0 5 1.0")
    spec.equal({ pools:take({ type = "Cube" }).id, log() }, { 1, "1 false 0.0 5 1.0" })
  end)

  spec.test("R4 limits count objects: live, idle and growth, right at 0, 1, cap - 1, cap and cap + 1",
    function()
      for _, cap in ipairs { 0, 1, 2, 5 } do
        local pools <const> = kit.new()
        spawnpool.class("Live", { limit = cap, grow = 3 })
        spawnpool.class("Idle", { idle_limit = cap, grow = 1 })
        local refused = 0
        for i = 1, cap + 1 do
          local o <const>, why <const> = pools:alloc "Live"
          spec.equal({ o ~= nil, why }, { i <= cap, i > cap and "full" or nil })
          if not o then refused = refused + 1 end
          spec.equal(pools:pool("Live").total, math.min(cap, (math.min(i, cap) + 2) // 3 * 3))
        end
        spec.equal(refused, 1)
        for i, o in ipairs(alloc_many(pools, "Idle", cap + 1)) do
          o:recycle()
          spec.equal(pools:pool("Idle").idle, math.min(i, cap))
        end
        kit.check(pools, "Live", "Idle")
      end
    end)

  spec.test("R5 an object has one owner: what a filter looks at may change at any time without a second one", function()
    local pools <const> = kit.new()
    local Cube <const> = spawnpool.class("Cube", { grow = 1, group = "a", fields = { tag = spawnpool.keep "a" } })
    local out <const> = alloc_many(pools, "Cube", 3)
    for i, o in ipairs(out) do
      o.tag = "b" .. i
      o:recycle()
      Cube.group = "g" .. i
    end
    spec.equal({ pools:take { group = "a" } }, { nil, "none" })
    local taken <const> = {}
    taken[1] = pools:take(function(o) return o.tag == "b2" end)
    taken[2] = pools:take { group = "g3" }
    taken[3] = pools:take { class = Cube }
    spec.equal({ taken[1].id, taken[2].id, taken[3].id }, { 2, 1, 3 })
    for _, filter in ipairs { { type = "Cube" }, { class = "Cube" }, { group = "g3" }, { group = "a" } } do
      spec.equal({ pools:take(filter) }, { nil, "none" })
    end
    kit.check(pools, "Cube")
  end)

  spec.test("R6 recycle answers true, or false with stale, foreign, dying or vetoed", function()
    local pools <const>, others <const> = kit.new { misuse = "ignore" }, kit.new { misuse = "ignore" }
    local Cube <const> = spawnpool.class("Cube", { fields = { kept = false } })
    local inside
    function Cube:recycle(o)
      if o.kept then return end
      inside = { pools:recycle(o) }
      return Cube.super.recycle(self, o)
    end
    local o <const>, kept <const> = pools:alloc "Cube", pools:alloc("Cube", 0, { kept = true })
    spec.equal({ { pools:recycle(o) }, inside }, { { true }, { false, "dying" } })
    spec.equal({ { pools:recycle(o) }, { pools:recycle(kept) }, { pools:recycle(others:alloc "Cube") } },
      { { false, "stale" }, { false, "vetoed" }, { false, "foreign" } })
    local s <const> = pools:stats "Cube"
    spec.equal({ s.recycles, s.vetoed, s.double_recycles, s.live }, { 1, 1, 2, 1 })
    kit.check(pools, "Cube")
  end)

  spec.test("R7 a negative lifetime prewarms quietly, again and again, to a stated count, over frames", function()
    local pools <const> = kit.new()
    spawnpool.class("Cube", { prealloc = 2, grow = 1 })
    spawnpool.class("Ball", { grow = 4 })
    spec.equal(kit.warnings(function()
      for _ = 1, 2 do
        spec.equal({ pools:alloc("Cube", -1) }, { nil, "prewarmed" })
        spec.equal({ pools:alloc("Ball", -0.5) }, { nil, "prewarmed" })
      end
    end), {})
    spec.equal({ pools:pool("Cube").idle, pools:pool("Ball").idle, pools:stats().allocs }, { 2, 4, 0 })
    spec.equal({ pools:pool("Cube"):prewarm(6), pools:pool("Cube"):prewarm(6) }, { 4, 0 })
    pools:pool("Ball"):prewarm(10, { per_frame = 2, delay = STEP })
    local seen <const> = {}
    for i = 1, 5 do
      kit.tick(pools)
      seen[i] = pools:pool("Ball").idle
    end
    spec.equal(seen, { 4, 6, 8, 10, 10 })
  end)

  spec.test("R8 recycle_all, clear, remove and close say what becomes of live objects, and how many", function()
    local pools <const> = kit.new { misuse = "ignore" }
    local add <const>, log <const> = kit.log()
    spawnpool.class("Cube", { grow = 1, on_despawn = function(_, o, why) add(o.id, why) end })
    local a <const>, b <const>, c <const> = pools:alloc "Cube", pools:alloc "Cube", pools:alloc "Cube"
    spec.equal({ a:recycle(), pools:clear(), b.alive, c.alive }, { true, 1, true, true })
    spec.equal({ pools:recycle_all(), b.alive, pools:pool("Cube").idle }, { 2, false, 2 })
    local d <const> = pools:alloc "Cube"
    spec.equal({ pools:remove "Cube" }, { 1, 2 })
    spec.equal({ d.alive, pools:recycle(d) }, { false, false, "stale" })
    local e <const> = pools:alloc "Cube"
    spec.equal({ pools:close() }, { 1, 1 })
    spec.equal({ e.alive, log() }, { false, "1 recycled, 2 cleared, 3 cleared, 2 removed, 1 removed" })
  end)

  spec.test("R9 hooks may alloc and recycle anything, in walks too, and an error leaves every count right", function()
    local pools <const> = kit.new { misuse = "ignore" }
    local Cube <const> = spawnpool.class("Cube", { prealloc = 6, grow = 1 })
    local out <const> = alloc_many(pools, "Cube", 6)
    local raised, spawned, visited = 0, 0, {}
    function Cube:on_spawn(o)
      spawned = spawned + 1
      if o.id > 8 then error "no more" end
    end
    function Cube:on_despawn(o)
      if o.id % 2 == 1 and out[o.id + 1] and out[o.id + 1].alive then out[o.id + 1]:recycle() end
      pcall(pools.alloc, pools, "Cube")
      raised = raised + 1
      error("despawn " .. o.id)
    end
    for o in pools:each() do
      visited[#visited + 1] = o.id
      spec.equal({ o:recycle(), o.alive }, { true, false })
    end
    -- Each odd one takes the even one after it along, and each of the six tries to spawn another.
    spec.equal({ visited, raised, spawned }, { { 1, 3, 5 }, 6, 6 })
    local s <const> = pools:stats "Cube"
    spec.equal({ s.live, s.idle, s.allocs, s.recycles }, { 6, 1, 12, 6 })
    kit.check(pools, "Cube")
    Cube.on_despawn = nil
    spec.expect_error("no more", function() alloc_many(pools, "Cube", 4) end)
    kit.check(pools, "Cube")
    spec.equal({ pools:recycle_all(), pools:pool("Cube").idle }, { 8, 9 })
  end)

  spec.test("R10 an unknown type is told with the nearest name; whether a pool is made is a choice", function()
    local pools <const>, strict <const> = kit.new { unknown = "generic" }, kit.new { unknown = "error" }
    spawnpool.class "Bullet"
    local said <const> = kit.warnings(function() spec.equal(pools:alloc("Bulet").type, "Bulet") end)
    spec.equal({ #said, said[1]:match "did you mean '(%w+)'" }, { 1, "Bullet" })
    kit.blames("unknown type 'Bulet'.*did you mean 'Bullet'", function() strict:alloc "Bulet" end)
    kit.blames("unknown type 'Bulet'", function() strict:pool "Bulet" end)
    spec.equal({ strict:stats("Bulet").total, strict:alloc("Bullet").type }, { 0, "Bullet" })
  end)

  spec.test("R11 search against queue against ours: warmed up, several sizes, medians, all guarding double return",
    function()
      spawnpool.class "Cube"
      spec.equal({ median { 3, 1, 2 }, median { 4, 1, 3, 2 } }, { 2, 2.5 })
      local rounds <const>, times <const> = 2, 3
      for _, count in ipairs { 10, 50, 100 } do
        local search <const>, queue <const>, ours <const> =
          searching_pool(count), queueing_pool(count), our_pool(count)
        for _, pool in ipairs { search, queue, ours } do
          local seconds <const>, objects <const> = measure(pool, count, rounds, times)
          spec.equal({ seconds >= 0, #objects }, { true, count })
          for _, o in ipairs(objects) do spec.equal(pool.give(o), false) end
        end
        -- What a search looks at grows with the square; a queue looks at one each; ours made and lost nothing.
        local all <const> = rounds * times + 1
        spec.equal(search.looked, all * count * (count + 1) // 2)
        spec.equal(queue.looked, all * count)
        local s <const> = ours.stats()
        spec.equal({ s.allocs, s.recycles, s.created, s.peak, s.double_recycles },
          { all * count, all * count, count, count, count })
      end
    end)
end)
