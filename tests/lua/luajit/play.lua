-- Random calls, the same in Lua 5.4 and in LuaJIT, in a text that both languages read: `play(seed, steps)` prints after
-- each call what came of it, and now and then all fields of all objects. Both must print the same.
local is_jit, STEP = rawget(_G, "jit") ~= nil, 1 / 64
local library = require(is_jit and "spawnpool.ffi" or "spawnpool")

local function new() return library.new { step = STEP, misuse = "ignore" } end

local function class(pools, name, definition)
  if is_jit then return pools:class(name, definition) end
  return library.class(name, definition)
end

local function read(o, field) return o[field] end
local function write(o, field, value) o[field] = value end

-- Returns the value, or nil and "stale".
local function get(pools, o, field)
  if is_jit then return pools:get(o, field) end
  local ok, value = pcall(read, o, field)
  if ok then return value end
  return nil, "stale"
end

local function set(pools, o, field, value)
  if is_jit then return pools:set(o, field, value) end
  local ok, message = pcall(write, o, field, value)
  if ok then return true end
  return false, message:find "stale" and "stale" or message
end

-- A generator of its own, of numbers that both languages have alike.
local state
local function random(n)
  state = (state * 16807) % 2147483647
  return math.floor(state / 2147483647 * n)
end
local function pick(...) return (select(random(select("#", ...)) + 1, ...)) end

local FIELDS = { "x", "y", "vx", "vy", "ax", "ay", "angle", "spin", "scale", "r", "a", "radius", "layer", "visible",
  "pinned", "hp", "armed", "skin", "target", "remaining", "parent", "age", "lifetime", "id", "type",
  "scale_x", "scale_y" }
local VALUES, FLAGS = {}, { visible = true, pinned = true, armed = true }
for name in ("x y vx vy ax ay angle spin scale a radius hp skin scale_x"):gmatch "%a+" do VALUES[name] = true end
local TYPES, CHILD = { "Cube", "Walled", "Fading", "Child" }, "Child"

-- {== What is played ==========================================================

local pools, others, snapshot
local objects, order, kept = {}, {}, nil

local function object() return #objects > 0 and objects[random(#objects) + 1] or nil end
local function any_type() return TYPES[random(4) + 1] end
-- Ends that no script asks for are not overridden in LuaJIT: those of a child have none, and no parent.
local function plain_pool() return pools:pool(TYPES[random(3) + 1]) end

-- Objects by their order. Lua 5.4 has integers, which are other texts, and rounds decimals otherwise.
local function name(o)
  if o == nil then return "nil" end
  if order[o] then return "o" .. order[o] end
  if type(o) == "userdata" or is_jit and type(o) == "number" and o > 2 ^ 32 and o < 2 ^ 54 then return "?" end
  return type(o) == "number" and ("%a"):format(o) or tostring(o)
end

local function told(...)
  local parts = {}
  for i = 1, select("#", ...) do parts[i] = name((select(i, ...))) end
  return table.concat(parts, " ")
end

local function settings()
  return {
    limit = pick(1 / 0, 20, 5), idle_limit = pick(1 / 0, 30, 4), grow = pick(1, 3, 8), prealloc = pick(0, 0, 3),
    overflow = pick("refuse", "oldest", "grow"), order = pick("fifo", "lifo"), vx = random(3), ay = random(2),
    fields = { hp = random(5), armed = random(2) == 0, skin = library.keep(random(3)), target = library.ref },
  }
end

local function open()
  local walled, fading, child = settings(), settings(), settings()
  pools, others = new(), new()
  walled.bounds = { x = -5, y = -5, w = 10, h = 10, outside = pick("recycle", "wrap", "bounce", "clamp") }
  fading.over_life, fading.on_parent_end = { a = { 1, 0, 0.5 }, spin = { 0, 2 } }, "detach"
  child.extends, child.overflow = "Cube", "grow"
  child.motion = { gravity = 1, drag = 0.5, face_velocity = true }
  class(pools, "Cube", settings())
  class(pools, "Walled", walled)
  class(pools, "Fading", fading)
  local Child = class(pools, CHILD, child)
  function Child.alloc(self, ...)
    local o, why = Child.super.alloc(self, ...)
    if not o then return nil, why end
    if random(6) == 0 then error("on purpose", 0) end
    set(pools, o, "hp", random(9))
    return random(9) > 0 and o or nil
  end
  function Child.recycle(self, o)
    if random(4) == 0 then return false end
    return Child.super.recycle(self, o)
  end
  class(others, "Cube", is_jit and { grow = 1 } or nil)
end

-- }==

