-- Functions that the library calls in the middle of its work, and that recycle, allocate, clear, remove, close, raise
-- or yield there. Each call of such a function (a door) is tried with each act. Objects of a walk are visited once, and
-- only while they live; counts are right afterwards; errors reach the caller, or are reported where there is none.
-- Finalisers do the same wherever memory is allocated.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

local MOST <const> = 20 -- acts of one test

-- {== Doors ===================================================================

-- A hook of the class, and what calls it.
local function hook(name, call)
  return function(pools, pool, fn)
    pool.class[name] = function(_, o) return fn(o) end
    return call(pools, pool)
  end
end

local function first_of(pool)
  local next_one <const>, state <const> = pool:each()
  return next_one(state)
end

local function alloc(pools) return pools:alloc "Cube" end
local function recycle(_, pool) return first_of(pool):recycle() end

-- Each calls `fn` in the middle of something, with an object. `is_live`: whether the object lives; nil: either.
-- `walks`: it visits no object twice. `takes`: it returns `nil, "none"` when nothing is left. `is_busy`: neither the
-- pool nor its manager can be removed meanwhile. `is_lua`: a script calls the function. `reports`: an error has no
-- caller, and is reported as one of this. `ends`: nothing can be allocated in the pool any more.
local DOORS <const> = {
  { "a filter of each", function(pools, _, fn) for _ in pools:each(fn) do end end, is_live = true, walks = true },
  { "a walk over a manager", function(pools, _, fn) for o in pools:each() do fn(o) end end,
    is_live = true, walks = true, is_lua = true },
  { "a walk over a pool", function(_, pool, fn) for o in pool:each() do fn(o) end end,
    is_live = true, walks = true, is_lua = true },
  { "a filter of recycle_all", function(pools, _, fn) return pools:recycle_all(fn) end, is_live = true, walks = true },
  { "a predicate of take", function(pools, _, fn) return pools:take(fn) end, is_live = false, takes = true },
  { "a predicate of a pool's take", function(_, pool, fn) return pool:take(fn) end, is_live = false, takes = true },
  { "within", function(_, pool, fn) return pool:within(0, 0, 100, fn) end, is_live = true, walks = true,
    is_busy = true },
  { "a walk over hits", function(_, pool, fn) for o in pool:within(0, 0, 100) do fn(o) end end, walks = true,
    is_lua = true },
  { "overlaps", function(pools, pool, fn)
    return pool:overlaps(pools:pool "Ball", function(cube, ball) fn(ball) fn(cube) end)
  end, is_busy = true },
  { "an overflow function", function(pools, pool, fn)
    pool.limit, pool.overflow = pool.live, function() return fn() end
    return pools:alloc "Cube"
  end, is_busy = true, reports = "Cube.overflow" },
  { "a fresh value", function(_, pool) return first_of(pool).made end, is_live = true },
  { "on_spawn", hook("on_spawn", alloc), is_live = true, is_busy = true },
  { "alloc", function(pools, pool, fn)
    local class <const> = pool.class
    function class:alloc(...)
      local o <const>, why <const> = class.super.alloc(self, ...)
      if o then fn(o) end
      return o, why
    end
    return pools:alloc "Cube"
  end, is_live = true, is_busy = true },
  { "recycle", function(_, pool, fn)
    local class <const> = pool.class
    function class:recycle(o)
      fn(o)
      return class.super.recycle(self, o)
    end
    return recycle(_, pool)
  end, is_live = false, is_busy = true, reports = "Cube.recycle" },
  { "on_despawn", hook("on_despawn", recycle), is_live = false, is_busy = true, reports = "Cube.on_despawn" },
  { "on_despawn of remove", hook("on_despawn", function(pools) return pools:remove "Cube" end), is_live = false,
    is_busy = true, reports = "Cube.on_despawn", ends = true },
  { "on_despawn of close", hook("on_despawn", function(pools) return pools:close() end), is_live = false,
    is_busy = true, reports = "Cube.on_despawn", ends = true },
  { "on_create", hook("on_create", function(_, pool) return pool:prewarm(pool.total + 2) end), is_live = false,
    is_busy = true, reports = "Cube.on_create" },
  { "on_destroy", hook("on_destroy", function(_, pool) return pool:clear() end), is_live = false, is_busy = true,
    reports = "Cube.on_destroy" },
  { "on_reject", hook("on_reject", function(_, pool)
    pool.idle_limit = 0
    return recycle(_, pool)
  end), is_live = false, is_busy = true, reports = "Cube.on_reject" },
  { "update", hook("update", function(pools) return kit.tick(pools) end), is_busy = true, reports = "Cube.update" },
  { "a timer", function(pools, pool, fn)
    first_of(pool):after(0, fn)
    kit.tick(pools)
  end, is_live = true, is_busy = true, reports = "a timer" },
  { "on_restore", hook("on_restore", function(pools) return pools:restore(pools:snapshot()) end), is_live = true,
    is_busy = true, reports = "Cube.on_restore" },
}

-- }==

