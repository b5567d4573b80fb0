-- A model of a manager in plain Lua tables: what must live, be idle, expire, fire and be refused. The operations of
-- model_ops.lua do the same to it and to the library, and every difference is an error that names seed and step.
local spawnpool <const> = require "spawnpool"

local STEP <const> = 1 / 64
local TYPES <const> = { "Bare", "Toy", "Car", "Leaf" }
local HUGE <const> = math.huge

local model <const> = { TYPES = TYPES, STEP = STEP, classes = {} }

-- {== Chance and blame ======================================================

function model.begin(seed)
  model.seed, model.inside = seed, 0
  model.turn(0)
  model.depth, model.busy, model.in_update = 0, {}, 0
  model.done, model.failure = "", nil
end

-- The numbers of a turn have nothing to do with those of the turns before: without them it is the same turn.
function model.turn(step)
  local x = model.seed * 2654435761 + step * 0x9e3779b97f4a7c15
  x = (x ~ (x >> 31)) * 0xbf58476d1ce4e5b9
  model.step, model.chance = step, (x ~ (x >> 29)) & 0xffffffff | 1
end

-- An integer from 0 to n - 1: a generator of its own, so that the library's seed has no say.
function model.random(n)
  local x = model.chance
  x = x ~ (x << 13 & 0xffffffff)
  x = x ~ (x >> 17)
  x = x ~ (x << 5 & 0xffffffff)
  model.chance = x
  return (x >> 3) % n
end

function model.pick(...)
  return (select(model.random(select("#", ...)) + 1, ...))
end

-- The first difference is the one to tell of, also when it shows in a callback, where errors are only reported.
function model.expect(holds, format, ...)
  if holds then return end
  local parts <const> = table.pack(...)
  for i = 1, parts.n do parts[i] = tostring(parts[i]) end
  local text <const> = format:format(table.unpack(parts, 1, parts.n))
  model.failure = model.failure or ("seed %d, step %d, %s: %s"):format(model.seed, model.step, model.done, text)
  error(model.failure, 2)
end

local expect <const>, random <const> = model.expect, model.random

-- The error that hooks raise on purpose. Any other error in a hook is a difference, also where errors are only
-- reported.
local ON_PURPOSE <const> = "on purpose"

local function told(done, ...)
  if done then return ... end
  local message <const> = ...
  if message ~= ON_PURPOSE and not tostring(message):find("yield", 1, true) then
    model.failure = model.failure or ("seed %d, step %d, %s: %s"):format(model.seed, model.step, model.done, message)
  end
  error(message, 0)
end

function model.guarded(fn)
  return function(...) return told(pcall(fn, ...)) end
end

-- Raises one time in `n`, but not where that would change what is expected.
function model.raise(n)
  if model.raising and random(n) == 0 then error(ON_PURPOSE, 0) end
end

function model.same(got, want, what, ...)
  if got == want then return end
  local parts <const> = table.pack(...)
  parts[parts.n + 1], parts[parts.n + 2] = tostring(got), tostring(want)
  expect(false, what .. ": got %s, expected %s", table.unpack(parts, 1, parts.n + 2))
end

-- }==

-- {== Time ==================================================================

function model.tick()
  return math.floor(model.pools.time / STEP + 1e-9)
end

-- The tick at which `ticks` from now have passed: later ones are whole, the next one is the soonest.
function model.due(ticks)
  local now <const> = model.pools.time / STEP
  return math.max(model.tick() + 1, math.ceil(now + ticks - 1e-6))
end

-- }==

-- {== Classes ===============================================================

local function settings()
  return {
    limit = model.pick(HUGE, 20, 5, 1), idle_limit = model.pick(HUGE, 30, 4, 0), grow = model.pick(1, 3, 8),
    overflow = model.pick("refuse", "oldest", "grow", "error", "oldest"), prealloc = model.pick(0, 0, 3),
  }
end

local function fields(speed)
  return {
    n = 7, speed = spawnpool.live(speed), k = spawnpool.keep(0), text = "t", flag = false, target = spawnpool.ref,
    box = spawnpool.any(), sticky = false, fresh = spawnpool.fresh(function(o) return { owner = o } end),
  }
end

local function add_overrides(class)
  function class:alloc(lifetime, ...)
    local o <const>, why <const> = class.super.alloc(self, lifetime, ...)
    if not o then return nil, why end
    return o
  end
  function class:recycle(o, why)
    if not o.sticky then
      model.raise(10) -- then it is finished without it
      return class.super.recycle(self, o)
    end
    local rec <const> = model.recs[o]
    if why == "expired" then rec.due, rec.was_sticky = nil, true end
    rec.spared = rec.spared or why == "parent"
  end
end

-- Hooks that tell the model what happens, and check that it may.
local function add_hooks(class, type)
  function class:on_spawn(o, _)
    expect(o.alive and o.type == self.type, "%s spawns", o)
    if model.suicide then o:recycle() end
    if model.yielding then coroutine.yield() end
    if model.failing then error(ON_PURPOSE, 0) end
  end
  function class:on_despawn(o, why)
    model.on_despawn(o, why)
    model.raise(10)
  end
  function class:on_destroy(o)
    expect(not o.alive, "%s is destroyed alive", o)
    model.pool_of(self.type).kept[o.id] = nil
    model.raise(10)
  end
  function class:update(_)
    if model.raising then model.raise(10) end
  end
  if type == "Car" then add_overrides(class) end
  for _, name in ipairs { "on_spawn", "on_despawn", "on_destroy", "update", "recycle" } do
    if rawget(class, name) then class[name] = model.guarded(class[name]) end
  end
end

-- Declares a class with settings of its own in every part, so that it inherits only fields.
function model.declare(type)
  local definition <const> = settings()
  local speed <const> = random(5)
  if type == "Toy" or type == "Leaf" then
    definition.fields, definition.group = fields(speed), "toys"
  end
  if type == "Car" then definition.extends = "Toy" end
  if type == "Leaf" then definition.on_parent_end = "detach" end
  local class <const> = spawnpool.class(type, definition)
  if type ~= "Bare" and not model.classes[type] then add_hooks(class, type) end
  local described <const> = model.classes[type] or {}
  model.classes[type] = definition
  definition.speed = definition.fields and speed
  return definition, described
end

function model.speed(type)
  return model.classes[type == "Car" and "Toy" or type].speed
end

function model.has_fields(type) return type ~= "Bare" end

-- }==

