-- Pools: their fields and settings, trim and clear, statistics, and the answers of a removed pool.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

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

  spec.test("refuses every call cleanly", function()
    local pools <const>, pool <const>, o <const> = removed()
    spec.equal({ pool:alloc() }, { nil, "closed" })
    spec.equal({ pool:recycle(o) }, { false, "closed" })
    spec.equal({ pool:recycle_all(), pool:clear(), pool:trim() }, { 0, 0, 0 })
    local gone <const> = "the pool was removed, or its manager closed"
    kit.blames(gone, function() pool:prewarm(1) end)
    kit.blames(gone, function() pool:each() end)
    kit.blames(gone, function() pool:stats() end)
    for _, key in ipairs { "live", "idle", "total", "peak", "type", "class", "limit", "overflow", "nothing" } do
      kit.blames(gone, function() return pool[key] end)
      kit.blames(gone, function() pool[key] = 1 end)
    end
    spec.equal(tostring(pool), "pool (removed)")
    spec.equal(pools:stats("Cube").total, 0)
  end)

  spec.test("has no say about the next pool of its type", function()
    local pools <const>, pool <const>, o <const> = removed()
    local again <const> = pools:alloc "Cube"
    spec.equal({ again.alive, again.id, o.alive, pools:pool "Cube" == pool }, { true, 1, false, false })
    spec.equal({ pool:recycle(again) }, { false, "closed" })
    spec.equal({ pools:remove "Cube" }, { 1, 2 })
    spec.equal({ pools:remove "Cube" }, { 0, 0 })
  end)

  spec.test("gives super nothing to work on", function()
    local _, pool <const>, o <const> = removed()
    local Cube <const> = spawnpool.class "Cube"
    spec.equal({ Cube.super.alloc(pool) }, { nil, "closed" })
    spec.equal({ Cube.super.recycle(pool, o) }, { false, "closed" })
  end)
end)