-- {== Acts ====================================================================

-- A pool in use cannot be removed: `false, "busy"`.
local function may_go(door, result, why)
  if door.is_busy then return spec.equal({ result, why }, { false, "busy" }) end
  spec.equal(math.type(result), "integer")
end

-- `empties`: no idle object is left. `fails`: the error that it raises. `is_final`: finalisers do it, too.
local ACTS <const> = {
  { "recycles it", function(pools, _, o) return o and pools:is_live(o) and o:recycle() end },
  { "recycles all", function(pools) pools:recycle_all() end, is_final = true },
  { "allocs", function(pools, door)
    pools:alloc("Ball", 0, 1, 1)
    local o <const>, why <const> = pools:alloc("Cube", 0, 1, 1)
    if door.ends then spec.equal({ o, why }, { nil, "closed" }) end
  end, is_final = true },
  { "takes", function(pools) return (pools:take "Cube") end },
  { "updates", function(pools) pcall(pools.update, pools, kit.STEP) end },
  { "clears", function(pools) pools:clear() end, empties = true },
  { "removes the pool", function(pools, door) may_go(door, pools:remove "Cube") end, empties = true },
  { "removes the pool and makes it again", function(pools, door)
    may_go(door, pools:remove "Cube")
    pools:pool("Cube"):prewarm(4)
    collectgarbage()
  end, empties = true, is_final = true },
  { "removes another pool", function(pools) pools:remove "Other" pools:alloc "Other" end },
  { "closes the manager", function(pools, door) may_go(door, pools:close()) end, empties = true,
    is_final = true },
  { "raises", function() error "on purpose" end, fails = "on purpose" },
  { "yields", function() coroutine.yield() end, fails = "attempt to yield" },
}

local function strip(class)
  for name in pairs(class) do
    if type(class[name]) == "function" then class[name] = nil end
  end
end

local function open()
  local pools <const> = kit.new { misuse = "ignore" }
  local fresh
  strip(spawnpool.class "Cube")
  spawnpool.class("Cube", { grow = 1, fields = { made = spawnpool.fresh(function(o) return fresh(o) end) } })
  spawnpool.class("Ball", { grow = 1 })
  spawnpool.class("Other", { grow = 1 })
  for i = 1, 4 do pools:alloc("Cube", 0, i, 0) end
  for i = 1, 3 do pools:alloc("Ball", 0, i, 0) end
  pools:alloc "Other"
  pools:pool("Cube"):prewarm(7)
  return pools, pools:pool "Cube", function(fn) fresh = fn end
end

local function try(door, act)
  if door.is_lua and act.fails == "attempt to yield" then return end
  local pools <const>, pool <const>, set_fresh <const> = open()
  local name <const>, call <const> = door[1], door[2]
  local acting, count, given, seen <const> = false, 0, nil, {}
  local function fn(o)
    if acting or count == MOST then return true end
    if door.is_live ~= nil then spec.equal({ name, o.alive }, { name, door.is_live }) end
    spec.equal({ name, door.walks and seen[o] }, { name, door.walks and nil })
    acting, count = true, count + 1
    if o then seen[o] = true end
    local done <const>, result <const> = pcall(act[2], pools, door, o)
    acting = false
    if not done then error(result, 0) end
    given = result
    return true
  end
  set_fresh(fn)
  local results
  local said <const> = spec.hear(function()
    results = table.pack(coroutine.wrap(function() return pcall(call, pools, pool, fn) end)())
  end)
  local text <const> = door.reports and said or tostring(results[2])
  if act.fails then
    spec.equal({ results[1] == (door.reports ~= nil), text:find(act.fails, 1, true) ~= nil }, { true, true }, text)
    spec.equal(not door.reports or said:find(door.reports .. ": ", 1, true) == 1, true, said)
  else
    spec.equal({ results[1], said }, { true, "" }, tostring(results[2]))
  end
  if door.takes and act.empties then spec.equal({ results[2], results[3] }, { nil, "none" }) end
  spec.equal({ count > 0, type(given) == "userdata" and results[2] == given }, { true, false })
  if tostring(pools) == "pools (closed)" then return end
  strip(spawnpool.class "Cube")
  spec.check()
  spec.equal(math.type(pools:remove "Cube"), "integer")
  spec.equal({ pools:alloc("Cube").alive, math.type(pools:close()) }, { true, "integer" })
end

-- }==

