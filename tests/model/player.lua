-- The calls of a game as Lua makes them: play_lua.c calls the functions of the table that this returns, by the names of
-- the calls, and gets their results. `native` has what hooks tell it. Pools are numbers: 0, 1 and 2 for A, B and C.
local native <const> = ...
local spawnpool <const> = require "spawnpool"

local TYPES <const> = { [0] = "A", "B", "C" }
local COLUMNS <const> = { "x", "y", "vx", "vy", "ax", "ay", "angle", "spin" }
local RADIUS <const>, STEP <const> = 8, 1 / 64
local number_of <const> = { A = 0, B = 1, C = 2 }
local UNLIMITED <const> = 4294967295
local calls <const>, settings <const> = {}, {}
local pools, snapshot

-- {== Classes ===============================================================

local function add_hooks(class, pool)
  function class:on_create(o) native.note(pool, "create", o) end
  function class:on_spawn(o, fresh)
    if not native.note(pool, "spawn", o, fresh) then error("refused", 0) end
  end
  function class:on_despawn(o, why) native.note(pool, "despawn", o, why) end
  function class:recycle(o, why)
    if native.note(pool, "recycle", o, why) then class.super.recycle(self, o) end
  end
  if pool < 2 then return end
  function class:alloc(...)
    local o <const>, why <const> = class.super.alloc(self, ...)
    if o and not native.note(pool, "alloc", o) then return nil end
    return o, why
  end
  function class:on_reject(o) native.note(pool, "reject", o) end
  function class:on_destroy(o) native.note(pool, "destroy", o) end
  function class:update(dt) native.note(pool, "update", nil, dt) end
end

local overflows <const> = { "refuse", "oldest", "grow" }
for pool = 0, 2 do
  overflows[TYPES[pool]] = function() return native.victim(pool) end
end

local function limit(count) return count == UNLIMITED and math.huge or count end

local function policy(pool, index) return overflows[index + 1] or overflows[TYPES[pool]] end

-- Declares a class. Its settings are those that it has, unless `anew`: what the pool has been given stays.
local function declare(pool, shape, anew)
  local type <const> = TYPES[pool]
  local is_new <const> = not settings[type]
  if is_new or anew then
    settings[type] = {
      prealloc = shape.prealloc, grow = shape.grow, limit = limit(shape.limit), idle_limit = limit(shape.idle_limit),
      order = ({ [0] = "compact", "fifo", "lifo" })[shape.order], overflow = policy(pool, shape.overflow),
    }
  end
  local definition <const> = {
    motion = { gravity = shape.gravity, drag = shape.drag, face_velocity = shape.face_velocity == 1 },
    over_life = shape.fades == 1 and { a = { 0.5, 1, 0 } } or nil,
    on_parent_end = shape.detaches == 1 and "detach" or "recycle",
    radius = RADIUS, layer = math.tointeger(shape.value) - 10,
    fields = {
      kept = shape.keeps == 1 and spawnpool.keep(shape.value + 100) or shape.value + 100,
      value = shape.live == 1 and spawnpool.live(shape.value) or shape.value,
    },
  }
  for name, value in pairs(settings[type]) do definition[name] = value end
  for i, name in ipairs(COLUMNS) do definition[name] = shape[i] end
  if shape.outside > 0 then
    local outside <const> = ({ "recycle", "wrap", "bounce", "clamp" })[shape.outside]
    definition.bounds = { x = shape.x, y = shape.y, w = shape.w, h = shape.h, outside = outside }
  end
  if shape.box_w > 0 then definition.box = { w = shape.box_w, h = shape.box_h } end
  local class <const> = spawnpool.class(type, definition)
  if is_new and pool > 0 then add_hooks(class, pool) end
end

-- }==

