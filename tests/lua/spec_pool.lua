-- Pools: their fields and settings, limits and overflow, prewarm, clear, statistics, and the answers of a removed pool.
-- The models compare limits.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

local function progress(pool)
  local p <const> = pool:stats().prewarm
  return { p.done, p.wanted }
end

local function open(definition)
  local pools <const> = kit.new()
  spawnpool.class("Cube", definition)
  return pools, pools:pool "Cube"
end

spec.describe("a pool", function()
  spec.test("is made on first use, once", function()
    local pools <const>, pool <const> = open()
    pools:alloc "Cube"
    spec.equal({ pools:pool "Cube" == pool, pool:alloc().pool == pool }, { true, true })
    spec.equal({ pool.type, tostring(pool) }, { "Cube", "pool of Cube (2 live, 30 idle)" })
  end)

  spec.test("takes settings", function()
    local _, pool <const> = open()
    spec.equal({ pool.limit, pool.idle_limit, pool.grow, pool.overflow }, { nil, nil, 32, "refuse" })
    pool.limit, pool.idle_limit, pool.grow = 1 << 24, 0, 1 << 24
    spec.equal({ pool.limit, pool.idle_limit, pool.grow }, { 1 << 24, 0, 1 << 24 })
  end)

  spec.test("gives nil for what neither it nor its class knows", function()
    local _, pool <const> = open()
    spec.equal({ pool.nothing, pool[1], pool[true] }, {})
  end)

  spec.test("reuses the longest idle object first, or the one that came back last", function()
    for order, first in pairs { fifo = 1, lifo = 3 } do
      local pools <const>, pool <const> = open { order = order, prealloc = 3 }
      local objects <const> = { pool:alloc(), pool:alloc(), pool:alloc() }
      local id <const> = objects[first].id
      for _, o in ipairs(objects) do o:recycle() end
      spec.equal({ order, pool:alloc().id }, { order, id })
      pools:close()
    end
  end)
end)

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
  kit.test("reads as it was set, on the pool or in the class", { limit = 1 }, function(pools, Cube)
    local pool <const>, first <const> = pools:pool "Cube", pools:alloc "Cube"
    for _, policy in ipairs { "oldest", "grow", "error", "refuse", function() return nil end, "oldest" } do
      pool.overflow = policy
      spec.equal(pool.overflow, policy)
    end
    pool.overflow = "error"
    kit.refuses({ pools = pools, pool = pool }, {
      { "pools:alloc 'Cube'", "pool 'Cube' is full (limit 1)" }, { "pool:alloc()", "pool 'Cube' is full (limit 1)" },
    })
    Cube.overflow = function() return first end
    spec.equal({ type(pool.overflow), pools:alloc("Cube").alive, first.alive }, { "function", true, false })
    spec.equal(pools:stats("Cube").refused, 2)
  end)

  kit.test("by a function that gives no victim refuses, with a report of its error", { limit = 1 }, function(pools)
    local others <const>, pool <const> = kit.new(), pools:pool "Cube"
    spawnpool.class "Ball"
    local dead <const>, ball <const>, far <const> = pools:alloc "Ball", pools:alloc "Ball", others:alloc "Ball"
    dead:recycle()
    pools:alloc "Cube"
    for _, bad in ipairs { dead, far, ball, 5, "Cube#1", {}, true, io.stdout, spec.light(0), "nil" } do
      pool.overflow = function(self)
        spec.equal(self, pool)
        return bad ~= "nil" and bad or nil
      end
      spec.equal({ pools:alloc "Cube" }, { nil, "full" })
    end
    spec.equal({ ball.alive, far.alive, pool.live }, { true, true, 1 })
    pool.overflow = function() error "no victim" end
    local said <const> = spec.hear(function() spec.equal({ pools:alloc "Cube" }, { nil, "full" }) end)
    spec.equal(said:find "Cube.overflow: .*no victim" ~= nil, true)
  end)

  kit.test("by a function that acts", { limit = 2, grow = 1 }, function(pools, Cube)
    local pool <const>, a <const> = pools:pool "Cube", pools:alloc "Cube"
    pools:alloc "Cube"
    pool.overflow = function() a:recycle() end -- makes the room itself
    spec.equal(pools:alloc("Cube").alive, true)
    pool.overflow = function() pool.limit = 3 end
    spec.equal({ pools:alloc("Cube").alive, pool.live }, { true, 3 })
    local depth = 0
    pool.overflow = function()
      depth = depth + 1
      local inner <const> = depth < 5 and pools:alloc "Cube"
      depth = depth - 1
      return inner or nil
    end
    spec.equal({ pools:alloc "Cube" }, { nil, "full" })
    function Cube:recycle() end -- a veto
    pool.overflow = function(self)
      local next <const>, state <const> = self:each()
      return next(state)
    end
    spec.equal({ pools:alloc "Cube" }, { nil, "full" })
    Cube.recycle = nil
    spec.equal(pools:alloc("Cube").alive, true)
  end)
end)

