-- limit, idle_limit, grow, prealloc and every overflow policy, at 0, 1 and around the cap.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

local function alloc_many(pools, type, count)
  local objects <const> = {}
  for i = 1, count do objects[i] = pools:alloc(type) end
  return objects
end

local function first_of(pool)
  local next <const>, state <const> = pool:each()
  return next(state, nil)
end

spec.describe("limit", function()
  spec.test("counts live objects: cap - 1 and cap come, cap + 1 is full", function()
    for _, cap in ipairs { 0, 1, 2, 7, 32, 33, 300 } do
      local pools <const> = kit.new()
      spawnpool.class("Cube", { limit = cap })
      local objects <const> = alloc_many(pools, "Cube", cap)
      spec.equal({ #objects, pools:pool("Cube").live }, { cap, cap })
      spec.equal({ pools:alloc "Cube" }, { nil, "full" })
      spec.equal({ pools:pool("Cube"):alloc(1) }, { nil, "full" })
      spec.equal({ pools:alloc("Cube", 0, {}) }, { nil, "full" })
      spec.equal(pools:stats("Cube").refused, 3)
      if cap > 0 then
        pools:recycle(objects[cap])
        spec.equal(pools:alloc("Cube") ~= nil, true)
        spec.equal({ pools:alloc "Cube" }, { nil, "full" })
      end
      kit.check(pools, "Cube")
      pools:close()
    end
  end)

  spec.test("is none by default", function()
    local pools <const> = kit.new()
    spawnpool.class "Cube"
    local pool <const> = pools:pool "Cube"
    spec.equal({ pool.limit, pool.idle_limit, pool.grow, pool.overflow, pool.total }, { nil, nil, 32, "refuse", 0 })
    spec.equal(#alloc_many(pools, "Cube", 1000), 1000)
  end)

  spec.test("is none when the class says math.huge, below a parent with one", function()
    local pools <const> = kit.new()
    spawnpool.class("Base", { limit = 2, idle_limit = 2 })
    spawnpool.class("Cube", { extends = "Base", limit = math.huge, idle_limit = math.huge })
    local pool <const> = pools:pool "Cube"
    spec.equal({ pool.limit, pool.idle_limit }, { nil, nil })
    spec.equal(pools:pool("Base").limit, 2)
  end)

  spec.test("never makes more objects than it lets live", function()
    local pools <const> = kit.new()
    spawnpool.class("Cube", { limit = 5, grow = 32 })
    pools:alloc "Cube"
    spec.equal(pools:pool("Cube").total, 5)
    spawnpool.class("Ball", { limit = 5, prealloc = 10 })
    spec.equal(pools:pool("Ball").total, 5)
    spec.equal(pools:pool("Ball"):prewarm(10), 0)
  end)

  spec.test("acts at once when it is raised", function()
    local pools <const> = kit.new()
    spawnpool.class("Cube", { limit = 1 })
    local pool <const> = pools:pool "Cube"
    pools:alloc "Cube"
    spec.equal({ pools:alloc "Cube" }, { nil, "full" })
    pool.limit = 2
    spec.equal(pools:alloc("Cube").alive, true)
    spec.equal({ pools:alloc "Cube" }, { nil, "full" })
    pool.limit = math.huge
    spec.equal({ pool.limit, #alloc_many(pools, "Cube", 50) }, { nil, 50 })
    pool.limit = nil
    spec.equal({ pool.limit, #alloc_many(pools, "Cube", 50) }, { nil, 50 })
    kit.check(pools, "Cube")
  end)

  spec.test("kills nothing when it is lowered, and takes the surplus back as it comes", function()
    local pools <const> = kit.new()
    spawnpool.class "Cube"
    local pool <const> = pools:pool "Cube"
    local objects <const> = alloc_many(pools, "Cube", 5)
    pool.limit = 2
    for i = 1, 5 do spec.equal(objects[i].alive, true) end
    for i = 1, 3 do
      spec.equal({ pools:alloc "Cube" }, { nil, "full" })
      pools:recycle(objects[i])
    end
    spec.equal({ pools:alloc "Cube" }, { nil, "full" })
    pools:recycle(objects[4])
    spec.equal(pools:alloc("Cube").alive, true)
    spec.equal(pool.live, 2)
    kit.check(pools, "Cube")
  end)

  spec.test("follows the class when its setting changes", function()
    local pools <const> = kit.new()
    local Cube <const> = spawnpool.class("Cube", { limit = 1 })
    local pool <const> = pools:pool "Cube"
    Cube.limit = 3
    spec.equal(pool.limit, 3)
    spec.equal(#alloc_many(pools, "Cube", 4), 3)
    Cube.limit = nil
    spec.equal(pool.limit, nil)
  end)

  spec.test("set on the pool stays when the class changes in something else", function()
    local pools <const> = kit.new()
    local Cube <const> = spawnpool.class("Cube", { limit = 8, idle_limit = 8, grow = 8 })
    local pool <const> = pools:pool "Cube"
    pool.limit, pool.idle_limit, pool.grow, pool.overflow = 2, 3, 4, "oldest"
    Cube.radius = 5
    function Cube:on_spawn() end
    spec.equal({ pool.limit, pool.idle_limit, pool.grow, pool.overflow }, { 2, 3, 4, "oldest" })
    Cube.limit, Cube.idle_limit, Cube.grow, Cube.overflow = 5, 6, 7, "grow"
    spec.equal({ pool.limit, pool.idle_limit, pool.grow, pool.overflow }, { 5, 6, 7, "grow" })
  end)
end)

spec.describe("overflow", function()
  spec.test("refuse: says full and runs no hook", function()
    local pools <const> = kit.new()
    local add <const>, log <const> = kit.log()
    spawnpool.class("Cube", kit.hooks(add, { limit = 1, grow = 1, overflow = "refuse" }))
    pools:alloc "Cube"
    log()
    spec.equal({ pools:alloc "Cube" }, { nil, "full" })
    spec.equal(log(), "")
  end)

  spec.test("oldest: recycles the one that lives longest", function()
    local pools <const> = kit.new()
    local add <const>, log <const> = kit.log()
    spawnpool.class("Cube", kit.hooks(add, { limit = 3, grow = 1, overflow = "oldest" }))
    local objects <const> = alloc_many(pools, "Cube", 3)
    pools:recycle(objects[1])
    objects[1] = pools:alloc "Cube" -- the youngest now
    log()
    local fourth <const> = pools:alloc "Cube"
    spec.equal(log(), "despawn 2 evicted, spawn 2 reused")
    spec.equal({ objects[1].alive, objects[2].alive, objects[3].alive, fourth.alive }, { true, false, true, true })
    local s <const> = pools:stats "Cube"
    spec.equal({ s.live, s.evicted, s.recycles, s.refused, s.peak }, { 3, 1, 2, 0, 3 })
    kit.check(pools, "Cube")
  end)

  spec.test("oldest: passes over pinned objects, and is full when all are", function()
    local pools <const> = kit.new()
    spawnpool.class("Cube", { limit = 2, overflow = "oldest" })
    local a <const>, b <const> = pools:alloc "Cube", pools:alloc "Cube"
    a.pinned = true
    local c <const> = pools:alloc "Cube"
    spec.equal({ a.alive, b.alive, c.alive }, { true, false, true })
    c.pinned = true
    spec.equal({ pools:alloc "Cube" }, { nil, "full" })
    a.pinned = false
    spec.equal(pools:alloc("Cube").alive, true)
    spec.equal(a.alive, false)
  end)

  spec.test("oldest: passes over an object whose override vetoes", function()
    local pools <const> = kit.new()
    local Cube <const> = spawnpool.class("Cube", { limit = 2, overflow = "oldest", fields = { holy = false } })
    function Cube:recycle(o)
      if not o.holy then return Cube.super.recycle(self, o) end
    end
    local a <const>, b <const> = pools:alloc("Cube", 0, { holy = true }), pools:alloc "Cube"
    spec.equal(pools:alloc("Cube", 0, { holy = true }).alive, true)
    spec.equal({ a.alive, b.alive }, { true, false })
    spec.equal({ pools:alloc "Cube" }, { nil, "full" })
    kit.check(pools, "Cube")
  end)

  spec.test("oldest: is full at limit 0, and with one place works for ever", function()
    local pools <const> = kit.new()
    spawnpool.class("None", { limit = 0, overflow = "oldest" })
    spec.equal({ pools:alloc "None" }, { nil, "full" })
    spawnpool.class("One", { limit = 1, overflow = "oldest" })
    local last
    for _ = 1, 200 do last = pools:alloc "One" end
    spec.equal({ last.alive, pools:pool("One").live, pools:stats("One").evicted }, { true, 1, 199 })
    kit.check(pools, "None", "One")
  end)

  spec.test("oldest: can be chosen while objects live", function()
    local pools <const> = kit.new()
    spawnpool.class("Cube", { limit = 3 })
    local objects <const> = alloc_many(pools, "Cube", 3)
    pools:recycle(objects[1])
    objects[1] = pools:alloc "Cube"
    pools:pool("Cube").overflow = "oldest"
    pools:alloc "Cube"
    spec.equal({ objects[1].alive, objects[2].alive, objects[3].alive }, { true, false, true })
  end)

  spec.test("grow: goes over the limit, and destroys the surplus when it comes back", function()
    local pools <const> = kit.new()
    local add <const>, log <const> = kit.log()
    spawnpool.class("Cube", kit.hooks(add, { limit = 2, grow = 8, overflow = "grow" }))
    local objects <const> = alloc_many(pools, "Cube", 4)
    spec.equal({ #objects, pools:pool("Cube").total }, { 4, 4 })
    log()
    for i = 1, 4 do pools:recycle(objects[i]) end
    spec.equal(log(),
      "despawn 1 recycled, destroy 1, despawn 2 recycled, destroy 2, despawn 3 recycled, despawn 4 recycled")
    spec.equal({ pools:pool("Cube").total, pools:pool("Cube").idle }, { 2, 2 })
    kit.check(pools, "Cube")
  end)

  spec.test("grow: works at limit 0, and keeps nothing", function()
    local pools <const> = kit.new()
    spawnpool.class("Cube", { limit = 0, overflow = "grow" })
    local o <const> = pools:alloc "Cube"
    spec.equal(o.alive, true)
    pools:recycle(o)
    spec.equal(pools:pool("Cube").total, 0)
    kit.check(pools, "Cube")
  end)

  spec.test("error: raises at the caller's line", function()
    local pools <const> = kit.new()
    spawnpool.class("Cube", { limit = 1, overflow = "error" })
    pools:alloc "Cube"
    kit.blames("pool 'Cube' is full %(limit 1%)", function() pools:alloc "Cube" end)
    kit.blames("pool 'Cube' is full %(limit 1%)", function() pools:pool("Cube"):alloc() end)
    spec.equal(pools:stats("Cube").refused, 2)
    kit.check(pools, "Cube")
  end)

  spec.test("function: recycles the victim that it names", function()
    local pools <const> = kit.new()
    local asked
    local objects
    spawnpool.class("Cube", {
      limit = 2,
      overflow = function(pool)
        asked = pool
        return objects[2]
      end,
    })
    objects = alloc_many(pools, "Cube", 2)
    local third <const> = pools:alloc "Cube"
    spec.equal({ objects[1].alive, objects[2].alive, third.alive }, { true, false, true })
    spec.equal(asked == pools:pool "Cube", true)
    spec.equal(pools:stats("Cube").evicted, 1)
  end)

  spec.test("function: is full when it names nothing that helps", function()
    local pools <const>, others <const> = kit.new(), kit.new()
    local victim
    spawnpool.class("Cube", { limit = 1, overflow = function() return victim end })
    spawnpool.class "Ball"
    local stale <const> = pools:alloc "Cube"
    pools:recycle(stale)
    local kept <const> = pools:alloc "Cube"
    local wrong <const> = { false, stale, pools:alloc "Ball", others:alloc "Cube", "Cube", 3, {}, pools }
    for i, value in ipairs(wrong) do
      victim = value
      spec.equal({ pools:alloc "Cube" }, { nil, "full" }, "victim " .. i)
    end
    victim = nil
    spec.equal({ pools:alloc "Cube" }, { nil, "full" })
    spec.equal({ kept.alive, wrong[3].alive, wrong[4].alive }, { true, true, true })
    kit.check(pools, "Cube", "Ball")
  end)

  spec.test("function: may recycle the victim itself, or raise the limit", function()
    local pools <const> = kit.new()
    spawnpool.class("Cube", { limit = 2, overflow = function(pool) pool:recycle(first_of(pool)) end })
    alloc_many(pools, "Cube", 2)
    local pool <const> = pools:pool "Cube"
    spec.equal({ pools:alloc("Cube").alive, pool.live }, { true, 2 })
    pool.overflow = function(self) self.limit = self.limit + 1 end
    spec.equal({ pools:alloc("Cube").alive, pool.live, pool.limit }, { true, 3, 3 })
    kit.check(pools, "Cube")
  end)

  spec.test("can be changed on the pool, and reads as it was set", function()
    local pools <const> = kit.new()
    spawnpool.class("Cube", { limit = 1 })
    local pool <const> = pools:pool "Cube"
    local function victim() return nil end
    for _, policy in ipairs { "oldest", "grow", "error", "refuse", victim, "oldest" } do
      pool.overflow = policy
      spec.equal(pool.overflow, policy)
    end
  end)

  spec.test("changes with the class while the pool exists", function()
    local pools <const> = kit.new()
    local Cube <const> = spawnpool.class("Cube", { limit = 1 })
    local first <const> = pools:alloc "Cube"
    Cube.overflow = "oldest"
    spec.equal({ pools:pool("Cube").overflow, pools:alloc("Cube").alive, first.alive }, { "oldest", true, false })
    Cube.overflow = first_of
    spec.equal({ type(pools:pool("Cube").overflow), pools:alloc("Cube").alive }, { "function", true })
    Cube.overflow = "refuse"
    spec.equal({ pools:alloc "Cube" }, { nil, "full" })
  end)

  spec.test("set on the pool stays when the class gets another function", function()
    local pools <const> = kit.new()
    local Cube <const> = spawnpool.class("Cube", { limit = 1 })
    local pool <const> = pools:pool "Cube"
    local first <const> = pools:alloc "Cube"
    local function victim() return first end
    pool.overflow = victim
    function Cube:on_spawn() end
    spec.equal(pool.overflow, victim)
    spec.equal({ pools:alloc("Cube").alive, first.alive }, { true, false })
  end)
end)

spec.describe("idle_limit", function()
  spec.test("keeps so many idle ones, and shows on_reject what it refuses", function()
    for _, cap in ipairs { 0, 1, 2, 4 } do
      local pools <const> = kit.new()
      local add <const>, log <const> = kit.log()
      local Cube <const> = spawnpool.class("Cube", { idle_limit = cap, grow = 1 })
      function Cube:on_reject(o) add("reject", o.id, o.alive, self.idle) end
      function Cube:on_destroy(o) add("destroy", o.id) end
      local objects <const> = alloc_many(pools, "Cube", cap + 1)
      for i = 1, cap do pools:recycle(objects[i]) end
      spec.equal({ log(), pools:pool("Cube").idle }, { "", cap })
      pools:recycle(objects[cap + 1])
      spec.equal(log(), ("reject %d false %d, destroy %d"):format(cap + 1, cap, cap + 1))
      spec.equal({ pools:pool("Cube").idle, pools:pool("Cube").live }, { cap, 0 })
      kit.check(pools, "Cube")
      pools:close()
    end
  end)

  spec.test("bounds what is made ahead, yet never an alloc", function()
    local pools <const> = kit.new()
    spawnpool.class("Cube", { idle_limit = 0, grow = 8, prealloc = 8 })
    spec.equal(pools:pool("Cube").total, 0)
    spec.equal(#alloc_many(pools, "Cube", 5), 5)
    spec.equal(pools:pool("Cube"):prewarm(3), 0)
    spec.equal({ pools:pool("Cube").live, pools:pool("Cube").idle }, { 5, 0 })
    kit.check(pools, "Cube")
  end)

  spec.test("acts at once when it changes", function()
    local pools <const> = kit.new()
    spawnpool.class("Cube", { prealloc = 10 })
    local pool <const> = pools:pool "Cube"
    pool.idle_limit = 4
    spec.equal(pool.idle, 4)
    pool.idle_limit = 0
    spec.equal(pool.idle, 0)
    local o <const> = pools:alloc "Cube"
    pool.idle_limit = nil
    pools:recycle(o)
    spec.equal(pool.idle, 1)
    kit.check(pools, "Cube")
  end)

  spec.test("lets on_reject spawn and recycle", function()
    local pools <const> = kit.new()
    local Cube <const> = spawnpool.class("Cube", { idle_limit = 0, grow = 1 })
    spawnpool.class "Ball"
    local ball
    function Cube:on_reject() ball = pools:alloc "Ball" end
    pools:recycle(pools:alloc "Cube")
    spec.equal({ ball.alive, pools:pool("Cube").total }, { true, 0 })
    kit.check(pools, "Cube", "Ball")
  end)
end)

spec.describe("grow and prealloc", function()
  spec.test("grow makes so many when none is idle", function()
    for _, grow in ipairs { 1, 2, 5 } do
      local pools <const> = kit.new()
      spawnpool.class("Cube", { grow = grow })
      local pool <const> = pools:pool "Cube"
      spec.equal(pool.total, 0)
      for i = 1, 11 do
        pools:alloc "Cube"
        spec.equal(pool.total, (i + grow - 1) // grow * grow)
      end
      pools:close()
    end
  end)

  spec.test("grow can change", function()
    local pools <const> = kit.new()
    spawnpool.class("Cube", { grow = 1 })
    local pool <const> = pools:pool "Cube"
    pools:alloc "Cube"
    pool.grow = 10
    pools:alloc "Cube"
    spec.equal({ pool.total, pool.grow }, { 11, 10 })
  end)

  spec.test("prealloc makes them up front, through on_create alone", function()
    local pools <const> = kit.new()
    local add <const>, log <const> = kit.log()
    spawnpool.class("Cube", kit.hooks(add, { prealloc = 3 }))
    local pool <const> = pools:pool "Cube"
    spec.equal(log(), "create 1, create 2, create 3")
    spec.equal({ pool.idle, pool.live, pool:stats().allocs }, { 3, 0, 0 })
  end)

  spec.test("a changed limit makes and destroys nothing, and trim still keeps prealloc", function()
    local pools <const> = kit.new()
    spawnpool.class("Cube", { prealloc = 5, grow = 1 })
    local pool <const> = pools:pool "Cube"
    pool:prewarm(9)
    pool.limit = 100
    pool.grow = 2
    spec.equal(pool.idle, 9)
    spec.equal({ pool:trim(), pool.idle }, { 4, 5 })
    spec.equal({ pool:clear(), pool.idle }, { 5, 0 })
    pool.limit = 50
    spec.equal(pool.idle, 0)
  end)
end)
