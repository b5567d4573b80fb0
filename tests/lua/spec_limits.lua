-- limit, idle_limit and overflow, set in the class and on the pool. What they do the models compare.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

local function first_of(pool)
  local next <const>, state <const> = pool:each()
  return next(state, nil)
end

kit.test("limit: is none when the class says math.huge, below a parent with one", function(pools)
  spawnpool.class("Base", { limit = 2, idle_limit = 2 })
  spawnpool.class("Cube", { extends = "Base", limit = math.huge, idle_limit = math.huge })
  local pool <const> = pools:pool "Cube"
  spec.equal({ pool.limit, pool.idle_limit }, { nil, nil })
  spec.equal(pools:pool("Base").limit, 2)
  for _, none in ipairs { math.huge, "nil" } do
    pool.limit, pool.idle_limit = 0, 0
    spec.equal({ pool.limit, pool.idle_limit, pools:alloc "Cube" }, { 0, 0, nil, "full" })
    local value <const> = none ~= "nil" and none or nil
    pool.limit, pool.idle_limit = value, value
    spec.equal({ pool.limit, pool.idle_limit, pools:alloc("Cube").alive }, { nil, nil, true })
  end
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
