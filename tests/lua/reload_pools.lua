-- The pools of a case: objects of the project's classes and of one that no file declares, in a manager that looks for
-- class files in the project's folder. An edit changes of them what the class says, and nothing else.
local capture <const> = require "reload_capture"
local failures <const> = require "reload_failure"
local spawnpool <const> = require "spawnpool"
local universe <const> = require "reload_universe"

local pools_of_case <const> = {}

local STEP <const> = 1 / 64
local THING <const> = "CaseThing" -- its fields hold values of the project
local OBJECTS <const> = 6 -- of each type, at most
local BUILT_IN <const> = { "id", "x", "y", "vx", "vy", "angle", "scale", "lifetime" }
local COUNTS <const> = { "live", "peak", "allocs", "recycles", "expired", "evicted", "refused" }

local Pools <const> = {}
Pools.__index = Pools

local function fail(format, ...) failures.fail("pools", nil, format, ...) end

-- {== The game ================================================================

-- A timer and a coroutine, which go on whatever is edited.
local function start_clocks(o)
  o:every(STEP, function(it) it.ticks = it.ticks + 1 end)
  o:run(function(it)
    while true do
      coroutine.yield(STEP)
      it.steps = it.steps + 1
    end
  end)
end

function pools_of_case.open(folder)
  local self <const> = setmetatable({ types = {}, things = {} }, Pools)
  self.pools = spawnpool.new { path = folder .. "/pools/?.lua", step = STEP, misuse = "ignore", seed = 1 }
  spawnpool.class(THING, { fields = { held = spawnpool.any(), n = 1, ticks = 0, steps = 0 } })
  for i = 1, 3 do
    self.things[i] = self.pools:alloc(THING, 0, { n = i })
    start_clocks(self.things[i])
  end
  return self
end

-- Loads the class of a file in pools/.
function Pools:load(type)
  self.pools:pool(type)
  self.types[#self.types + 1] = type
  _G.world.types[type] = spawnpool.class(type)
end

-- Methods of the game for a type; an error is one of a hook.
function Pools:alloc(type, lifetime)
  if self.pools:pool(type).live < OBJECTS then pcall(self.pools.alloc, self.pools, type, lifetime, 1, 2) end
end

function Pools:recycle(type)
  local next_one <const>, serial <const> = self.pools:each { type = type }
  local o <const> = next_one(serial)
  if o then pcall(o.recycle, o) end
end

function Pools:update() self.pools:update(STEP) end

-- Calls `fn` in the middle of a walk over the objects, as a hook might; returns what pcall does.
function Pools:inside(fn)
  local results
  self.pools:recycle_all(function()
    results = results or table.pack(pcall(fn))
    return false
  end)
  return table.unpack(results)
end

function Pools:close() self.pools:close() end

-- }==

-- {== What an edit leaves as it is ============================================

-- The fields of a type as a universe declares them: name -> { kind, first value }.
local function fields_of(u, type)
  local all <const> = {}
  local class = u.env.world.types[type]
  while class do
    local entries <const> = capture.class_entries(class)
    for name, said in pairs(entries and rawget(entries, "fields") or {}) do
      local is_kind <const> = rawequal(debug.getmetatable(said), debug.getmetatable(spawnpool.ref))
      all[name] = all[name] or (is_kind and { rawget(said, "kind"), rawget(said, "value") } or { "plain", said })
    end
    class = entries and entries.super
  end
  return all
end

-- Every live object with its values, and the counts. `u`: the universe of the texts in force.
function Pools:seen(u)
  local objects <const>, counts <const> = {}, {}
  for _, type in ipairs { THING, table.unpack(self.types) } do
    local pool <const> = self.pools:pool(type)
    local stats <const>, fields <const> = pool:stats(), type == THING and { n = true } or fields_of(u, type)
    for _, name in ipairs(COUNTS) do counts[type .. "." .. name] = stats[name] end
    for o in pool:each() do
      local values <const> = {}
      for _, name in ipairs(BUILT_IN) do values[name] = o[name] end
      for name in pairs(fields) do values[name] = o[name] end
      objects[o] = values
    end
  end
  return { objects = objects, counts = counts }
end

local KEEPS <const> = { plain = true, keep = true, live = true }

-- Returns whether a field that had `before` may have `now` when one declaration replaces another. A value stays where
-- both hold the same type, but an edited default of a `live` field reaches the objects that have the old one.
local function may_be(now, before, old, new)
  if KEEPS[old[1]] and KEEPS[new[1]] and type(old[2]) == type(new[2]) then
    if new[1] == "live" and rawequal(before, old[2]) then return rawequal(now, new[2]) end
    return rawequal(now, before)
  end
  if rawequal(now, before) or now ~= now and before ~= before then
    return not (old[1] == "plain" and new[1] == "plain" and type(old[2]) ~= type(new[2]) and before == nil)
  end
  local is_same <const> = old[1] == new[1] and (rawequal(old[2], new[2]) or type(old[2]) == "function")
  return not is_same and (rawequal(now, new[2]) or new[1] == "fresh" and type(now) == "table")
end

local function check_fields(o, values, old, new)
  for name, said in pairs(old) do
    local done <const>, now <const> = pcall(function() return o[name] end)
    local its <const> = new[name]
    if done ~= (its ~= nil) then fail("%s.%s is %s", tostring(o), name, tostring(now)) end
    if its and not may_be(now, values[name], said, its) then
      fail("%s.%s is %s, was %s", tostring(o), name, tostring(now), tostring(values[name]))
    end
  end
  for name, said in pairs(new) do
    local is_first <const> = old[name] or said[1] == "fresh" or said[1] == "ref" or rawequal(o[name], said[2])
    if not is_first then fail("%s.%s is %s, a new field", tostring(o), name, tostring(o[name])) end
  end
end

-- Compares with what was seen before an edit. `old` and `new`: the universes from before and after; the same one when
-- it was refused.
function Pools:compare(before, old, new)
  local after <const> = self:seen(new)
  for name, count in pairs(before.counts) do
    if after.counts[name] ~= count then fail("%s is %d, was %d", name, after.counts[name], count) end
  end
  for o, values in pairs(before.objects) do
    if not after.objects[o] then fail("%s is gone", tostring(o)) end
    for _, name in ipairs(BUILT_IN) do
      if o[name] ~= values[name] then fail("%s.%s is %s, was %s", tostring(o), name, o[name], values[name]) end
    end
    if o.type == THING then
      if o.n ~= values.n then fail("%s.n is %s, was %s", tostring(o), o.n, values.n) end
    else
      check_fields(o, values, fields_of(old, o.type), fields_of(new, o.type))
    end
  end
end

-- }==

-- {== What the classes say ====================================================

local function check_counts(self)
  for _, type in ipairs(self.types) do
    local s <const>, pool <const> = self.pools:pool(type):stats(), self.pools:pool(type)
    local walked = 0
    for o in pool:each() do walked = walked + (o.alive and o.pool == pool and 1 or 0) end
    local is_right <const> = walked == s.live and s.live + s.idle == s.total and s.allocs - s.recycles == s.live and
      s.created - s.destroyed == s.total and s.peak >= s.live
    if not is_right then fail("the counts of %s do not add up", type) end
  end
end

local function check_settings(pool)
  for _, setting in ipairs { "limit", "idle_limit" } do
    local said <const> = pool.class[setting]
    if pool[setting] ~= said then
      fail("%s.%s is %s, the class says %s", pool.type, setting, tostring(pool[setting]), tostring(said))
    end
  end
end

local function check_methods(o, class)
  for name, method in pairs(class.methods or {}) do
    if o[name] ~= method then fail("%s.%s is not the method of the class", tostring(o), name) end
  end
end

-- A pool that is made now is what its class says in the universe `u`, whatever was refused before.
local function check_new_pool(pool, u)
  local fields <const> = fields_of(u, pool.type)
  check_settings(pool)
  pool:prewarm(1)
  pool:take(function(o)
    check_methods(o, pool.class)
    for name, said in pairs(fields) do
      local is_plain <const> = said[1] ~= "fresh" and said[1] ~= "ref"
      if is_plain and o[name] ~= said[2] then fail("%s.%s is %s at first", tostring(o), name, tostring(o[name])) end
    end
    return false
  end)
end

-- The pools have the settings and methods of their classes, timers and coroutines go on.
function Pools:check_in_force(u)
  local others <const> = spawnpool.new()
  for _, type in ipairs(self.types) do
    local pool <const> = self.pools:pool(type)
    check_settings(pool)
    for o in pool:each() do check_methods(o, pool.class) end
    check_new_pool(others:pool(type), u)
  end
  others:close()
  check_counts(self)
  local ticks <const>, steps <const> = {}, {}
  for i, o in ipairs(self.things) do ticks[i], steps[i] = o.ticks, o.steps end
  self:update()
  for i, o in ipairs(self.things) do
    if o.ticks ~= ticks[i] + 1 or o.steps ~= steps[i] + 1 then fail("a timer or a coroutine stands still") end
  end
end

-- Objects of a full pool make room: more than one where the limit was lowered.
local function begin_life(self, type)
  local pool <const> = self.pools:pool(type)
  for _ = pool.limit or math.huge, pool.live do self:recycle(type) end
  local done <const>, o <const> = pcall(self.pools.alloc, self.pools, type)
  return done and o or nil
end

-- One life of each type, as its class says it in the universe `u`, until code is taken back. Returns the types whose
-- new objects fail there.
function Pools:live_once(u, is_taken_back)
  local world <const>, failing <const> = _G.world, {}
  for _, type in ipairs(self.types) do
    local want <const> = universe.one_life(u, type)
    world.recycled, world.despawned = nil, nil
    local o <const> = begin_life(self, type)
    world.recycled, world.despawned = nil, nil
    if not want then
      failing[#failing + 1] = type
      if o then o:recycle() end
      world.recycled, world.despawned = nil, nil
      if is_taken_back() then break end
    elseif not o then
      fail("%s: no object", type)
    else
      local x <const>, y <const> = o.x, o.y
      o:recycle()
      if x ~= want.x or y ~= want.y or world.recycled ~= want.recycled or world.despawned ~= want.despawned then
        fail("%s: code of another version was called", type)
      end
    end
    world.recycled, world.despawned = nil, nil
  end
  return failing
end

-- }==

return pools_of_case
