-- Snapshots and saves of a manager: beside the core's part, all its Lua values as one graph, which the codec (codec.h)
-- turns into bytes and back. Nothing here runs code of the game: tables are read raw.
--
-- A save is "SPAWNLUA", the version, the lengths of its first two parts, the core's part, the head, the values, and a
-- checksum of all. The head is needed before there is a manager.

local native <const> = ...
local names <const> = native.use "spawnpool.names"
local classes <const> = native.use "spawnpool.class"
local files <const> = native.use "spawnpool.files"

local MAGIC <const>, VERSION <const> = "SPAWNLUA", 2
local HEAD <const> = #MAGIC + 4 + 8 + 8

local saving <const> = {}

-- {== Values ===============================================================

-- Returns what is no data: table -> what it is. Nor is what files have made while they loaded (files.made).
local function named_tables()
  local named <const> = {}
  for _, module in next, native.loaded() do
    if type(module) == "table" then named[module] = "a module" end
  end
  for class in next, classes.not_entered() do named[class] = "a class" end
  return named
end

-- Returns the occupied seats of all columns: type -> field -> slot -> value.
local function seats_of(pools)
  local all <const> = {}
  for _, pool in ipairs(native.pools(pools)) do
    all[pool.type] = {}
    for name, number in next, pool.columns do all[pool.type][name] = native.seats(pool.values[number]) end
  end
  return all
end

-- Returns what the core does not know of the settings of these pools (pool.h): type -> list.
local function overflows_of(list)
  local all <const> = {}
  for _, pool in ipairs(list) do all[pool.type] = pool.overflow end
  return all
end

-- Returns the timers of a manager by their handles, with what they call, and a list of those of coroutines, which end.
local function timers_of(pools)
  local timers <const>, ended <const> = {}, {}
  for handle, callback in next, native.timers(pools) do
    if type(callback) == "thread" then
      ended[#ended + 1] = handle
    elseif math.type(handle) == "integer" then -- others are coroutines of the manager, which sleep or run
      timers[handle] = callback
    end
  end
  table.sort(ended)
  return timers, ended
end

-- Returns the columns of `seats` as swaps (snapshot.c) for all pools, or nil when they make no sense.
local function swaps_of(pools, seats)
  local swaps <const> = {}
  for _, pool in ipairs(native.pools(pools, true)) do
    for name, number in next, pool.columns do
      local fields <const>, n <const> = seats[pool.type] or {}, #swaps
      local column <const> = type(fields) == "table" and native.column(pool.values[number], fields[name])
      if not column then return nil end
      swaps[n + 1], swaps[n + 2], swaps[n + 3] = pool.values, number, column
    end
  end
  return swaps
end

-- }==

-- {== Snapshots ============================================================

-- Copies all of a manager into a new snapshot, or into `into`; or returns nil and the reason.
function saving.take(pools, into)
  local timers <const>, ended <const> = timers_of(pools)
  local shared <const> = {}
  local values <const> = { seats_of(pools), timers, ended, overflows_of(native.pools(pools)) }
  local bytes <const> = native.encode(pools, values, named_tables(), files.made, nil, shared)
  return native.take_snapshot(pools, into, { bytes = bytes, shared = shared, dropped = #ended })
end

-- Restores a manager. Returns true and the former table of timers; or false and the reason, and nothing has changed.
function saving.restore(pools, snapshot)
  local state <const> = native.state(snapshot)
  local _, values <const> = native.decode(pools, state.bytes, state.shared)
  return native.put_back(pools, snapshot, swaps_of(pools, values[1]), values[2], values[3], values[4])
end

-- }==

-- {== Saving ===============================================================

-- Returns the tables that are reached from `roots`, as keys: they are data, also those that files have made.
local function reached_from(roots)
  local set <const>, list <const> = {}, {}
  local function add(value)
    if type(value) ~= "table" or set[value] then return end
    set[value] = true
    list[#list + 1] = value
  end
  add(roots)
  for _, t in ipairs(list) do
    for key, value in next, t do
      add(key)
      add(value)
    end
  end
  return set
end

-- Returns why a value cannot be saved: `path` leads to it in { seats, roots }.
local function refusal(pools, what, path, value)
  local owner <const> = string.find(what, "^a table that a file") and files.owner_of(value)
  if owner then what = string.format("a table that %s made while it loaded (keep a name in its place)", owner.path) end
  if path[1] == 2 then return native.add_path("roots", path, 2) .. " is " .. what end
  return native.add_path(string.format("%s.%s", native.label(pools, path[4]), path[3]), path, 5) .. " is " .. what
end

-- Returns why a timer cannot be saved: what it calls has no name. The first one counts, so that the message is the same
-- in each run.
local function refused_timer(pools, timers)
  local least
  for handle, callback in next, timers do
    if type(callback) ~= "string" and (not least or handle < least) then least = handle end
  end
  if not least then return nil end
  local label <const> = native.timer_label(pools, least)
  return string.format("%s has a timer that calls a function (%s)", label, label == "the manager"
    and "stop it before, and start it again after a load" or "give it the name of a method")
end

-- Returns the save, or nil and why there is none.
function saving.save(pools, roots)
  local timers <const>, ended <const> = timers_of(pools)
  local named <const> = named_tables()
  local head <const> = {
    step = native.step(pools), sprites = native.sprites(), pools = {}, timers = timers, ended = ended,
  }
  for i, pool in ipairs(native.pools(pools)) do
    head.pools[i] = { type = pool.type, prealloc = pool.prealloc, overflow = pool.overflow, kinds = pool.kinds }
    if pool.overflow[3] then return nil, string.format("%s.overflow is a function (set it in the class)", pool.type) end
  end
  local values <const>, what <const>, path <const>, value <const> =
    native.encode(pools, { seats_of(pools), roots }, named, files.made, reached_from(roots))
  if not values then return nil, refusal(pools, what, path, value) end
  local refused <const> = refused_timer(pools, timers)
  if refused then return nil, refused end
  local core <const>, why <const> = native.save_core(pools)
  if not core then return nil, why end
  local text <const> = native.encode(pools, head, named)
  local whole <const> = MAGIC .. ("<I4I8I8"):pack(VERSION, #core, #text) .. core .. text .. values
  return whole .. ("<i8"):pack(native.sum(whole))
end

-- }==

-- {== Loading ==============================================================

-- Returns the three parts of a save, or nil and the reason.
local function split(text)
  if #text < HEAD + 8 or string.sub(text, 1, #MAGIC) ~= MAGIC then return nil, "damaged" end
  local version <const>, core <const>, head <const> = ("<I4i8i8"):unpack(text, #MAGIC + 1)
  local room <const> = #text - HEAD - 8
  if version > VERSION then return nil, "newer" end
  if version < VERSION or core < 0 or core > room or head < 0 or head > room - core then return nil, "damaged" end
  if native.sum(string.sub(text, 1, -9)) ~= ("<i8"):unpack(text, -8) then return nil, "damaged" end
  local at <const> = HEAD + core
  return string.sub(text, HEAD + 1, at), string.sub(text, at + 1, at + head), string.sub(text, at + head + 1, -9)
end

-- Returns whether `t` is a table in which all keys and values are of these kinds.
local function is_map(t, keys, values)
  if type(t) ~= "table" then return false end
  for key, value in next, t do
    if (math.type(key) or type(key)) ~= keys or (math.type(value) or type(value)) ~= values then return false end
  end
  return true
end

local function is_list(t, values)
  if not is_map(t, "integer", values) then return false end
  local count <const> = #t
  for key in next, t do
    if key < 1 or key > count then return false end
  end
  return true
end

local function is_pool(pool)
  return type(pool.type) == "string" and #pool.type <= 200 and not string.find(pool.type, "%z") and pool.type ~= ""
    and is_map(pool.kinds, "string", "string") and math.type(pool.prealloc) == "integer"
    and is_list(pool.overflow, "boolean")
end

local function is_head(head)
  local fine = type(head) == "table" and math.type(head.step) == "float" and head.step >= 1e-6 and head.step <= 1e3
    and is_list(head.sprites, "string") and is_list(head.pools, "table")
    and is_map(head.timers, "integer", "string") and is_list(head.ended, "integer")
  for _, pool in ipairs(fine and head.pools or {}) do fine = fine and is_pool(pool) end
  return fine
end

-- Returns the core's part of a save, and the head, in which `values` are the bytes of the rest; or nil and the reason.
function saving.read(text)
  local core <const>, head <const>, values <const> = split(text)
  if not core then return nil, head end
  local _, body <const> = native.decode(nil, head)
  if not is_head(body) then return nil, "damaged" end
  body.values = values
  for _, pool in ipairs(body.pools) do
    if pool.kinds.scale_x then pcall(classes.scale, pool.type) end -- without room a note says that they are gone
  end
  return core, body
end

-- Returns what is put into a manager that has all pools of the save: swaps, the fields that are reset, roots, and notes
-- of the fields that are lost, because they are gone or have another kind. Returns nil when the values make no sense.
local function prepare(pools, body)
  local fine <const>, values <const> = native.decode(pools, body.values)
  local seats <const> = fine and type(values) == "table" and values[1]
  local swaps <const> = type(seats) == "table" and swaps_of(pools, seats)
  if not swaps then return nil end
  local saved <const>, resets <const>, notes <const> = {}, {}, { dropped = #body.ended }
  for _, pool in ipairs(body.pools) do saved[pool.type] = pool end
  for _, pool in ipairs(native.pools(pools, true)) do
    local kinds <const> = saved[pool.type] and saved[pool.type].kinds or {}
    for _, name in ipairs(names.of(kinds)) do
      local kind <const> = pool.kinds[name]
      if kind ~= kinds[name] then
        notes[#notes + 1] = { type = pool.type, field = name, kind = kind, was = kinds[name] }
        if kind then resets[#resets + 1], resets[#resets + 2] = pool.type, name end
      end
    end
  end
  return swaps, resets, values[2], notes
end

-- Restores a save into a manager that has all its pools. Quiet. Returns true, roots, notes, and the former table of
-- timers; or false and the reason, and nothing has changed.
function saving.put_back(pools, core, head)
  local swaps <const>, resets <const>, roots <const>, notes <const> = prepare(pools, head)
  if not swaps then return false, "damaged" end
  local snapshot <const>, why <const> = native.load_core(pools, core, head.sprites)
  if not snapshot then return false, why end
  local done <const>, before <const> = native.put_back(pools, snapshot, swaps, head.timers, head.ended,
    overflows_of(head.pools), resets)
  if not done then return false, before end
  return true, roots, notes, before
end

-- Completes the notes of what was lost, and warns about it.
function saving.warn_about(pools, notes)
  for _, note in ipairs(notes) do
    note.live = pools:pool(note.type).live
    local lost <const> = note.kind and string.format("holds a %s now, not a %s", note.kind, note.was) or "is gone"
    native.warn(string.format("load: field '%s' of %s %s: its value is dropped in %d live object%s", note.field,
      note.type, lost, note.live, note.live == 1 and "" or "s"))
  end
end

-- }==

return saving