-- {== Pools =================================================================

local function prewarm_room(p, goal)
  local total <const> = p.live + p.idle
  return math.max(0, math.min(goal - total, p.limit - total, p.idle_limit - p.idle))
end

function model.prewarm(p, goal)
  local made <const> = prewarm_room(p, goal)
  p.idle = p.idle + made
  return made
end

-- Does the share of a prewarm in slices that comes at the beginning of an update of so many seconds.
function model.prewarm_slices(seconds)
  for _, p in pairs(model.by_type) do
    local slice <const> = p.slice
    if slice and model.pools.time + seconds >= slice.from - 1e-9 then
      model.prewarm(p, math.min(slice.goal, p.live + p.idle + slice.per))
      if prewarm_room(p, slice.goal) == 0 then p.slice = nil end
    end
  end
end

-- The model of a pool, made on first use as the pool itself is.
function model.pool_of(type)
  local p = model.by_type[type]
  if p then return p end
  local class <const> = model.classes[type]
  p = {
    type = type, live = 0, idle = 0, limit = class.limit, idle_limit = class.idle_limit, grow = class.grow,
    overflow = class.overflow, kept = {}, prealloc = class.prealloc,
  }
  model.by_type[type] = p
  model.order[#model.order + 1] = type
  model.prewarm(p, class.prealloc)
  return p
end

-- One more object is idle, or is not kept.
function model.give_back(p)
  if p.overflow == "grow" and p.live + p.idle + 1 > p.limit then return end
  if p.idle < p.idle_limit then p.idle = p.idle + 1 end
end

-- One leaves the idle list, made first when there is none.
function model.use_idle(p)
  if p.idle == 0 then
    local total <const> = p.live + p.idle
    local wanted <const> = p.limit <= total and 1 or math.min(p.grow, p.limit - total)
    local made = 0
    while made < wanted do
      if made > 0 and (p.idle >= p.idle_limit or p.live + p.idle >= p.limit) then break end
      p.idle, made = p.idle + 1, made + 1
    end
  end
  p.idle = p.idle - 1
end

-- }==

-- {== Lives =================================================================

function model.born(o, type, lifetime)
  local p <const> = model.pool_of(type)
  model.serial = model.serial + 1
  local rec <const> = {
    o = o, type = type, serial = model.serial, born = model.pools.time,
    due = lifetime > 0 and model.due(lifetime) or nil, id = o.id, kids = {}, timers = {}, x = o.x, y = o.y,
    radius = o.radius, n = 7, speed = model.speed(type), text = "t", flag = false, sticky = false,
  }
  rec.k = p.kept[rec.id] or 0
  expect(model.recs[o] == nil, "%s lives already", o)
  model.recs[o] = rec
  model.count = model.count + 1
  p.live = p.live + 1
  return rec
end

local function let_kids_go(rec)
  for kid in pairs(rec.kids) do
    kid.parent, kid.orphan = nil, true
    model.orphans[#model.orphans + 1] = kid
  end
  rec.kids = {}
end

function model.died(rec)
  local p <const> = model.pool_of(rec.type)
  model.recs[rec.o] = nil
  rec.dead = true
  model.count = model.count - 1
  p.live = p.live - 1
  model.give_back(p)
  if rec.parent then rec.parent.kids[rec] = nil end
  rec.parent = nil
  let_kids_go(rec)
  model.dead[model.serial % 64 + 1] = rec.o
end

-- Types without hooks are looked at when it matters: what is due may be dead already.
function model.settle(type)
  if type ~= "Bare" then return end
  local gone <const> = {}
  for o, rec in pairs(model.recs) do
    if rec.type == type and rec.due and rec.due <= model.tick() and not o.alive then gone[#gone + 1] = rec end
  end
  for _, rec in ipairs(gone) do model.died(rec) end
end

function model.on_despawn(o, why)
  local rec <const> = model.recs[o]
  expect(rec, "%s despawns twice", o)
  if why == "expired" then
    expect(rec.due == model.tick(), "%s expires at %s, expected %s", o, model.tick(), rec.due)
  elseif why == "evicted" then
    expect(model.victim == rec, "%s is evicted, expected %s", o, model.victim and model.victim.o)
  elseif why == "parent" then
    expect(rec.orphan, "%s ends with a parent that lives", o)
  else
    expect(model.ending == why and (why ~= "recycled" or model.target == rec), "%s is %s", o, why)
  end
  expect(not rec.sticky or why == "removed", "%s is sticky and ends", o)
  for name, value in pairs(rec.shown or {}) do model.same(o[name], value, "field %s of %s", name, o) end
  model.died(rec)
end

-- Live records of a type (nil: all), oldest first.
function model.list(type)
  local list <const> = {}
  for _, rec in pairs(model.recs) do
    if not type or rec.type == type then list[#list + 1] = rec end
  end
  table.sort(list, function(a, b) return a.serial < b.serial end)
  return list
end

function model.any(type)
  local list <const> = model.list(type)
  return list[random(math.max(1, #list)) + 1]
end

-- }==

-- {== Checks ================================================================

function model.check_object(rec)
  local o <const> = rec.o
  expect(o.alive, "%s should live", o)
  model.same(o.type, rec.type, "type of %s", o)
  model.same(o.id, rec.id, "id of %s", o)
  expect(math.abs(o.age - (model.pools.time - rec.born)) < 1e-9, "age of %s", o)
  local vetoed <const> = rec.sticky or rec.was_sticky
  expect((o.remaining == HUGE) == (rec.due == nil) or vetoed, "remaining of %s is %s", o, o.remaining)
  expect(vetoed or not rec.due or math.abs(rec.due * STEP - model.pools.time - o.remaining) <= STEP,
    "remaining of %s is %s", o, o.remaining)
  local whole <const> = o.remaining == HUGE and 0 or o.age + o.remaining
  expect(vetoed or math.abs(o.lifetime - whole) <= STEP, "lifetime of %s is %s, expected %s", o, o.lifetime, whole)
  if not model.has_fields(rec.type) then return end
  for _, name in ipairs { "n", "speed", "k", "text", "flag", "box", "sticky" } do
    model.same(o[name], rec[name], "field %s of %s", name, o)
  end
  model.same(o.parent, rec.parent and rec.parent.o or nil, "parent of %s", o)
  local target <const> = rec.target
  if target then model.settle(target.type) end
  model.same(o.target, target and not target.dead and target.o or nil, "target of %s", o)
  model.same(o.fresh.owner, o, "fresh of %s", o)
end

function model.check_counts()
  for _, type in ipairs(TYPES) do
    model.settle(type)
    local p <const> = model.by_type[type]
    if p then
      local pool <const> = model.pools:pool(type)
      local s <const> = pool:stats()
      model.same(pool.live, p.live, "%s.live", type)
      model.same(pool.idle, p.idle, "%s.idle", type)
      model.same(s.total, p.live + p.idle, "%s.total", type)
      model.same(s.allocs - s.recycles, s.live, "%s.allocs - recycles", type)
      model.same(s.created - s.destroyed, s.total, "%s.created - destroyed", type)
      expect(s.expired + s.evicted <= s.recycles, "%s.recycles", type)
    end
  end
end

-- After each operation of the outermost level.
function model.check_orphans()
  for _, kid in ipairs(model.orphans) do
    expect(kid.dead or kid.type == "Leaf" or kid.spared, "%s outlives its parent", kid.o)
  end
  for _, kid in ipairs(model.orphans) do kid.orphan, kid.spared = nil, nil end
  model.orphans = {}
end

function model.check_all()
  model.check_counts()
  local seen = 0
  for o in model.pools:each() do
    expect(model.recs[o], "%s should be dead", o)
    seen = seen + 1
  end
  model.same(seen, model.count, "objects walked")
  for _, rec in pairs(model.recs) do model.check_object(rec) end
  for i = 1, 64 do
    local o <const> = model.dead[i]
    expect(not o or not o.alive, "%s is alive again", o)
  end
end

-- Checks that everything due in an update has happened.
function model.check_times()
  local now <const> = model.tick()
  model.settle "Bare"
  for o, rec in pairs(model.recs) do
    expect(not rec.due or rec.due > now, "%s was due at %s", o, rec.due)
    for _, timer in ipairs(rec.timers) do
      expect(timer.over or timer.due > now, "a timer of %s was due at %s", o, timer.due)
    end
  end
end

-- }==

function model.new()
  return spawnpool.new { step = STEP, misuse = "ignore", trace = random(4) == 0 }
end

-- A new manager, and nothing in it.
function model.open()
  model.pools = model.new()
  model.recs, model.by_type, model.order, model.orphans, model.dead = {}, {}, {}, {}, {}
  model.count, model.serial = 0, 0
  model.raising, model.yielding = true, false
  model.suicide, model.failing, model.victim, model.target, model.ending = false, false, nil, nil, nil
end

return model
