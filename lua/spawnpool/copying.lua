-- Deep copies of the Lua values that a manager holds beside its columns: for snapshots. Nothing here runs code of the
-- game: tables are read raw.

local native <const> = ...
local classes <const> = native.use "spawnpool.class"

local debug <const> = native.debug()
local EMPTY <const> = native.empty()
local FRESH <const>, DEFAULT <const> = -1, -2 -- entries of a column beside its slots

local copying <const> = {}

-- {== Values ===============================================================

-- Tables that have an identity of their own: classes and modules.
local function named_tables()
  local named <const> = classes.not_entered()
  for _, module in next, native.loaded() do
    if type(module) == "table" then named[module] = true end
  end
  return named
end

-- A copy of an object with a finaliser would be finalised twice.
local function has_finaliser(value)
  local meta <const> = debug.getmetatable(value)
  return type(meta) == "table" and rawget(meta, "__gc") ~= nil
end

-- Returns copy(value), and finish(), to be called at the end. Each table that is reached is copied once, so that shared
-- ones stay shared and cycles stay cycles. Everything else is shared, and so are metatables.
local function copier()
  local copies <const>, queue <const> = {}, {}
  local shared <const> = named_tables()
  local count, done = 0, 0
  local function copy(value)
    if type(value) ~= "table" then return value end
    local made = copies[value]
    if made == nil then
      made = (shared[value] or has_finaliser(value)) and value or {}
      copies[value] = made
      if made ~= value then
        count = count + 1
        queue[count] = value
      end
    end
    return made
  end
  local function finish()
    while done < count do
      done = done + 1
      local from <const> = queue[done]
      local to <const> = copies[from]
      for key, value in next, from do to[copy(key)] = copy(value) end
    end
    for i = 1, count do
      local meta <const> = debug.getmetatable(queue[i])
      if meta then debug.setmetatable(copies[queue[i]], meta) end
    end
  end
  return copy, finish
end

-- }==

-- {== Columns ==============================================================

-- Copies the occupied seats. A seat that holds the column itself means nil where the default is another value; in a
-- snapshot EMPTY means that.
local function take_column(column, copy)
  local seats <const> = {}
  for slot, value in next, column do
    if slot >= 0 and not rawequal(value, EMPTY) then
      if rawequal(value, column) then seats[slot] = EMPTY else seats[slot] = copy(value) end
    end
  end
  return seats
end

-- Returns a column with the same defaults and the seats of a snapshot or a save, converted by convert(value).
function copying.column(column, seats, convert)
  local new <const> = {}
  for _, key in next, { FRESH, DEFAULT } do
    local value <const> = column[key]
    if rawequal(value, column) then new[key] = new else new[key] = value end
  end
  for slot, value in next, seats do
    local result = convert(value)
    if result == nil or rawequal(result, EMPTY) then result = new end
    new[slot] = result
  end
  return new
end

-- }==

-- Copies all of a manager into a new snapshot, or into `into`; or returns nil and the reason.
function copying.take(pools, into)
  local copy <const>, finish <const> = copier()
  local state <const> = { pools = {}, timers = {}, ended = {}, dropped = 0 }
  for _, pool in ipairs(native.pools(pools)) do
    local fields <const> = {}
    for name, number in next, pool.columns do fields[name] = take_column(pool.values[number], copy) end
    state.pools[pool.type] = fields
  end
  finish()
  for handle, callback in next, native.timers(pools) do
    if type(callback) == "thread" then
      state.dropped = state.dropped + 1
      state.ended[state.dropped] = handle
    elseif math.type(handle) == "integer" then -- others are coroutines of the manager, which sleep or run
      state.timers[handle] = callback
    end
  end
  return native.take_snapshot(pools, into, state)
end

-- Restores a manager. Returns true and the former table of timers; or false and the reason, and nothing has changed.
function copying.restore(pools, snapshot)
  local copy <const>, finish <const> = copier()
  local state <const>, swaps <const>, timers <const> = native.state(snapshot), {}, {}
  for _, pool in ipairs(native.pools(pools, true)) do
    local fields <const> = state.pools[pool.type] or {}
    for name, number in next, pool.columns do
      local new <const> = copying.column(pool.values[number], fields[name] or {}, copy)
      local count <const> = #swaps
      swaps[count + 1], swaps[count + 2], swaps[count + 3] = pool.values, number, new
    end
  end
  finish()
  for handle, callback in next, state.timers do timers[handle] = callback end
  return native.put_back(pools, snapshot, swaps, timers, state.ended)
end

return copying