-- In `make check-slow` each act has a test of its own: the collector is eager at the beginning of a test, and so many
-- allocations are refused in each.
local ACTS_OF_A_TEST <const> = spec.is_slow and 1 or #ACTS

for _, door in ipairs(DOORS) do
  for first = 1, #ACTS, ACTS_OF_A_TEST do
    spec.test(("%s, from act %d on"):format(door[1], first), function()
      for i = first, first + ACTS_OF_A_TEST - 1 do
        local done <const>, message <const> = pcall(try, door, ACTS[i])
        if not done then error(("that %s: %s"):format(ACTS[i][1], message), 0) end
      end
    end)
  end
end

-- {== Finalisers ==============================================================

-- From now on the collector goes through at every chance, and calls `fn` each time, `times` in all.
local function at_every_allocation(times, fn)
  local function again()
    if times > 0 then setmetatable({}, { __gc = function() times = times - 1 fn() again() end }) end
  end
  collectgarbage "incremental"
  collectgarbage("setpause", 0)
  collectgarbage("setstepmul", 1000)
  again()
end

-- Beside the doors: what calls no function, and allocates.
local CALLS <const> = {
  function(pools) for _ = 1, 50 do pools:alloc("Cube", 0, { x = 1, made = {} }) end end,
  function(pools) pools:leaks() pools:configure {} end,
  function(_, pool) return pool:within(0, 0, 1000) end,
  function(_, pool) pool:set("made", {}) pool:set("sprite", "sprite" .. math.random(1e6)) end,
  function(pools) for i = 1, 10 do pools:alloc("Another" .. i) end end,
  function(pools) pools:alloc("Cube").nothing = 1 end,
  function(pools)
    pools:alloc("Cube"):run(function() coroutine.yield(kit.STEP) end)
    pools:update(1)
  end,
  function() spawnpool.class("Cube", { fields = { hp = 2, more = {} and 3 } }) end,
  function(pools, pool) return tostring(pools), tostring(pool), tostring(pools:alloc "Cube") end,
}
for _, door in ipairs(DOORS) do CALLS[#CALLS + 1] = door[2] end

for _, act in ipairs(ACTS) do
  if act.is_final then
    spec.test("finalisers at every allocation, each of which " .. act[1], function()
      kit.warnings(function()
        for _, call in ipairs(CALLS) do
          local pools <const>, pool <const>, set_fresh <const> = open()
          set_fresh(function() return {} end)
          at_every_allocation(6, function() pcall(act[2], pools, {}) end)
          spec.hear(pcall, call, pools, pool, function() return {} end)
        end
      end)
    end)
  end
end

-- }==
