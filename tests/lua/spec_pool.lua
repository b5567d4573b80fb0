-- Pools: their settings, limits and overflow, prewarm, clear and statistics. The model compares limits.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

kit.test("a pool is made on first use, once, and has settings", {}, function(pools)
  local o <const>, pool <const> = pools:alloc "Cube", pools:pool "Cube"
  spec.equal({ pools:pool "Cube" == pool, pool:alloc().pool == pool, o.pool == pool }, { true, true, true })
  spec.equal({ pool.type, tostring(pool) }, { "Cube", "pool of Cube (2 live, 30 idle)" })
  spec.equal({ n = 5, pool.limit, pool.idle_limit, pool.nothing, pool[1], pool[true] }, { n = 5 })
  spec.equal({ pool.grow, pool.overflow }, { 32, "refuse" })
  pool.limit, pool.idle_limit, pool.grow = 1 << 24, 0, 1 << 24
  spec.equal({ pool.limit, pool.idle_limit, pool.grow }, { 1 << 24, 0, 1 << 24 })
end)

kit.test("a limit is none when the class says math.huge, below a parent with one", function(pools)
  spawnpool.class("Base", { limit = 2, idle_limit = 2 })
  spawnpool.class("Cube", { extends = "Base", limit = math.huge, idle_limit = math.huge })
  local pool <const> = pools:pool "Cube"
  spec.equal({ n = 3, pool.limit, pool.idle_limit, pools:pool("Base").limit }, { n = 3, nil, nil, 2 })
  for _, none in ipairs { math.huge, "nil" } do
    pool.limit, pool.idle_limit = 0, 0
    spec.equal({ pool.limit, pool.idle_limit, pools:alloc "Cube" }, { 0, 0, nil, "full" })
    pool.limit, pool.idle_limit = none ~= "nil" and none or nil, math.huge
    spec.equal({ pool.limit, pool.idle_limit, pools:alloc("Cube").alive }, { nil, nil, true })
  end
end)

-- {== Overflow ===============================================================

kit.test("overflow reads as it was set, on the pool or in the class", { limit = 1 }, function(pools, Cube)
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

kit.test("overflow by a function that gives no victim refuses, with a report of its error", { limit = 1 },
  function(pools)
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

kit.test("overflow by a function that makes the room itself, or meets a veto", { limit = 2, grow = 1 },
  function(pools, Cube)
  local pool <const>, a <const> = pools:pool "Cube", pools:alloc "Cube"
  pools:alloc "Cube"
  pool.overflow = function() a:recycle() end
  spec.equal(pools:alloc("Cube").alive, true)
  pool.overflow = function() pool.limit = 3 end
  spec.equal({ pools:alloc("Cube").alive, pool.live }, { true, 3 })
  function Cube:recycle() end
  pool.overflow = function(self)
    local next <const>, state <const> = self:each()
    return next(state)
  end
  spec.equal({ pools:alloc "Cube" }, { nil, "full" })
  Cube.recycle = nil
  spec.equal(pools:alloc("Cube").alive, true)
end)

-- }==

kit.test("clear lets hooks refill the pool without end", { prealloc = 4 }, function(pools, Cube)
  function Cube:on_destroy() self:alloc(-1) end
  spec.equal(pools:pool("Cube"):clear() >= 4, true)
  Cube.on_destroy = nil
end)

-- {== Statistics =============================================================

local MEMBERS <const> = {
  "live", "idle", "total", "peak", "peak_time", "allocs", "recycles", "expired", "refused", "evicted", "vetoed",
  "stale_uses", "double_recycles", "created", "destroyed",
}

kit.test("statistics have every member, 0 at first, and count one life of each kind",
  { limit = 3, overflow = "oldest", grow = 1 }, function(pools, Cube)
  local pool <const> = pools:pool "Cube"
  for _, s in ipairs { pool:stats(), pools:stats "Cube", pools:stats "Nothing", kit.new():stats() } do
    for _, name in ipairs(MEMBERS) do spec.equal(s[name], name == "peak_time" and 0.0 or 0, name) end
  end
  pool:prewarm(1, { per_frame = 1 })
  kit.tick(pools)
  spec.equal({ pool:stats().prewarm.done, pool:stats().prewarm.wanted }, { 1, 1 })
  pool:clear()
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
  function Cube:recycle() end
  pool:recycle_all()
  pool:clear()
  local s <const>, got <const> = pool:stats(), {}
  for _, name in ipairs(MEMBERS) do got[#got + 1] = ("%s=%g"):format(name, s[name]) end
  spec.equal(table.concat(got, " "), "live=1 idle=0 total=1 peak=2 peak_time=0.015625 allocs=4 recycles=3 expired=1 "
    .. "refused=1 evicted=1 vetoed=1 stale_uses=1 double_recycles=1 created=3 destroyed=2")
end)

kit.test("statistics of a manager add up, and know the time of the peak", {}, function(pools)
  spawnpool.class "Ball"
  pools:alloc "Cube"
  kit.tick(pools, 4)
  pools:alloc "Ball"
  pools:alloc "Ball"
  kit.tick(pools, 4)
  pools:recycle_all "Cube"
  local s <const>, ball <const> = pools:stats(), pools:stats "Ball"
  spec.equal({ s.live, s.peak, s.peak_time, s.allocs, s.recycles }, { 2, 3, 4 * kit.STEP, 3, 1 })
  spec.equal({ pools:pool("Cube").peak, ball.peak, ball.peak_time }, { 1, 2, 4 * kit.STEP })
  spec.equal(s.bytes > pools:stats("Cube").bytes + ball.bytes, true)
end)

-- }==
