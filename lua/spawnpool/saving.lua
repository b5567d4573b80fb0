-- Saves of a manager: the bytes of the core, followed by the Lua values beside the columns. Nothing here runs code of
-- the game: tables are read raw.
--
-- A save is "SPAWNLUA", the version, the length of the core's part, that part, the body, and a checksum of all. In the
-- body tables are numbers; their contents follow at its end, so that neither depth nor cycles matter.

local native <const> = ...
local names <const> = native.use "spawnpool.names"
local classes <const> = native.use "spawnpool.class"
local copying <const> = native.use "spawnpool.copying"
local encoding <const> = native.use "spawnpool.encoding"
local decoding <const> = native.use "spawnpool.decoding"

local MAGIC <const>, VERSION <const> = "SPAWNLUA", 1
local HEAD <const> = #MAGIC + 4 + 8
local EMPTY <const> = native.empty()

local saving <const> = {}

-- {== The body =============================================================

-- Lists the occupied seats of a column, in order of slots.
local function taken_slots(column)
  local slots <const> = {}
  for slot, value in next, column do
    if slot >= 0 and not rawequal(value, EMPTY) then slots[#slots + 1] = slot end
  end
  table.sort(slots)
  return slots
end

local function write_column(w, pools, name, column)
  local slots <const> = taken_slots(column)
  w.integer(#slots)
  for _, slot in ipairs(slots) do
    local value <const> = column[slot]
    w.integer(slot)
    if rawequal(value, column) then w.value(nil) else w.value(value, slot, name) end
  end
end

local function write_pools(w, pools)
  local list <const> = native.pools(pools)
  w.integer(#list)
  for _, pool in ipairs(list) do
    w.text(pool.type)
    for _, number in ipairs(pool.described) do w.integer(number) end
    local fields <const> = names.of(pool.kinds)
    w.integer(#fields)
    for _, name in ipairs(fields) do
      w.text(name)
      w.text(pool.kinds[name])
      if pool.columns[name] then write_column(w, pools, name, pool.values[pool.columns[name]]) end
    end
  end
end

-- Timers that call a method by its name, and those of coroutines, which end.
local function write_timers(w, pools)
  local timers <const>, handles <const> = native.timers(pools), {}
  for handle in next, timers do
    if math.type(handle) == "integer" then handles[#handles + 1] = handle end -- others are coroutines of the manager
  end
  table.sort(handles)
  w.integer(#handles)
  for _, handle in ipairs(handles) do
    local callback <const> = timers[handle]
    w.integer(handle)
    if type(callback) == "function" then w.refuse_timer(handle) end
    w.text(type(callback) == "string" and callback or "")
  end
end

local function write_body(w, pools, roots)
  write_pools(w, pools)
  write_timers(w, pools)
  w.value(roots, nil, "roots")
  w.tables()
  return w.finish()
end

-- }==

-- {== Saving ===============================================================

-- Returns the save, or nil and why there is none.
function saving.save(pools, roots)
  local w <const> = encoding.writer(pools, classes.not_entered())
  local sprites <const> = native.sprites()
  w.integer(#sprites)
  for _, name in ipairs(sprites) do w.text(name) end
  local body <const> = write_body(w, pools, roots)
  local refusal <const> = w.refusal()
  if refusal then return nil, refusal end
  local core <const>, why <const> = native.save_core(pools)
  if not core then return nil, why end
  local text <const> = table.concat { MAGIC, ("<I4I8"):pack(VERSION, #core), core, body }
  return text .. ("<i8"):pack(native.sum(text))
end

-- }==

-- {== Loading ==============================================================

-- Returns the two parts of a save, or nil and the reason.
local function split(text)
  if #text < HEAD + 8 or text:sub(1, #MAGIC) ~= MAGIC then return nil, "damaged" end
  local version <const>, length <const> = ("<I4I8"):unpack(text, #MAGIC + 1)
  if version > VERSION then return nil, "newer" end
  if version < 1 or length < 0 or length > #text - HEAD - 8 then return nil, "damaged" end
  if native.sum(text:sub(1, -9)) ~= ("<i8"):unpack(text, -8) then return nil, "damaged" end
  return text:sub(HEAD + 1, HEAD + length), text:sub(HEAD + length + 1, -9)
end

local function read_sprites(r)
  local sprites <const> = {}
  for i = 1, r.count() do sprites[i] = r.text() end
  return sprites
end

local function read_column(r)
  local seats <const> = {}
  for _ = 1, r.count() do
    local slot <const> = r.integer()
    r.expect(slot >= 0 and slot < native.MAX_SLOTS)
    local value <const> = r.value()
    if value == nil then seats[slot] = EMPTY else seats[slot] = value end
  end
  return seats
end

local function read_pool(r)
  local pool <const> = { type = r.text(), described = {}, fields = {} }
  r.expect(pool.type:match "^[^%z]+$" and #pool.type <= 200)
  for i = 1, 9 do pool.described[i] = r.integer() end
  for _ = 1, r.count() do
    local name <const> = r.text()
    local field <const> = { kind = r.text() }
    if field.kind == "value" then field.seats = read_column(r) end
    pool.fields[name] = field
  end
  return pool
end

local function read_body(text)
  local r <const> = decoding.reader(text)
  local body <const> = { sprites = read_sprites(r), pools = {}, timers = {}, ended = {} }
  for i = 1, r.count() do body.pools[i] = read_pool(r) end
  for _ = 1, r.count() do
    local handle <const> = r.integer()
    local method <const> = r.text()
    if method == "" then body.ended[#body.ended + 1] = handle else body.timers[handle] = method end
  end
  body.root = r.value()
  body.objects = r.tables()
  return body
end

-- Fills the new columns with the saved values, and lists the lost ones: of fields that are gone or have another kind.
local function fill_pool(pools, pool, saved, resolve, notes)
  for name, field in next, saved.fields do
    local kind <const> = pool.kinds[name]
    if kind ~= field.kind then
      notes[#notes + 1] = { type = pool.type, field = name, kind = kind, was = field.kind }
      if kind then native.reset(pools, { pool.type, name }) end
    elseif kind == "value" then
      local column <const> = pool.values[pool.columns[name]]
      for slot, value in next, field.seats do
        local resolved = resolve(value)
        if rawequal(resolved, EMPTY) or resolved == nil then resolved = column end
        column[slot] = resolved
      end
    end
  end
end

local function fill(pools, body)
  local resolve <const>, notes <const> = decoding.resolver(pools, body.objects), {}
  for i, pool in ipairs(native.pools(pools)) do fill_pool(pools, pool, body.pools[i], resolve, notes) end
  local timers <const> = native.timers(pools)
  for handle, method in next, body.timers do timers[handle] = method end
  native.end_timers(pools, body.ended)
  notes.dropped = #body.ended
  return resolve(body.root), notes
end

-- Returns the core's part of a save and the decoded body; or nil and the reason.
function saving.read(text)
  local core <const>, rest <const> = split(text)
  if not core then return nil, rest end
  local done <const>, body <const> = decoding.try(read_body, rest)
  if not done then return nil, "damaged" end
  return core, body
end

-- Opens a manager that has no core yet, with a plan for each pool. Quiet. Returns true, roots, and notes of what was
-- lost; or nil and the reason, and the manager has no core.
function saving.open(pools, step, core, body, plans)
  local opened <const>, why <const> = native.open_saved(pools, step, core, plans, body.pools, body.sprites)
  if not opened then return nil, why end
  local filled <const>, roots <const>, notes <const> = pcall(fill, pools, body)
  if filled then return true, roots, notes end
  native.discard(pools)
  error(roots, 0)
end

-- The new columns of a pool, as swaps.
local function swap_pool(pool, saved, resolve, swaps)
  for name, number in next, pool.columns do
    local field <const>, count <const> = saved and saved.fields[name], #swaps
    local new <const> = copying.column(pool.values[number], field and field.seats or {}, resolve)
    swaps[count + 1], swaps[count + 2], swaps[count + 3] = pool.values, number, new
  end
end

-- Restores a save into a manager that has all its pools. Quiet. Returns true, roots, notes, and the former table of
-- timers; or false and the reason, and nothing has changed.
function saving.put_back(pools, core, body)
  local resolve <const>, notes <const> = decoding.resolver(pools, body.objects, true), {}
  local by_type <const>, swaps <const>, resets <const> = {}, {}, {}
  for _, saved in ipairs(body.pools) do by_type[saved.type] = saved end
  for _, pool in ipairs(native.pools(pools, true)) do
    local saved <const> = by_type[pool.type]
    for name, field in next, saved and saved.fields or {} do
      local kind <const> = pool.kinds[name]
      if kind ~= field.kind then
        notes[#notes + 1] = { type = pool.type, field = name, kind = kind, was = field.kind }
        if kind then
          resets[#resets + 1] = pool.type
          resets[#resets + 1] = name
        end
      end
    end
    swap_pool(pool, saved, resolve, swaps)
  end
  notes.dropped = #body.ended
  local roots <const> = resolve(body.root)
  local done <const>, before <const> =
    native.put_back_saved(pools, core, body.sprites, swaps, body.timers, body.ended, resets)
  if not done then return false, before end
  return true, roots, notes, before
end

-- Completes the notes of what was lost, and warns about it.
function saving.warn_about(pools, notes)
  for _, note in ipairs(notes) do
    note.live = pools:pool(note.type).live
    local lost <const> = note.kind and ("holds a %s now, not a %s"):format(note.kind, note.was) or "is gone"
    native.warn(("load: field '%s' of %s %s: its value is dropped in %d live objects"):format(note.field, note.type,
      lost, note.live))
  end
end

-- }==

return saving
