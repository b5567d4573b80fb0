-- How pools behave in Lua 5.4 and in LuaJIT alike: `run.lua` runs each test in both.
local both = require "both"
local equal, tick, get, set = both.equal, both.tick, both.get, both.set
local tests = {}

-- Each test has a manager and types of its own; counts must be right at its end.
local function test(name, fn) tests[#tests + 1] = { name = name, fn = fn } end

local function checked(pools, type)
  local s, walked = pools:stats(type), 0
  for _ in pools:pool(type):each() do walked = walked + 1 end
  equal({ s.live + s.idle, s.allocs - s.recycles, s.created - s.destroyed, walked }, { s.total, s.live, s.total,
    s.live })
end

test("an object is live until it is recycled, and stale for ever", function(pools, T)
  both.class(pools, T, { grow = 1 })
  local a = pools:alloc(T)
  equal({ pools:is_live(a), pools:recycle(a) }, { true, true })
  local b = pools:alloc(T)
  equal({ get(pools, a, "id") == nil, get(pools, b, "id"), a == b, pools:is_live(a) }, { true, 1, false, false })
  equal({ pools:recycle(a) }, { false, "stale" })
  equal({ get(pools, a, "x") }, { nil, "stale" })
  equal({ set(pools, a, "x", 1) }, { false, "stale" })
  equal({ pools:stats(T).double_recycles >= 1, pools:stats(T).stale_uses >= 2 }, { true, true })
end)

test("an object of another manager or pool is foreign", function(pools, T)
  both.class(pools, T)
  both.class(pools, T .. "2")
  local others = both.new { misuse = "ignore" }
  local o = others:alloc(T)
  equal({ pools:recycle(o) }, { false, "foreign" })
  equal({ pools:is_live(o), others:is_live(o) }, { false, true })
  local a = pools:alloc(T)
  equal({ pools:pool(T .. "2"):recycle(a) }, { false, "foreign" })
  equal({ pools:pool(T):recycle(a), pools:is_live(a) }, { true, false })
  others:close()
end)

test("is_live takes anything", function(pools)
  for _, value in ipairs { 0, -1, 1.5, 2 ^ 53, 1e300, 0 / 0, 1 / 0, "x", {}, true, print } do
    equal({ pools:is_live(value) }, { false })
  end
  equal({ pools:is_live(nil), pools:is_live() }, { false, false })
end)

test("a lifetime ends at its tick", function(pools, T)
  both.class(pools, T)
  local a, b, c = pools:alloc(T, 2 * both.STEP), pools:alloc(T, 3 * both.STEP), pools:alloc(T, 0)
  tick(pools, 1)
  equal({ get(pools, a, "remaining"), get(pools, a, "age"), get(pools, a, "lifetime") }, { both.STEP, both.STEP,
    2 * both.STEP })
  tick(pools, 1)
  equal({ pools:is_live(a), pools:is_live(b), pools:stats(T).expired }, { false, true, 1 })
  set(pools, b, "remaining", 10 * both.STEP)
  tick(pools, 9)
  equal({ pools:is_live(b), pools:is_live(c), get(pools, c, "remaining") }, { true, true, 1 / 0 })
  tick(pools, 1)
  equal({ pools:is_live(b), pools:is_live(c) }, { false, true })
end)

test("limits refuse, evict, exceed or raise", function(pools, T)
  both.class(pools, T, { limit = 2, grow = 1 })
  local pool, first, second = pools:pool(T), pools:alloc(T), pools:alloc(T)
  equal({ pools:alloc(T) }, { nil, "full" })
  equal({ pools:stats(T).refused }, { 1 })
  pool.overflow = "oldest"
  set(pools, first, "pinned", true)
  local third = pools:alloc(T)
  equal({ pools:is_live(first), pools:is_live(second), pools:is_live(third), pool.live }, { true, false, true, 2 })
  equal({ pools:stats(T).evicted }, { 1 })
  pool.overflow = "grow"
  local fourth = pools:alloc(T)
  equal({ pool.live, pools:recycle(fourth), pool.total }, { 3, true, 2 })
  pool.overflow = "error"
  local ok, message = pcall(pool.alloc, pool)
  equal({ ok, message:find("is full %(limit 2%)") ~= nil }, { false, true })
  pool.overflow = function(self) return self == pool and third or nil end
  equal({ pools:is_live(pool:alloc()), pools:is_live(third) }, { true, false })
  pool.overflow = function() return nil end
  equal({ pools:alloc(T) }, { nil, "full" })
  pool.limit = nil
  equal({ pool.limit, pools:is_live(pools:alloc(T)) }, { nil, true })
  pool.limit = 0
  equal({ pools:alloc(T) }, { nil, "full" })
end)

test("idle_limit destroys what is too much", function(pools, T)
  both.class(pools, T, { idle_limit = 1, grow = 1 })
  local a, b = pools:alloc(T), pools:alloc(T)
  pools:recycle(a)
  pools:recycle(b)
  equal({ pools:pool(T).idle, pools:stats(T).destroyed }, { 1, 1 })
end)

test("the longest idle object is first, or the last one", function(pools, T)
  for order, want in pairs { fifo = 1, lifo = 3 } do
    local name = T .. order
    both.class(pools, name, { order = order, prealloc = 3, grow = 1 })
    local objects = { pools:alloc(name), pools:alloc(name), pools:alloc(name) }
    local id = get(pools, objects[want], "id")
    for i = 1, 3 do pools:recycle(objects[i]) end
    equal({ get(pools, pools:alloc(name), "id") }, { id }, order)
  end
end)

test("fields start again, but kept ones", function(pools, T)
  local lib = both.library
  both.class(pools, T, { grow = 1, x = 3, layer = 2, sprite = "ring", visible = false,
    fields = { hp = 7, armed = false, skin = lib.keep(1), speed = lib.live(2), target = lib.ref } })
  local a = pools:alloc(T, 0, nil, 5)
  local names = { "x", "y", "layer", "sprite", "visible", "hp", "armed", "skin", "speed", "target", "pinned", "scale" }
  local function all(o)
    local values = {}
    for i, name in ipairs(names) do values[i] = get(pools, o, name) end
    return values
  end
  equal(all(a), { 3, 5, 2, "ring", false, 7, false, 1, 2, nil, false, 1 })
  local other = pools:alloc(T)
  for name, value in pairs { x = 9, layer = -1, sprite = "spark", visible = true, hp = 1, armed = true, skin = 4,
    speed = 5,
    target = other, scale = 2 } do
    set(pools, a, name, value)
  end
  equal(all(a), { 9, 5, -1, "spark", true, 1, true, 4, 5, other, false, 2 })
  pools:recycle(other)
  equal({ get(pools, a, "target") }, { nil })
  pools:recycle(a)
  pools:alloc(T)
  equal(all(pools:alloc(T)), { 3, 0, 2, "ring", false, 7, false, 4, 2, nil, false, 1 })
end)

test("motion, bounds and curves", function(pools, T)
  both.class(pools, T, { vx = 64, ay = 64, motion = { gravity = 64, face_velocity = true }, over_life = { a = { 1,
    0 } } })
  local o = pools:alloc(T, 4 * both.STEP, 1, 2)
  tick(pools, 2)
  equal({ get(pools, o, "x"), get(pools, o, "vy"), get(pools, o, "a"), get(pools, o, "angle") > 0 }, { 3, 4, 0.5,
    true })
  for outside, want in pairs { wrap = { -9, 128 }, bounce = { 9, -128 }, clamp = { 10, 0 }, recycle = {} } do
    local name = T .. outside
    both.class(pools, name, { bounds = { x = -10, y = 5, w = 20, h = 30, outside = outside } })
    local it = pools:alloc(name, 0, 9, 20)
    set(pools, it, "vx", 128)
    tick(pools)
    equal({ (get(pools, it, "x")), (get(pools, it, "vx")) }, want, outside)
  end
end)

test("a walk visits what was live when it began", function(pools, T)
  both.class(pools, T)
  local objects, seen = {}, 0
  for i = 1, 600 do objects[i] = pools:alloc(T) end
  for o in pools:pool(T):each() do
    seen = seen + 1
    if o == objects[1] then
      for i = 301, 400 do pools:recycle(objects[i]) end
    end
    pools:alloc(T)
    pools:recycle(o)
  end
  equal({ seen, pools:pool(T).live }, { 500, 500 })
  for o in pools:pool(T):each() do
    for inner in pools:pool(T):each() do
      seen = seen + 1
      if inner ~= o then break end
    end
    if seen > 501 then break end
  end
  equal({ seen }, { 502 })
end)

test("overlaps visits pairs until one of them ends", function(pools, T)
  both.class(pools, T, { radius = 10 })
  both.class(pools, T .. "2", { radius = 10 })
  local a, b, c = pools:alloc(T, 0, 0, 0), pools:alloc(T, 0, 15, 0), pools:alloc(T, 0, 100, 0)
  local far = pools:alloc(T .. "2", 0, 120.5, 0)
  local pairs_, hits = {}, pools:pool(T):overlaps(pools:pool(T), function(x, y)
    equal({ x == a and y == b or x == b and y == a }, { true })
  end)
  equal({ hits, pools:pool(T):overlaps(pools:pool(T .. "2"), function() pairs_[1] = true end) }, { 1, 0 })
  set(pools, far, "x", 20)
  hits = pools:pool(T):overlaps(pools:pool(T .. "2"), function(x, y)
    pairs_[#pairs_ + 1] = x
    pools:recycle(y)
  end)
  equal({ hits, #pairs_, pools:is_live(far), pools:is_live(c) }, { 1, 1, false, true })
  for _ = 1, 40 do pools:alloc(T, 0, 500, 500) end
  equal({ pools:pool(T):overlaps(pools:pool(T), function() end) }, { 781 })
end)

test("children follow their parent, and end with it or stay", function(pools, T)
  both.class(pools, T)
  both.class(pools, T .. "2", { on_parent_end = "detach" })
  local ship, gun, crew = pools:alloc(T, 0, 100, 50), pools:alloc(T), pools:alloc(T .. "2")
  set(pools, gun, "parent", ship)
  set(pools, crew, "parent", ship)
  equal({ get(pools, gun, "parent"), get(pools, ship, "parent") }, { ship, nil })
  pools:recycle(ship)
  equal({ pools:is_live(gun), pools:is_live(crew), get(pools, crew, "x") }, { false, true, 100 })
end)

test("an override has the last word, and cannot lose an object", function(pools, T)
  local Class = both.class(pools, T, { grow = 1 })
  local mode
  function Class.alloc(self, lifetime, x, ...)
    local o, why = Class.super.alloc(self, lifetime, x, ...)
    if not o then return nil, why end
    set(pools, o, "vx", 7)
    if mode == "error" then error("on purpose", 0) end
    if mode == "nil" then return nil end
    if mode == "other" then return true end
    if mode == "gone" then pools:recycle(o) end
    if mode == "more" then Class.super.alloc(self) end
    return o
  end
  local o = pools:alloc(T, 0, 4)
  equal({ get(pools, o, "vx"), get(pools, o, "x"), get(pools, pools:pool(T):alloc(), "vx") }, { 7, 4, 7 })
  mode = "error"
  equal({ pcall(pools.alloc, pools, T) }, { false, "on purpose" })
  mode = "nil"
  equal({ pools:alloc(T) }, { nil, "vetoed" })
  mode = "gone"
  equal({ pools:alloc(T) }, { nil, "recycled" })
  mode = "other"
  equal({ (pcall(pools.alloc, pools, T)) }, { false })
  mode = "more"
  equal({ pools:is_live(pools:alloc(T)), pools:pool(T).live }, { true, 4 })
  equal({ pools:alloc(T, -1) }, { nil, "prewarmed" })
end)

test("an override of recycle may veto, and its error stops nothing", function(pools, T)
  local Class = both.class(pools, T, { grow = 1 })
  local mode, inner
  function Class.recycle(self, o)
    inner = { pools:recycle(o) }
    if mode == "veto" then return true end
    if mode == "error" then error("on purpose", 0) end
    return Class.super.recycle(self, o)
  end
  local a, b, c = pools:alloc(T), pools:alloc(T), pools:alloc(T)
  mode = "veto"
  equal({ pools:recycle(a) }, { false, "vetoed" })
  equal(inner, { false, "dying" })
  equal({ pools:pool(T):recycle(a) }, { false, "vetoed" })
  equal({ pools:is_live(a), pools:stats(T).vetoed }, { true, 2 })
  mode = nil
  equal({ pools:recycle(a), pools:is_live(a) }, { true, false })
  equal({ pools:pool(T):recycle(b), pools:is_live(b) }, { true, false })
  mode = "error"
  equal({ pools:recycle(c), pools:is_live(c) }, { true, false })
  equal({ pools:recycle(c) }, { false, "stale" })
end)

test("a class extends another one", function(pools, T)
  local Base = both.class(pools, T, { radius = 5, limit = 3, fields = { hp = 2 } })
  local Child = both.class(pools, T .. "2", { extends = T, limit = 1 / 0, fields = { armour = 4 } })
  function Base.alloc(self, ...)
    local o = Base.super.alloc(self, ...)
    set(pools, o, "y", 6)
    return o
  end
  equal({ Child.super == Base, both.class(pools, T) == Base }, { true, true })
  local o = pools:alloc(T .. "2")
  equal({ get(pools, o, "radius"), get(pools, o, "hp"), get(pools, o, "armour"), get(pools, o, "y"),
    pools:pool(T .. "2").limit },
    { 5, 2, 4, 6, nil })
  equal({ (pcall(both.class, pools, T, { extends = T .. "2" })) }, { false })
end)

test("a snapshot brings everything back", function(pools, T)
  both.class(pools, T, { fields = { hp = 1 } })
  local a, b = pools:alloc(T, 4 * both.STEP, 1, 1), pools:alloc(T)
  local snapshot = pools:snapshot()
  local hash = pools:hash()
  pools:recycle(b)
  set(pools, a, "hp", 9)
  local c = pools:alloc(T)
  tick(pools, 5)
  equal({ pools:hash() == hash, pools:is_live(a) }, { false, false })
  equal({ pools:restore(snapshot), pools:hash() == hash }, { true, true })
  equal({ pools:is_live(a), pools:is_live(b), pools:is_live(c), get(pools, a, "hp") }, { true, true, false, 1 })
  equal({ pools:snapshot(snapshot) == snapshot }, { true })
  tick(pools, 4)
  equal({ pools:is_live(a) }, { false })
end)

test("prewarm, trim, clear and recycle_all count", function(pools, T)
  both.class(pools, T, { prealloc = 4 })
  local pool = pools:pool(T)
  equal({ pool:prewarm(10), pool.idle, pool:trim(), pool.idle }, { 6, 10, 6, 4 })
  for _ = 1, 5 do pools:alloc(T) end
  equal({ pool:recycle_all(), pool.live, pool:clear(), pool.total }, { 5, 0, 36, 0 })
  equal({ pools:alloc(T, -1) }, { nil, "prewarmed" })
  equal({ pool.idle, pool:clear(), pool:recycle_all() }, { 4, 4, 0 })
end)

test("the clock may be slow, or stand", function(pools, T)
  both.class(pools, T)
  pools:alloc(T, 2 * both.STEP)
  pools.time_scale = 0.5
  tick(pools, 2)
  equal({ pools.time, pools.time_scale, pools:pool(T).live }, { both.STEP, 0.5, 1 })
  pools.paused = true
  tick(pools, 10)
  equal({ pools.paused, pools:pool(T).live }, { true, 1 })
  pools.paused = false
  tick(pools, 2)
  equal({ pools:pool(T).live }, { 0 })
end)

test("a removed pool and a closed manager refuse", function(pools, T)
  both.class(pools, T, { grow = 2 })
  local pool, o = pools:pool(T), pools:alloc(T)
  equal({ pools:remove(T) }, { 1, 2 })
  equal({ pool:alloc() }, { nil, "closed" })
  equal({ pool:recycle(o) }, { false, "closed" })
  equal({ pools:is_live(o), pools:remove(T .. "none") }, { false, 0, 0 })
  local again = pools:alloc(T)
  equal({ pools:is_live(again), pools:is_live(o), pools:close() }, { true, false, 1, 2 })
  equal({ pools:alloc(T) }, { nil, "closed" })
  equal({ pools:recycle(again) }, { false, "closed" })
  equal({ pools:update(1) }, { false, "closed" })
  equal({ pools:is_live(again), pools:pool(T), tostring(pools) }, { false, nil, "pools (closed)" })
  return "closed"
end)

-- Runs all; returns how many there are, and what went wrong, as text.
return function()
  if not both.is_jit then _G.warn = function() end end
  local wrong = {}
  for i, it in ipairs(tests) do
    local pools, T = both.new { misuse = "ignore" }, "T" .. i .. "x"
    local ok, message = xpcall(function()
      if it.fn(pools, T) ~= "closed" then checked(pools, T) end
    end, debug.traceback)
    if not ok then wrong[#wrong + 1] = it.name .. ": " .. message end
    pools:close()
  end
  return #tests, table.concat(wrong, "\n")
end