-- {== Calls ===================================================================

local ops = {}

function ops.alloc()
  local t = any_type()
  local life = t ~= CHILD and pick(0, 0, 2, 5, 40) * STEP or 0
  local ok, o, why = pcall(pools.alloc, pools, t, life, pick(nil, random(9) - 4), pick(nil, random(9) - 4),
    pick(nil, random(3)))
  if ok and o then
    objects[#objects + 1] = o
    order[o] = #objects
  end
  return t, ok, type(o) == "string" and (o:match "on purpose" or o:match "is full .*") or o, why
end

function ops.recycle()
  local o = object()
  if o then return name(o), pools:recycle(o) end
end

function ops.pool_recycle()
  local o, t = object(), any_type()
  if o then return t, pools:pool(t):recycle(o) end
end

function ops.get()
  local o, field = object(), FIELDS[random(#FIELDS) + 1]
  if o then return field, get(pools, o, field) end
end

function ops.set()
  local o, field = object(), FIELDS[random(#FIELDS) + 1]
  if not o then return end
  local is_child, other = get(pools, o, "type") == CHILD, object()
  if VALUES[field] then return field, set(pools, o, field, random(40) / 4 - 4) end
  if FLAGS[field] then return set(pools, o, field, random(2) == 0) end
  if field == "remaining" and not is_child then return field, (set(pools, o, field, random(10) * STEP)) end
  if field == "target" or field == "parent" and not is_child then
    return field, (pcall(set, pools, o, field, pools:is_live(other) and other ~= o and other or nil))
  end
end

function ops.update()
  pools:update(pick(1, 1, 2, 0.5, 0) * STEP)
  return pools.time
end

function ops.limit()
  local pool = plain_pool()
  pool.limit, pool.idle_limit = pick(1 / 0, 30, 6, 2), pick(1 / 0, 9, 3)
  return pool.limit, pool.idle_limit
end

function ops.overflow()
  local pool, policy = plain_pool(), pick("refuse", "oldest", "grow", "error")
  pool.overflow = policy
  return pool.overflow == policy
end

function ops.clock()
  pools.time_scale, pools.paused = pick(1, 1, 0.5, 2), random(8) == 0
  return pools.time_scale, pools.paused
end

function ops.others()
  local o, mine = others:alloc "Cube", object()
  return pools:is_live(o), others:is_live(o), told(pools:recycle(o)), told(others:recycle(mine or o)),
    told(others:recycle(o))
end

function ops.remove()
  if random(30) > 0 then return end
  local pool, o = plain_pool(), object()
  local t = pool.type
  return t, told(pools:remove(t)), told(pool:alloc()), told(o and pool:recycle(o)), told(pools:remove(t))
end

function ops.stock()
  local pool = plain_pool()
  return pool:prewarm(random(8)), random(2) == 0 and pool:trim() or pool:clear()
end

function ops.recycle_all() return random(5) == 0 and plain_pool():recycle_all() end

function ops.walk()
  local list, t = {}, any_type()
  for o in pools:pool(t):each() do list[#list + 1] = name(o) end
  return t, table.concat(list, ",")
end

function ops.overlaps()
  local list = {}
  local count = pools:pool(TYPES[1]):overlaps(pools:pool(TYPES[2]), function(a, b)
    list[#list + 1] = name(a) .. "+" .. name(b)
    if random(3) == 0 then pools:recycle(pick(a, b)) end
  end)
  return count, table.concat(list, ",")
end

function ops.snapshot()
  if snapshot and random(2) == 0 then
    local done = pools:restore(snapshot)
    for i = #objects, kept + 1, -1 do order[objects[i]], objects[i] = nil, nil end
    return "restore", done
  end
  snapshot, kept = pools:snapshot(snapshot), #objects
  return "take", snapshot ~= nil
end

function ops.stats()
  local s = pools:stats(pick(nil, any_type()))
  return s.live, s.idle, s.peak, s.allocs, s.recycles, s.expired, s.refused, s.evicted, s.created, s.destroyed
end

-- }==

local function tell_all()
  for _, type in ipairs(TYPES) do
    local pool = pools:pool(type)
    print(type, pool.live, pool.idle, pool.total, pool.peak)
    for o in pool:each() do
      local values = {}
      for i, field in ipairs(FIELDS) do values[i] = name((get(pools, o, field))) end
      print(name(o), table.concat(values, " "))
    end
  end
end

return function(seed, steps)
  state = seed * 7919 + 17
  open()
  local list = { "alloc", "alloc", "set", "update", "update" } -- more often than others
  for op in pairs(ops) do list[#list + 1] = op end
  table.sort(list)
  for step = 1, steps do
    local op = list[random(#list) + 1]
    print(("%d %s %s"):format(step, op, told(ops[op]())))
    if step % 8 == 0 then tell_all() end
  end
  local last = object()
  print(told(pools:close()), told(pools:alloc "Cube"), told(pools:recycle(last)), told(pools:update(1)))
  others:close()
end