spec.describe("prewarm", function()
  kit.test("runs on_create and no other hook", function(pools)
    local add <const>, log <const> = kit.log()
    spawnpool.class("Cube", kit.hooks(add, { grow = 1 }))
    local pool <const> = pools:pool "Cube"
    pool:prewarm(3, { per_frame = 2 })
    kit.tick(pools, 1)
    spec.equal(log(), "create 1, create 2")
    spec.equal(progress(pool), { 2, 3 })
    kit.tick(pools, 1)
    spec.equal(log(), "create 3")
  end)

  kit.test("with a delay begins in the update in which that passes", {}, function(pools)
    local pool <const> = pools:pool "Cube"
    pool:prewarm(10, { per_frame = 6, delay = 0.5 })
    for _ = 1, 29 do pools:update(1 / 60) end
    spec.equal(pool.total, 0)
    pools:update(1 / 60)
    spec.equal(pool.total, 6)
    pool:prewarm(20, { delay = 1 })
    pools:update(1.5)
    spec.equal(pool.total, 20)
  end)

  kit.test("and a refused alloc keep idle_limit, whatever on_create does", { idle_limit = 3 }, function(pools, Cube)
    local pool <const> = pools:pool "Cube"
    function Cube:on_create() self.idle_limit = 0 end
    pool:prewarm(2)
    spec.equal(pool.idle, 0)
    pool.limit = 1
    function Cube:on_create()
      Cube.on_create = nil
      pools:alloc "Cube"
    end
    spec.equal({ pools:alloc "Cube" }, { nil, "full" })
    spec.equal({ pool.live, pool.idle, pool.idle_limit }, { 1, 0, 0 })
  end)
end)

spec.test("trim and clear: let hooks refill the pool without end", function()
  local pools <const>, pool <const> = open { prealloc = 4 }
  function pool.class:on_destroy() self:alloc(-1) end
  spec.equal(pool:clear() >= 4, true)
  pool.class.on_destroy = nil
  kit.check(pools, "Cube")
end)

spec.describe("statistics", function()
  local MEMBERS <const> = {
    "live", "idle", "total", "peak", "peak_time", "allocs", "recycles", "expired", "refused", "evicted", "vetoed",
    "stale_uses", "double_recycles", "created", "destroyed",
  }

  spec.test("have every member, all 0 at first", function()
    local pools <const>, pool <const> = open()
    for _, s in ipairs { pool:stats(), pools:stats "Cube", pools:stats "Nothing", kit.new():stats() } do
      for _, name in ipairs(MEMBERS) do spec.equal(s[name], name == "peak_time" and 0.0 or 0, name) end
    end
  end)

  spec.test("count one life of each kind", function()
    local pools <const>, pool <const> = open { limit = 3, overflow = "oldest", grow = 1 }
    local a <const> = pool:alloc()
    pool:alloc(kit.STEP)
    a:recycle()
    kit.warnings(function() a:recycle() end)
    pcall(function() return a.x end)
    kit.tick(pools, 2)
    pool.overflow, pool.limit = "refuse", 0
    pool:alloc()
    pool.overflow, pool.limit = "oldest", 1
    pool:alloc()
    pool:alloc()
    function pool.class:recycle() end
    pool:recycle_all()
    pool:clear()
    local s <const> = pool:stats()
    local got <const> = {}
    for _, name in ipairs(MEMBERS) do got[#got + 1] = ("%s=%g"):format(name, s[name]) end
    spec.equal(table.concat(got, " "), "live=1 idle=0 total=1 peak=2 peak_time=0 allocs=4 recycles=3 expired=1 "
      .. "refused=1 evicted=1 vetoed=1 stale_uses=1 double_recycles=1 created=2 destroyed=1")
    kit.check(pools, "Cube")
  end)

  spec.test("of a manager add up, and know the time of the peak", function()
    local pools <const>, pool <const> = open()
    spawnpool.class "Ball"
    pools:alloc "Cube"
    kit.tick(pools, 4)
    pools:alloc "Ball"
    pools:alloc "Ball"
    kit.tick(pools, 4)
    pool:recycle_all()
    local s <const> = pools:stats()
    spec.equal({ s.live, s.peak, s.peak_time, s.allocs, s.recycles }, { 2, 3, 4 * kit.STEP, 3, 1 })
    spec.equal({ pool.peak, pools:stats("Ball").peak, pools:stats("Ball").peak_time }, { 1, 2, 4 * kit.STEP })
    spec.equal(s.bytes > pools:stats("Cube").bytes + pools:stats("Ball").bytes, true)
  end)
end)

spec.describe("a removed pool", function()
  local function removed()
    local pools <const>, pool <const> = open { grow = 2 }
    local o <const> = pool:alloc()
    spec.equal({ pools:remove "Cube" }, { 1, 2 })
    return pools, pool, o
  end

  spec.test("has no say about the next pool of its type", function()
    local pools <const>, pool <const>, o <const> = removed()
    local again <const> = pools:alloc "Cube"
    spec.equal({ again.alive, again.id, o.alive, pools:pool "Cube" == pool }, { true, 1, false, false })
    spec.equal({ pool:recycle(again) }, { false, "closed" })
    spec.equal({ pools:remove "Cube" }, { 1, 2 })
    spec.equal({ pools:remove "Cube" }, { 0, 0 })
  end)
end)
