-- limit, idle_limit, grow, prealloc and every overflow policy, set in the class and on the pool.
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

  kit.test("is none by default", {}, function(pools)
    local pool <const> = pools:pool "Cube"
    spec.equal({ pool.limit, pool.idle_limit, pool.grow, pool.overflow, pool.total }, { nil, nil, 32, "refuse", 0 })
    spec.equal(#alloc_many(pools, "Cube", 1000), 1000)
  end)

  kit.test("is none when the class says math.huge, below a parent with one", function(pools)
    spawnpool.class("Base", { limit = 2, idle_limit = 2 })
    spawnpool.class("Cube", { extends = "Base", limit = math.huge, idle_limit = math.huge })
    local pool <const> = pools:pool "Cube"
    spec.equal({ pool.limit, pool.idle_limit }, { nil, nil })
    spec.equal(pools:pool("Base").limit, 2)
  end)

  kit.test("acts at once when it is raised", { limit = 1 }, function(pools)
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
  end)

  kit.test("follows the class when its setting changes", { limit = 1 }, function(pools, Cube)
    local pool <const> = pools:pool "Cube"
    Cube.limit = 3
    spec.equal(pool.limit, 3)
    spec.equal(#alloc_many(pools, "Cube", 4), 3)
    Cube.limit = nil
    spec.equal(pool.limit, nil)
  end)

  kit.test("set on the pool stays when the class changes in something else",
    { limit = 8, idle_limit = 8, grow = 8 }, function(pools, Cube)
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
  kit.test("oldest: recycles the one that lives longest", function(pools)
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
  end)

  kit.test("grow: goes over the limit, and destroys the surplus when it comes back", function(pools)
    local add <const>, log <const> = kit.log()
    spawnpool.class("Cube", kit.hooks(add, { limit = 2, grow = 8, overflow = "grow" }))
    local objects <const> = alloc_many(pools, "Cube", 4)
    spec.equal({ #objects, pools:pool("Cube").total }, { 4, 4 })
    log()
    for i = 1, 4 do pools:recycle(objects[i]) end
    spec.equal(log(),
      "despawn 1 recycled, destroy 1, despawn 2 recycled, destroy 2, despawn 3 recycled, despawn 4 recycled")
    spec.equal({ pools:pool("Cube").total, pools:pool("Cube").idle }, { 2, 2 })
  end)

  kit.test("error: raises at the caller's line", { limit = 1, overflow = "error" }, function(pools)
    pools:alloc "Cube"
    kit.blames("pool 'Cube' is full %(limit 1%)", function() pools:alloc "Cube" end)
    kit.blames("pool 'Cube' is full %(limit 1%)", function() pools:pool("Cube"):alloc() end)
    spec.equal(pools:stats("Cube").refused, 2)
  end)

  kit.test("can be changed on the pool, and reads as it was set", { limit = 1 }, function(pools)
    local pool <const> = pools:pool "Cube"
    local function victim() return nil end
    for _, policy in ipairs { "oldest", "grow", "error", "refuse", victim, "oldest" } do
      pool.overflow = policy
      spec.equal(pool.overflow, policy)
    end
  end)

  kit.test("changes with the class while the pool exists", { limit = 1 }, function(pools, Cube)
    local first <const> = pools:alloc "Cube"
    Cube.overflow = "oldest"
    spec.equal({ pools:pool("Cube").overflow, pools:alloc("Cube").alive, first.alive }, { "oldest", true, false })
    Cube.overflow = first_of
    spec.equal({ type(pools:pool("Cube").overflow), pools:alloc("Cube").alive }, { "function", true })
    Cube.overflow = "refuse"
    spec.equal({ pools:alloc "Cube" }, { nil, "full" })
  end)

  kit.test("set on the pool stays when the class gets another function", { limit = 1 }, function(pools, Cube)
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
  kit.test("acts at once when it changes", { prealloc = 10 }, function(pools)
    local pool <const> = pools:pool "Cube"
    pool.idle_limit = 4
    spec.equal(pool.idle, 4)
    pool.idle_limit = 0
    spec.equal(pool.idle, 0)
    local o <const> = pools:alloc "Cube"
    pool.idle_limit = nil
    pools:recycle(o)
    spec.equal(pool.idle, 1)
  end)
end)

spec.describe("grow and prealloc", function()
  kit.test("grow can change", { grow = 1 }, function(pools)
    local pool <const> = pools:pool "Cube"
    pools:alloc "Cube"
    pool.grow = 10
    pools:alloc "Cube"
    spec.equal({ pool.total, pool.grow }, { 11, 10 })
  end)

  kit.test("prealloc makes them up front, through on_create alone", function(pools)
    local add <const>, log <const> = kit.log()
    spawnpool.class("Cube", kit.hooks(add, { prealloc = 3 }))
    local pool <const> = pools:pool "Cube"
    spec.equal(log(), "create 1, create 2, create 3")
    spec.equal({ pool.idle, pool.live, pool:stats().allocs }, { 3, 0, 0 })
  end)

  kit.test("a changed limit makes and destroys nothing, and trim still keeps prealloc",
    { prealloc = 5, grow = 1 }, function(pools)
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
