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
end)

spec.describe("overflow", function()
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
end)

kit.test("idle_limit: acts at once when it changes", { prealloc = 10 }, function(pools)
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
