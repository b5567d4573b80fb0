-- The rest of the operations of the random test: fields, timers, walks, the end of a manager; and the game of playing
-- them one after the other, and inside each other.
local model <const> = require "model"
local basic <const> = require "model_ops"

local random <const>, pick <const>, expect <const>, same <const> = model.random, model.pick, model.expect, model.same
local STEP <const>, TYPES <const> = model.STEP, model.TYPES
local ops <const>, a_type <const>, a_filter <const> = basic.list, basic.a_type, basic.a_filter

local act -- one random operation inside another

-- {== Fields ================================================================

function ops.write()
  local rec <const> = model.any()
  if not rec then return end
  model.settle(rec.type)
  if rec.dead then return end
  local o <const> = rec.o
  rec.x, rec.pinned = random(200), random(8) == 0
  o.x, o.pinned = rec.x, rec.pinned
  if model.has_fields(rec.type) then
    local p <const> = model.pool_of(rec.type)
    rec.n, rec.k, rec.text, rec.flag = random(99), random(99), pick("a", "b"), random(2) == 0
    o.n, o.k, o.text, o.flag = rec.n, rec.k, rec.text, rec.flag
    p.kept[rec.id] = rec.k
    model.settle "Bare"
    rec.target, rec.box = model.any(), pick(nil, {}, 5, false)
    o.target, o.box = rec.target.o, rec.box
    if random(5) == 0 then rec.speed = random(5) + 10 end
    o.speed = rec.speed
    if rec.type == "Car" then rec.sticky = random(6) == 0 end
    o.sticky = rec.sticky
  end
  if random(3) == 0 then
    local ticks <const> = pick(math.huge, random(100), random(10))
    o.remaining = ticks * STEP
    rec.due = ticks ~= math.huge and model.due(ticks) or nil
  end
  model.check_object(rec)
end

function ops.bulk()
  local type <const> = a_type()
  model.settle(type)
  model.pool_of(type)
  local pool <const>, list <const> = model.pools:pool(type), model.list(type)
  local field <const> = model.has_fields(type) and pick("n", "x") or "x"
  local value <const> = random(50)
  local verb <const> = pick("set", "add")
  for _, rec in ipairs(list) do rec.x = rec.o.x end -- a child that its parent left has another place
  same(pool[verb](pool, field, value), #list, "%s of %s", verb, field)
  for _, rec in ipairs(list) do
    rec[field] = verb == "set" and value or rec[field] + value
    same(rec.o[field], rec[field], "field %s of %s", field, rec.o)
  end
end

function ops.parent()
  local rec <const> = model.any(pick("Toy", "Car", "Leaf"))
  if not rec then return end
  local outer <const> = random(4) > 0 and model.any(pick("Toy", "Car", "Leaf")) or nil
  local at, cycle = outer, false
  while at do
    cycle, at = cycle or at == rec, at.parent
  end
  local ok <const>, message <const> = pcall(function() rec.o.parent = outer and outer.o end)
  expect(ok ~= cycle, "parent of %s: %s", rec.o, message)
  if ok then
    if rec.parent then rec.parent.kids[rec] = nil end
    rec.parent = outer
    if outer then outer.kids[rec] = true end
  end
  same(rec.o.parent, rec.parent and rec.parent.o or nil, "parent of %s", rec.o)
end

-- }==

-- {== Timers ================================================================

local fire <const> = model.guarded(function(rec, timer, o)
  expect(o == nil or o == rec.o, "a timer of %s calls with %s", rec.o, o)
  expect(rec.o.alive and not rec.dead and not timer.over, "a timer of %s fires after its end", rec.o)
  same(model.tick(), timer.due, "tick of a timer of %s", rec.o)
  if timer.period then
    timer.at = math.max(timer.at + timer.period, model.tick())
    timer.due = math.max(model.tick() + 1, math.ceil(timer.at - 1e-6))
  else
    timer.over = true
  end
  model.busy[rec.type] = (model.busy[rec.type] or 0) + 1
  if random(3) == 0 then act() end
  model.busy[rec.type] = model.busy[rec.type] - 1
  model.raise(10)
  if not timer.period or random(6) > 0 then return true end
  timer.over = true
  return false
end)

function ops.timer()
  local rec <const> = model.any()
  if not rec then return end
  model.settle(rec.type)
  if rec.dead or #rec.timers > 4 then return end
  local ticks <const> = random(40)
  local timer <const> = { at = model.pools.time / STEP + ticks, due = model.due(ticks) }
  local form <const> = random(3)
  rec.timers[#rec.timers + 1] = timer
  if form == 0 then
    rec.o:after(ticks * STEP, function(o) return fire(rec, timer, o) end)
  elseif form == 1 then
    timer.period = ticks + 1
    timer.at, timer.due = timer.at + 1, model.due(ticks + 1)
    rec.o:every(timer.period * STEP, function(o) return fire(rec, timer, o) end)
  else
    rec.o:run(function(o)
      same(o, rec.o, "object of run")
      coroutine.yield(ticks * STEP)
      fire(rec, timer)
      if rec.dead then coroutine.yield(0) end
      local more <const> = random(20)
      timer.over, timer.due = false, model.due(more)
      coroutine.yield(more * STEP)
      fire(rec, timer)
    end)
  end
end

function ops.update()
  if model.depth > 1 then
    if model.in_update > 0 then expect(not pcall(model.pools.update, model.pools, 0), "update inside update") end
    return
  end
  local pools <const> = model.pools
  if random(10) == 0 then pools.time_scale = pick(1, 1, 0.5, 2, 0) end
  if random(20) == 0 then pools.paused = true end
  local before <const>, dt <const> = pools.time, pick(1, 1, 1, 2, 5, 0, 0.5) * STEP
  if not pools.paused then model.prewarm_slices(dt * pools.time_scale) end
  model.in_update = 1
  pools:update(dt)
  model.in_update = 0
  same(pools.time, before + (pools.paused and 0 or dt * pools.time_scale), "time")
  pools.paused = false
  model.check_times()
end

-- }==

-- {== Walks and queries =====================================================

function ops.walk()
  if random(3) ~= 0 then return end
  for _, type in ipairs(TYPES) do model.settle(type) end
  local filter, set = a_filter()
  if random(4) == 0 then
    local type <const> = a_type()
    filter, set = function(o) return o.type == type end, { [type] = true }
  end
  local before <const>, seen <const> = {}, {}
  for o, rec in pairs(model.recs) do before[o] = rec end
  local single <const> = type(filter) == "string" and random(2) == 0 and model.by_type[filter]
  local each <const>, state <const>, first <const> = (single and model.pools:pool(filter) or model.pools):each(
    not single and filter or nil)
  for o in each, state, first do
    local rec <const> = model.recs[o]
    expect(rec and before[o] and not seen[o] and set[rec.type], "the walk visits %s", o)
    seen[o] = true
    if random(3) == 0 then act() end
  end
  for o, rec in pairs(before) do
    expect(seen[o] or rec.dead or not set[rec.type], "the walk leaves out %s", o)
  end
end

local function distance(a, b) return (a.x - b.x) ^ 2 + (a.y - b.y) ^ 2 end

function ops.near()
  if random(4) ~= 0 then return end
  model.settle "Bare"
  local pool <const>, list <const> = model.pools:pool "Bare", model.list "Bare"
  model.pool_of "Bare"
  local spot <const> = { x = random(200), y = random(200) }
  local reach <const> = random(100)
  local within, nearest = 0, math.huge
  for _, rec in ipairs(list) do
    if distance(rec, spot) <= reach * reach then within = within + 1 end
    nearest = math.min(nearest, distance(rec, spot))
  end
  same(#pool:within(spot.x, spot.y, reach), within, "within")
  local o <const> = pool:nearest(spot.x, spot.y)
  same(o and distance(model.recs[o], spot) or math.huge, nearest, "nearest")
end

function ops.overlaps()
  if random(4) ~= 0 then return end
  model.settle "Bare"
  local pool <const>, list <const> = model.pools:pool "Bare", model.list "Bare"
  model.pool_of "Bare"
  local want = 0
  for i = 1, #list do
    for k = i + 1, #list do
      if distance(list[i], list[k]) < (list[i].radius + list[k].radius) ^ 2 then want = want + 1 end
    end
  end
  local changed = false
  model.busy.Bare = (model.busy.Bare or 0) + 1
  local count <const> = pool:overlaps(pool, function(a, b)
    expect(model.recs[a] and model.recs[b] and a ~= b, "%s overlaps %s", a, b)
    if random(8) == 0 then
      changed = true
      act()
    end
  end)
  model.busy.Bare = model.busy.Bare - 1
  expect(changed and count <= want or count == want, "overlaps: %s, expected %s", count, want)
end

function ops.know()
  if random(20) ~= 0 then return end
  local pools <const> = model.pools
  model.settle "Bare"
  local sum = 0
  for _, entry in ipairs(pools:leaks()) do sum = sum + entry.count end
  same(sum, model.count, "leaks")
  for type, settings in pairs(assert(load(pools:configure()))()) do
    same(settings.prealloc, pools:stats(type).peak, "configure of %s", type)
  end
  same(pools:stats().live, model.count, "live")
end

-- Closes the manager, which must be seen by all that is left of it, and opens another.
function ops.close()
  if model.depth > 1 or random(400) ~= 0 then return end
  local pools <const>, live <const> = model.pools, model.count
  local bare <const> = model.list "Bare"
  local other = model.any()
  model.ending = "removed"
  local recycled <const> = pools:close()
  model.ending = nil
  same(recycled, live, "close")
  for _, rec in ipairs(bare) do rec.dead = true end
  expect(pools:alloc "Bare" == nil and not pools:recycle(other and other.o or model.dead[1] or bare[1].o), "closed")
  expect(not other or not other.o.alive, "%s outlives its manager", other and other.o)
  expect(pools:take "Bare" == nil and not pools:update(1) and pools:close() == 0, "closed")
  model.open()
end

-- }==

-- {== One after the other ===================================================

local names <const> = {}
for name in pairs(ops) do names[#names + 1] = name end
table.sort(names)

local function once(name)
  local outer <const> = model.done
  model.done = outer == "" and name or outer .. " > " .. name
  model.depth = model.depth + 1
  ops[name]()
  model.depth = model.depth - 1
  model.done = outer
end

local inner <const> = { "alloc", "recycle", "write", "parent", "timer", "take", "limits", "bulk", "walk", "remove",
  "clear", "recycle_all", "overlaps", "near", "prewarm" }

function act()
  if model.depth < 4 then once(inner[random(#inner) + 1]) end
end

local function play_turn(step)
  model.turn(step)
  local turn <const> = random(10)
  local name <const> = turn < 3 and "alloc" or turn < 5 and "update" or names[random(#names) + 1]
  once(name)
  model.checking = true
  model.check_orphans()
  if model.failure then error(model.failure, 0) end
  if step % 16 == 0 then model.check_counts() end
  if step % 256 == 0 then model.check_all() end
  model.checking = false
end

-- Plays turns of game `seed`: so many of them, or those of a list.
local function play(seed, turns)
  model.begin(seed)
  for _, type in ipairs(TYPES) do model.declare(type) end
  model.open()
  if math.type(turns) == "integer" then
    for step = 1, turns do play_turn(step) end
  else
    for _, step in ipairs(turns) do play_turn(step) end
  end
  model.checking = true
  model.check_all()
  model.ending = "removed"
  model.pools:close()
  if model.failure then error(model.failure, 0) end
end

-- }==

return { play = play }
