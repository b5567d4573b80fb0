-- Operations of the random test on objects and pools: each does the same to the library and to the model, and compares.
local model <const> = require "model"
local spawnpool <const> = require "spawnpool"

local random <const>, pick <const>, expect <const>, same <const> = model.random, model.pick, model.expect, model.same
local STEP <const>, TYPES <const> = model.STEP, model.TYPES

local ops <const> = {}

local function a_type() return TYPES[random(#TYPES) + 1] end

-- {== Filters ===============================================================

local is_a <const> = { Bare = { "Bare" }, Toy = { "Toy", "Car" }, Car = { "Car" }, Leaf = { "Leaf" } }
local groups <const> = { toys = { "Toy", "Car", "Leaf" }, none = {} }

-- A filter, and the set of types that it takes.
local function a_filter()
  local type <const> = a_type()
  local form <const> = random(5)
  local filter, list = nil, TYPES
  if form == 0 then filter, list = { type = type }, { type } end
  if form == 1 then filter, list = { class = pick(type, spawnpool.class(type)) }, is_a[type] end
  if form == 2 then
    local group <const> = pick("toys", "toys", "none")
    filter, list = { group = group }, groups[group]
  end
  if form == 3 then filter, list = type, { type } end
  local set <const> = {}
  for _, name in ipairs(list) do set[name] = true end
  return filter, set
end

-- }==

-- {== Alloc =================================================================

-- Returns nil when there is room, else the record to recycle, or why the alloc is refused.
local function make_room(p)
  if p.live < p.limit or p.overflow == "grow" then return nil end
  if p.overflow == "refuse" then return nil, "full" end
  if p.overflow == "error" then return nil, "error" end
  if type(p.overflow) == "function" then
    local victim <const> = model.any(pick(p.type, p.type, a_type()))
    model.chosen = pick(victim and victim.o, victim and victim.o, 5)
    if victim and victim.o == model.chosen and victim.type == p.type and not victim.sticky then return victim end
    return nil, "full"
  end
  for _, rec in ipairs(model.list(p.type)) do
    if not rec.pinned and not rec.sticky then return rec end
  end
  return nil, "full"
end

-- The victim of a type without hooks is known to be gone only afterwards.
local function settle_victim(victim)
  if victim and victim.type == "Bare" then
    expect(not victim.o.alive, "%s should be evicted", victim.o)
    model.died(victim)
  end
  expect(not victim or victim.dead, "%s should be evicted", victim and victim.o)
end

local function new_fields(type, parent)
  local values <const> = { x = random(200), y = random(200), radius = random(20), pinned = random(8) == 0 }
  if model.has_fields(type) then
    values.n, values.sticky = random(9), type == "Car" and random(6) == 0
    -- An alloc that fails may leave it to an object that is not known.
    if not model.suicide and not model.failing and not parent then values.k = random(9) end
    values.parent = parent and parent.o
  end
  return values
end

-- Calls one of the doors; returns the outcome of pcall, and the field values given.
local function call_alloc(type, lifetime, parent)
  local pools <const> = model.pools
  local seconds <const> = lifetime * STEP
  local door <const> = parent and random(2) or random(6)
  if door == 0 then
    local values <const> = new_fields(type, parent)
    return values, pcall(pools.alloc, pools, type, seconds, values)
  end
  if door == 1 then
    local x <const>, y <const> = random(200), random(200)
    return { x = x, y = y, parent = parent and parent.o },
      pcall(pools.alloc, pools, type, seconds, x, y, 0, parent and parent.o)
  end
  if door == 2 then return {}, pcall(function() return pools:pool(type):alloc(seconds) end) end
  if door == 3 and lifetime == 0 then return {}, pcall(pools.alloc, pools, type) end
  return {}, pcall(pools.alloc, pools, type, seconds)
end

-- In a coroutine, or not: a hook that yields is an error in both.
local function call_somehow(...)
  if random(3) > 0 then return call_alloc(...) end
  return coroutine.wrap(call_alloc)(...)
end

local function check_new(rec, given)
  for name, value in pairs(given) do
    if name == "parent" then
      rec.parent = model.recs[value]
      rec.parent.kids[rec] = true
    else
      rec[name] = value
    end
  end
  if rec.pinned == nil then rec.pinned = false end
  same(rec.o.pinned, rec.pinned, "pinned of %s", rec.o)
  if given.x then same(rec.o.x, given.x, "x of %s", rec.o) end
  if given.k then model.pool_of(rec.type).kept[rec.id] = given.k end
  model.check_object(rec)
end

function ops.alloc()
  local type <const> = a_type()
  local lifetime <const> = pick(0, 0, random(60) + 1, random(600) + 1)
  local parent = model.has_fields(type) and random(3) == 0 and model.any(pick("Toy", "Car", "Leaf")) or nil
  model.settle(type)
  local p <const> = model.pool_of(type)
  local hooked <const> = type ~= "Bare" and model.depth == 0
  model.suicide, model.failing = hooked and random(30) == 0, hooked and random(30) == 0
  model.yielding = hooked and not model.suicide and random(40) == 0
  model.failing = model.failing or model.yielding
  local victim <const>, refused <const> = make_room(p)
  model.victim = victim
  local given <const>, ok <const>, o <const>, why <const> = call_somehow(type, lifetime, parent)
  model.victim = nil
  local suicide <const>, failing <const> = model.suicide, model.failing
  model.suicide, model.failing, model.yielding = false, false, false
  if refused == "error" then
    return expect(not ok and tostring(o):find("full", 1, true), "alloc of %s: %s", type, o)
  end
  if refused then return expect(ok and o == nil and why == "full", "alloc of %s: %s, %s", type, o, why) end
  settle_victim(victim)
  model.use_idle(p)
  if parent and parent.dead and given.parent then
    model.give_back(p)
    return expect((ok and o == nil and why == "stale") or not ok, "child of the dead: %s, %s", o, why)
  end
  if failing then
    model.give_back(p)
    return expect(not ok, "failing alloc of %s: %s", type, o)
  end
  if suicide then
    model.give_back(p)
    return expect(ok and o == nil and why == "recycled", "suicidal alloc of %s: %s, %s", type, o, why)
  end
  expect(ok and o, "alloc of %s: %s, %s", type, o, why)
  check_new(model.born(o, type, lifetime), given)
end

function ops.prewarm()
  local type <const> = a_type()
  model.settle(type)
  local p <const>, pools <const> = model.pool_of(type), model.pools
  if random(2) == 0 then
    local o <const>, why <const> = pools:alloc(type, -1)
    expect(o == nil and why == "prewarmed", "prewarm: %s, %s", o, why)
    model.prewarm(p, p.prealloc > 0 and p.prealloc or p.grow)
  elseif random(2) == 0 then
    p.slice = { goal = random(40), per = random(6) + 1, from = pools.time + random(20) * STEP }
    local options <const> = { per_frame = p.slice.per, delay = p.slice.from - pools.time }
    same(pools:pool(type):prewarm(p.slice.goal, options), 0, "prewarm in slices")
    if p.slice.goal == 0 then p.slice = nil end
  else
    local goal <const> = random(30)
    same(pools:pool(type):prewarm(goal), model.prewarm(p, goal), "prewarm of %s", type)
  end
end

-- }==

-- {== Take ==================================================================

function ops.take()
  local pools <const> = model.pools
  for _, type in ipairs(TYPES) do model.settle(type) end
  local filter, set = a_filter()
  local p
  for _, type in ipairs(model.order) do
    local candidate <const> = model.by_type[type]
    if not p and candidate and set[type] and candidate.idle > 0 then p = candidate end
  end
  local victim, refused
  if p then victim, refused = make_room(p) end
  model.victim = victim
  local wanted, asked = p and random(p.idle) + 1 or 1, 0
  local by_function = random(2) == 0
  local function choose(o)
    if o.type ~= (p and p.type) then return false end
    expect(not o.alive and not model.recs[o], "take asks about %s", o)
    asked = asked + 1
    return asked == wanted
  end
  local ok, o, why
  if p and random(3) == 0 then
    by_function, filter = by_function and random(2) == 0, p.type
    ok, o, why = pcall(function() return pools:pool(p.type):take(by_function and choose or nil) end)
  else
    ok, o, why = pcall(pools.take, pools, by_function and choose or filter or "Nothing")
  end
  model.victim = nil
  if not p or not (by_function or filter) then return expect(ok and why == "none", "take: %s, %s", o, why) end
  if refused == "error" then return expect(not ok, "take of a full pool: %s", o) end
  if refused then return expect(ok and why == "full", "take of a full pool: %s, %s", o, why) end
  settle_victim(victim)
  expect(ok and o and o.type == p.type, "take of %s: %s, %s", p.type, o, why)
  p.idle = p.idle - 1
  check_new(model.born(o, p.type, 0), {})
end

-- }==

-- {== Recycle ===============================================================

function ops.recycle()
  local rec <const> = model.any()
  if not rec then return end
  model.settle(rec.type)
  if rec.dead then return end
  local pools <const>, o <const> = model.pools, rec.o
  model.target, model.ending = rec, "recycled"
  local done, why
  local door <const> = random(4)
  if door == 0 then done, why = pools:recycle(o)
  elseif door == 1 then done, why = o:recycle()
  elseif door == 2 then done, why = o.pool:recycle(o)
  else done, why = pools:pool(o.type == "Bare" and "Leaf" or "Bare"):recycle(o) end
  model.target, model.ending = nil, nil
  if door == 3 then
    model.pool_of(rec.type == "Bare" and "Leaf" or "Bare")
    return expect(done == false and why == "foreign", "recycle in another pool: %s, %s", done, why)
  end
  if rec.sticky then return expect(done == false and why == "vetoed", "recycle of sticky: %s, %s", done, why) end
  expect(done == true, "recycle of %s: %s, %s", o, done, why)
  if rec.type == "Bare" then model.died(rec) end
  expect(rec.dead and not o.alive, "%s lives on", o)
end

function ops.recycle_dead()
  local o <const> = model.dead[random(64) + 1]
  if not o then return end
  local done, why = model.pools:recycle(o)
  expect(done == false and why == "stale", "recycle of the dead: %s, %s", done, why)
  done, why = o:recycle()
  expect(done == false and why == "stale", "recycle of the dead: %s, %s", done, why)
  expect(not pcall(function() return o.x end), "%s can be read", o)
  expect(not o.alive and not model.pools:is_live(o), "%s is alive", o)
end

function ops.recycle_all()
  if random(4) ~= 0 then return end
  local pools <const> = model.pools
  for _, type in ipairs(TYPES) do model.settle(type) end
  local filter, set = a_filter()
  local want = 0
  model.ending = "cleared"
  if random(3) == 0 then
    local left = random(5)
    filter = function(o)
      left = left - 1
      local chosen <const> = left >= 0 and model.recs[o].type == "Leaf"
      if chosen then want = want + 1 end
      return chosen
    end
    set = {}
  end
  local bare <const> = set.Bare and model.list "Bare" or {}
  local before <const> = model.count
  local single <const> = type(filter) == "string" and random(2) == 0 and model.by_type[filter]
  local count <const> = single and pools:pool(filter):recycle_all() or pools:recycle_all(filter)
  model.ending = nil
  for _, rec in ipairs(bare) do model.died(rec) end
  expect(count <= before - model.count and (want == 0 or count == want), "recycle_all: %s, expected %s", count, want)
  for _, rec in pairs(model.recs) do expect(rec.sticky or not set[rec.type], "%s is left", rec.o) end
end

-- }==

-- {== Whole pools ===========================================================

function ops.clear()
  if random(4) ~= 0 then return end
  for _, type in ipairs(TYPES) do model.settle(type) end
  local filter <const>, set <const> = a_filter()
  local want = 0
  for _, type in ipairs(TYPES) do
    local p <const> = model.by_type[type]
    if p and set[type] then p.idle, want = 0, want + p.idle end
  end
  local single <const> = type(filter) == "string" and random(2) == 0 and model.by_type[filter]
  same(single and model.pools:pool(filter):clear() or model.pools:clear(filter), want, "clear")
end

function ops.trim()
  local type <const> = a_type()
  model.settle(type)
  local p <const> = model.pool_of(type)
  local want <const> = math.max(0, p.idle - model.classes[type].prealloc)
  p.idle = p.idle - want
  same(model.pools:pool(type):trim(), want, "trim of %s", type)
end

function ops.remove()
  if random(10) ~= 0 then return end
  local type <const> = a_type()
  model.settle(type)
  local p <const> = model.by_type[type]
  local live <const>, total <const> = p and p.live or 0, p and p.live + p.idle or 0
  if p and (model.busy[type] or 0) > 0 then
    local done <const>, why <const> = model.pools:remove(type)
    return expect(done == false and why == "busy", "remove: %s, %s", done, why)
  end
  local bare <const> = type == "Bare" and model.list "Bare" or {}
  local kept <const> = model.list(type)
  model.ending = "removed"
  local recycled <const>, destroyed <const> = model.pools:remove(type)
  model.ending = nil
  for _, rec in ipairs(bare) do model.died(rec) end
  for _, rec in ipairs(kept) do expect(rec.dead, "%s outlives its pool", rec.o) end
  expect(recycled == live and destroyed == total, "remove of %s: %s, %s, expected %s, %s", type, recycled, destroyed,
    live, total)
  model.by_type[type] = nil
  for i = #model.order, 1, -1 do
    if model.order[i] == type then table.remove(model.order, i) end
  end
end

-- }==

-- {== Settings ==============================================================

local function drain(p)
  p.idle = math.min(p.idle, p.idle_limit)
end

function ops.limits()
  local type <const> = a_type()
  model.settle(type)
  local p <const>, pool <const> = model.pool_of(type), model.pools:pool(type)
  local what <const> = random(5)
  if what == 0 then
    p.limit = pick(0, 1, 5, 20, 40, math.huge)
    pool.limit = p.limit
  elseif what == 1 then
    p.idle_limit = pick(0, 1, 5, 20, math.huge)
    pool.idle_limit = p.idle_limit
  elseif what == 2 then
    p.grow = random(10) + 1
    pool.grow = p.grow
  else
    p.overflow = pick("refuse", "oldest", "oldest", "grow", "error", function() return model.chosen end)
    pool.overflow, p.overflow_set = p.overflow, true
  end
  drain(p)
end

function ops.declare()
  if random(20) ~= 0 then return end
  local type <const> = a_type()
  model.settle(type)
  local p <const> = model.by_type[type]
  local speed <const> = model.has_fields(type) and model.speed(type)
  local new <const>, old <const> = model.declare(type)
  for _, rec in pairs(model.recs) do
    local follows <const> = rec.type == type or (type == "Toy" and rec.type == "Car")
    if follows and new.speed and rec.speed == speed then rec.speed = new.speed end
  end
  if not p then return end
  for _, name in ipairs { "limit", "idle_limit", "grow" } do
    if new[name] ~= old[name] then p[name] = new[name] end
  end
  if new.overflow ~= old.overflow then
    p.overflow_set = false
    p.overflow = new.overflow
  elseif not p.overflow_set then
    p.overflow = new.overflow
  end
  drain(p)
  if new.prealloc > p.prealloc then model.prewarm(p, new.prealloc) end
  p.prealloc = new.prealloc
end

-- }==

return { list = ops, a_type = a_type, a_filter = a_filter }