-- {== Managers and pools ====================================================

function calls.open(...)
  for i, shape in ipairs { ... } do declare(i - 1, shape, true) end
  pools, snapshot = spawnpool.new { step = STEP, misuse = "ignore" }, nil
  native.opened(pools)
  for pool = 0, 2 do pools:pool(TYPES[pool]) end
end

function calls.close(...)
  local kept <const> = snapshot
  snapshot = nil
  local recycled <const>, why <const> = pools:close()
  if recycled then calls.open(...) else snapshot = kept end
  return recycled and true, why
end

function calls.remove(pool, shape)
  local recycled <const>, destroyed <const> = pools:remove(TYPES[pool])
  if not recycled then return nil, destroyed end
  declare(pool, shape, true)
  pools:pool(TYPES[pool])
  return true, nil, recycled, destroyed
end

function calls.redefine(pool, shape) declare(pool, shape) return true end

function calls.configure(pool, shape)
  local p <const> = pools:pool(TYPES[pool])
  local idle_limit <const> = limit(shape.idle_limit)
  if idle_limit > (p.idle_limit or math.huge) then p.idle_limit = idle_limit end
  p.limit, p.grow, p.overflow = limit(shape.limit), shape.grow, policy(pool, shape.overflow)
  p.idle_limit = idle_limit -- a lower one comes last: it destroys what is too much
  return true
end

-- The results of a call that has a number, or nothing and the reason.
local function counted(count, why) return count and true, why, count end

function calls.prewarm(pool, count) return counted(pools:pool(TYPES[pool]):prewarm(count)) end

function calls.prewarm_slowly(pool, count, per_frame, delay)
  local _ <const>, why = pools:pool(TYPES[pool]):prewarm(count, { per_frame = per_frame, delay = delay })
  return not why, why
end

for _, name in ipairs { "recycle_all", "clear", "trim" } do
  calls[name] = function(pool)
    local p <const> = pools:pool(TYPES[pool])
    return counted(p[name](p))
  end
end

function calls.add(pool, value) return counted(pools:pool(TYPES[pool]):add(COLUMNS[value % 8 + 1], value)) end

function calls.clock(scale, paused)
  pools.time_scale, pools.paused = scale, paused
  return true
end

function calls.update(dt) return pools:update(dt) end

function calls.snapshot()
  local taken <const>, why <const> = pools:snapshot(snapshot)
  snapshot = taken or snapshot
  return taken and true, why
end

function calls.restore()
  if not snapshot then return nil, "none" end
  return pools:restore(snapshot)
end

-- A timer given by a function cannot be saved.
function calls.save()
  local text <const>, why <const> = pools:save()
  if not text then return why:find "function" and true, why end
  local loaded <const> = spawnpool.load(text)
  if loaded:hash() ~= pools:hash() then error "the hash of what was loaded" end
  loaded:close()
  return true
end

-- }==

-- {== Objects ===============================================================

local function written(value, pinned, into)
  if value % 2 == 1 then into.x, into.vx = value % 100, value % 7 end
  into[COLUMNS[value // 100 % 8 + 1]] = value % 9 - 4
  into.value, into.kept, into.pinned = value, value % 50, pinned
  return into
end

function calls.alloc(pool, lifetime) return pools:alloc(TYPES[pool], lifetime) end

function calls.alloc_at(pool, lifetime, value)
  return pools:alloc(TYPES[pool], lifetime, value, value % 50, value % 3)
end

function calls.commit(pool, lifetime, value, pinned)
  return pools:pool(TYPES[pool]):alloc(lifetime, written(value, pinned, {}))
end

function calls.take(pool, _, index)
  local seen = -1
  return pools:pool(TYPES[pool]):take(function()
    seen = seen + 1
    return seen == index
  end)
end

function calls.recycle(o, way)
  if way == 0 then return pools:recycle(o) end
  return o:recycle()
end

function calls.set_remaining(o, seconds)
  o.remaining = seconds
  return true
end

function calls.write(o, value, pinned)
  written(value, pinned, o)
  return true
end

function calls.set_parent(o, parent)
  o.parent = parent
  return true
end

local function fire(o) return native.note(number_of[o.type], "timer", o) end

function calls.timer_start(o, seconds, period)
  if period > 0 then o:every(period, fire) else o:after(seconds, fire) end
  return true, nil, 1
end

-- }==

-- {== Queries ===============================================================

function calls.within(pool, x, radius)
  return true, nil, pools:pool(TYPES[pool]):within(x, 0, radius, function(o)
    native.note(number_of[o.type], "within", o)
  end)
end

function calls.nearest(pool, x)
  local o <const>, distance <const> = pools:pool(TYPES[pool]):nearest(x, 0)
  return o, nil, 0, 0, distance
end

function calls.overlaps(pool, other)
  return true, nil, pools:pool(TYPES[pool]):overlaps(pools:pool(TYPES[other]), function(o)
    native.note(number_of[o.type], "overlaps", o)
  end)
end

function calls.walk(pool)
  local count = 0
  native.walks(1)
  for o in pools:pool(TYPES[pool]):each() do
    native.note(pool, "walk", o)
    count = count + 1
  end
  native.walks(-1)
  return true, nil, count
end

-- }==

return calls
