-- Random calls, the same in Lua 5.4 and in LuaJIT: `play(seed, steps)` prints after each call what came of it, and now
-- and then all fields of all objects. Both must print the same.
local both = require "both"
local get, set, show = both.get, both.set, both.show

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
local VALUES = {}
for name in ("x y vx vy ax ay angle spin scale a radius hp skin scale_x"):gmatch "%a+" do VALUES[name] = true end

return function(seed, steps)
  state = seed * 7919 + 17
  local lib, pools, types, objects, order, snapshot, kept = both.library, both.new { misuse = "ignore" }, {}, {}, {},
    nil, nil
  local prefix, others = "S" .. seed, both.new { misuse = "ignore" }
  local function settings()
    return {
      limit = pick(1 / 0, 20, 5), idle_limit = pick(1 / 0, 30, 4), grow = pick(1, 3, 8), prealloc = pick(0, 0, 3),
      overflow = pick("refuse", "oldest", "grow"), order = pick("fifo", "lifo"), vx = random(3), ay = random(2),
      fields = { hp = random(5), armed = random(2) == 0, skin = lib.keep(random(3)), target = lib.ref },
    }
  end
  for i = 1, 4 do
    types[i] = prefix .. "T" .. i
    local definition = settings()
    if i == 2 then definition.bounds = { x = -5, y = -5, w = 10, h = 10, outside = pick("recycle", "wrap", "bounce",
      "clamp") } end
    if i == 3 then definition.over_life, definition.on_parent_end = { a = { 1, 0, 0.5 }, spin = { 0, 2 } }, "detach" end
    if i == 4 then
      definition.overflow = "grow"
      definition.extends, definition.motion = types[1], { gravity = 1, drag = 0.5, face_velocity = true }
      local Class = both.class(pools, types[i], definition)
      function Class.alloc(self, ...)
        local o, why = Class.super.alloc(self, ...)
        if not o then return nil, why end
        if random(6) == 0 then error("on purpose", 0) end
        set(pools, o, "hp", random(9))
        return random(9) > 0 and o or nil
      end
      function Class.recycle(self, o)
        if random(4) == 0 then return false end
        return Class.super.recycle(self, o)
      end
    else
      both.class(pools, types[i], definition)
    end
  end
  both.class(others, types[1], both.is_jit and { grow = 1 } or nil)
  -- Ends that no script asks for are not overridden in LuaJIT: those of the last type have none, and no parent.
  local function type_of() return types[random(4) + 1] end
  local function plain_type() return types[random(3) + 1] end
  local function name(o)
    if o == nil then return "nil" end
    if order[o] then return "o" .. order[o] end
    local is_object = type(o) == "userdata" or
      both.is_jit and type(o) == "number" and o > 2 ^ 32 and o < 2 ^ 54
    return is_object and "?" or show(o)
  end
  local function object() return #objects > 0 and objects[random(#objects) + 1] or nil end
  local function told(...)
    local parts = {}
    for i = 1, select("#", ...) do parts[i] = name((select(i, ...))) end
    return table.concat(parts, " ")
  end
  local ops = {}
  function ops.alloc()
    local t = type_of()
    local life = t ~= types[4] and pick(0, 0, 2, 5, 40) * both.STEP or 0
    local ok, o, why = pcall(pools.alloc, pools, t, life, pick(nil, random(9) - 4), pick(nil, random(9) - 4),
      pick(nil, random(3)))
    if ok and o then
      objects[#objects + 1] = o
      order[o] = #objects
    end
    return t, ok, type(o) == "string" and (o:match "on purpose" or o:match "is full .*") or o, why
  end
  ops.alloc2, ops.alloc3 = ops.alloc, ops.alloc
  function ops.recycle()
    local o = object()
    if o then return name(o), pools:recycle(o) end
  end
  function ops.pool_recycle()
    local o, t = object(), type_of()
    if o then return t, pools:pool(t):recycle(o) end
  end
  function ops.get()
    local o, field = object(), FIELDS[random(#FIELDS) + 1]
    if o then return field, get(pools, o, field) end
  end
  function ops.set()
    local o, field = object(), FIELDS[random(#FIELDS) + 1]
    if o and VALUES[field] then return field, set(pools, o, field, random(40) / 4 - 4) end
    if o and field == "remaining" and get(pools, o, "type") ~= types[4] then set(pools, o, field,
      random(10) * both.STEP) end
    if o and (field == "visible" or field == "pinned" or field == "armed") then return set(pools, o, field,
      random(2) == 0) end
    if o and (field == "target" or field == "parent" and get(pools, o, "type") ~= types[4]) then
      local other = object()
      return field, (pcall(set, pools, o, field, pools:is_live(other) and other ~= o and other or nil))
    end
  end
  ops.set2 = ops.set
  function ops.update()
    pools:update(pick(1, 1, 2, 0.5, 0) * both.STEP)
    return pools.time
  end
  ops.update2, ops.update3 = ops.update, ops.update
  function ops.limit()
    local pool = pools:pool(plain_type())
    pool.limit, pool.idle_limit = pick(1 / 0, 30, 6, 2), pick(1 / 0, 9, 3)
    return pool.limit, pool.idle_limit
  end
  function ops.overflow()
    local pool, policy = pools:pool(plain_type()), pick("refuse", "oldest", "grow", "error")
    pool.overflow = policy
    return pool.overflow == policy
  end
  function ops.clock()
    pools.time_scale, pools.paused = pick(1, 1, 0.5, 2), random(8) == 0
    return pools.time_scale, pools.paused
  end
  function ops.others()
    local o, mine = others:alloc(types[1]), object()
    return pools:is_live(o), others:is_live(o), told(pools:recycle(o)), told(others:recycle(mine or o)),
      told(others:recycle(o))
  end
  function ops.anything()
    local value = pick(0, -1, 1.5, 2 ^ 53, 1 / 0, "x", print, true)
    return pools:is_live(value), pools:is_live(nil), pools:is_live()
  end
  function ops.remove()
    if random(30) > 0 then return end
    local t, o = plain_type(), object()
    local pool = pools:pool(t)
    return t, told(pools:remove(t)), told(pool:alloc()), told(o and pool:recycle(o)), told(pools:remove(t))
  end
  function ops.stock()
    local pool = pools:pool(plain_type())
    return pick("prewarm", "clear", "trim"), pool:prewarm(random(8)), random(2) == 0 and pool:trim() or pool:clear()
  end
  function ops.recycle_all() return random(5) == 0 and pools:pool(plain_type()):recycle_all() end
  function ops.walk()
    local list, t = {}, type_of()
    for o in pools:pool(t):each() do list[#list + 1] = name(o) end
    return t, table.concat(list, ",")
  end
  function ops.overlaps()
    local list = {}
    local count = pools:pool(types[1]):overlaps(pools:pool(types[2]), function(a, b)
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
    local s = pools:stats(pick(nil, type_of()))
    return s.live, s.idle, s.peak, s.allocs, s.recycles, s.expired, s.refused, s.evicted, s.created, s.destroyed
  end
  local function tell_all()
    for _, type in ipairs(types) do
      local pool = pools:pool(type)
      print(type, pool.live, pool.idle, pool.total, pool.peak)
      for o in pool:each() do
        local values = {}
        for i, field in ipairs(FIELDS) do values[i] = name((get(pools, o, field))) end
        print(name(o), table.concat(values, " "))
      end
    end
  end
  local list = {}
  for op in pairs(ops) do list[#list + 1] = op end
  table.sort(list)
  for step = 1, steps do
    local op = list[random(#list) + 1]
    print(("%d %s %s"):format(step, op, told(ops[op]())))
    if step % 8 == 0 then tell_all() end
  end
  local last = object()
  print(("%s, %s, %s"):format(told(pools:close()), told(pools:alloc(types[1])), told(pools:recycle(last))))
  print(("%s, %s"):format(told(pools:update(1)), tostring(pools)))
  others:close()
end
