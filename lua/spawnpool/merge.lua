-- Merges the results of files that ran again with the state of the game: plans a list of changes for the matches of
-- match.lua; only `commit` changes anything. Each entry is compared three ways: `base`, from the file's last run,
-- `live`, now, and `new`.

local native <const> = ...
local classes <const> = native.use "spawnpool.class"
local image <const> = native.use "spawnpool.image"
local match <const> = native.use "spawnpool.match"

local debug <const> = native.debug()
local getupvalue <const>, upvalueid <const>, upvaluejoin <const> = debug.getupvalue, debug.upvalueid, debug.upvaluejoin
local getmetatable <const> = debug.getmetatable
local same <const> = native.is_same
local seen <const>, now <const>, is_state <const> = match.seen, match.now, match.is_state
local is_large <const>, is_unedited <const> = match.is_large, match.is_unedited

local METATABLE <const> = native.metatable()
local LIST_GROWS <const> = 1000 -- a key further beyond the end of a list does not belong to the list

local merge <const> = { begin = match.begin, add = match.add, keep = match.keep, drop = match.drop }

-- {== Values ===============================================================

-- A second name of a matched table: edits of its contents are not edits of the name.
local function is_alias(m, base, new, holder, key)
  local place <const> = m.place_of[new]
  return place and rawequal(m.old_of[new], base) and not (rawequal(place.holder, holder) and rawequal(place.key, key))
end

-- Decides the value of an entry, and its base from then on. Edits by the author win; otherwise the game's value stays.
-- `holder` and `key`: where the new value is.
local function merge_value(m, file, base, live, new, holder, key)
  local fresh <const> = seen(m, new)
  if same(live, fresh) then return live, fresh end
  if same(now(m, live), now(m, base)) then
    if is_state(m, file, base, new) and (m.stays_for[live] == nil or rawequal(m.stays_for[live], new)) then
      m.stays_for[live], m.stays_as[new] = new, live
      file.new.born[live] = true -- it replaces the value of the text in the next reload too
      return live, live
    end
    if is_large(file, base, new) then
      m.large = m.large + 1
      return live, live
    end
    return fresh, fresh
  end
  if is_alias(m, base, new, holder, key) or is_unedited(m, file, base, new) then return now(m, live), fresh end
  return fresh, fresh
end

-- }==

-- {== Planning =============================================================

local function note_change(log, thing, key, old, new)
  local n <const> = log.n
  log[n + 1], log[n + 2], log[n + 3], log[n + 4], log.n = thing, key, old, new, n + 4
end

-- Removals come last: they need no memory, so nothing after them can fail.
local function write(m, thing, key, value)
  local old <const> = image.get(thing, key)
  if not same(old, value) then note_change(value == nil and m.removals or m.writes, thing, key, old, value) end
end

local function plan_entries(m, file, old, was, is, holder)
  local base <const> = {}
  for key, value in next, is.entries do
    local former <const> = m.old_of[key] or key
    local at <const> = type(key) == "table" and former or key
    local live <const> = rawget(old, former)
    local merged <const>, new_base <const> = merge_value(m, file, was.entries[former], live, value, holder, key)
    base[at] = new_base
    write(m, old, at, merged)
    if not rawequal(at, former) then write(m, old, former, nil) end
  end
  for key in next, was.entries do
    if is.entries[m.new_of[key] or key] == nil then write(m, old, key, nil) end
  end
  return base
end

-- Returns the new base of the table's entries and metatable.
local function plan_table(m, file, new)
  local old <const>, is <const> = m.old_of[new], file.new.tables[new]
  if old then
    local was <const> = file.old.tables[old]
    local entries <const> = plan_entries(m, file, old, was, is, new)
    local meta <const>, base <const> = merge_value(m, file, was.meta, getmetatable(old), is.meta, new, METATABLE)
    write(m, old, METATABLE, meta)
    return old, { entries = entries, meta = base }
  end
  -- A file that ran later may have changed the table: it keeps the values of now.
  local entries <const> = {}
  for key, value in next, is.entries do
    local at <const> = seen(m, key)
    entries[at] = seen(m, value)
    write(m, new, at, seen(m, rawget(new, key)))
    if not rawequal(at, key) then write(m, new, key, nil) end
  end
  write(m, new, METATABLE, seen(m, getmetatable(new)))
  return new, { entries = entries, meta = seen(m, is.meta) }
end

local function plan_tables(m, file)
  local tables <const> = {}
  for new in next, file.new.tables do
    local thing <const>, copy <const> = plan_table(m, file, new)
    tables[thing] = copy
  end
  return tables
end

-- The file-local of the new run continues in the cell of the previous one. `local a` does not edit a value: the game's
-- stays.
local function plan_cell(m, file, id, cell, former)
  local _, live <const> = getupvalue(former.holder, former.index)
  local merged, base = live, nil
  if cell.base ~= nil or same(now(m, live), now(m, former.base)) then
    merged, base = merge_value(m, file, former.base, live, cell.base, id)
  end
  if not same(live, merged) then note_change(m.writes, former.holder, former.index, live, merged) end
  return base
end

local function plan_cells(m, file)
  local bases <const> = {}
  for id, cell in next, file.new.cells do
    local former <const> = file.old.cells[file.cell_of[id]]
    if former then
      bases[id] = plan_cell(m, file, id, cell, former)
    else
      bases[id] = seen(m, cell.base)
      local _, live <const> = getupvalue(cell.holder, cell.index)
      if not same(live, seen(m, live)) then
        note_change(m.writes, cell.holder, cell.index, live, seen(m, live))
      end
    end
  end
  return bases
end

-- Entries that another file gave to a class stay, also one that replaced a new entry since the class was declared.
local function plan_stores(m, file)
  for name, live_store in next, file.live_stores do
    local base <const>, new <const> = file.old.stores[name] or {}, file.new.stores[name]
    for key, value in next, new do
      local live <const> = live_store.live[key]
      local merged, new_base = merge_value(m, file, base[key], live, value, new, key)
      if base[key] == nil and live == nil then merged = seen(m, rawget(live_store.new, key)) end
      new[key] = new_base
      write(m, live_store.new, key, merged)
    end
    for key, value in next, live_store.live do
      if new[key] == nil and base[key] == nil then write(m, live_store.new, key, value) end
    end
  end
end

-- Records what files append to the list in a table, and remove from it.
local function list_of(m, thing)
  if not m.lists[thing] then
    m.lists[thing] = { taken = {}, back = {}, added = {} }
    m.list_order[#m.list_order + 1] = thing
  end
  return m.lists[thing]
end

-- Appended values go to their previous positions; values that the game has removed from the list stay removed.
local function plan_appended(m, effect)
  local thing <const> = seen(m, effect.thing)
  local list <const> = list_of(m, thing)
  if rawequal(thing, effect.thing) then list.taken[#list.taken + 1] = effect.value end
  effect.thing, effect.value = thing, seen(m, effect.value)
  if not effect.was then
    list.added[#list.added + 1] = effect.value
  elseif effect.was.at then
    list.back[#list.back + 1] = { at = effect.was.at, turn = effect.was.turn, value = effect.value }
  end
end

local function plan_named(m, file, effect)
  local thing <const>, key <const> = seen(m, effect.thing), seen(m, effect.key)
  local was <const> = effect.was
  local merged, base = seen(m, effect.value), seen(m, effect.value)
  if was then merged, base = merge_value(m, file, was.value, was.live, effect.value, effect) end
  if classes.name_of_store(thing) then -- the file that declares the class may have planned this entry
    note_change(m.writes, thing, key, image.get(thing, key), merged)
  else
    write(m, thing, key, merged)
  end
  effect.thing, effect.key, effect.value, effect.was = thing, key, base, nil
  if was then effect.before = was.before end
end

local function plan_effects(m, file)
  for _, effect in ipairs(file.new.effects) do
    if image.is_appended(effect) then plan_appended(m, effect) else plan_named(m, file, effect) end
    effect.was = nil
  end
end

-- thing -> key -> { log, at }: changes of those lists that are already planned.
local function planned_of(m)
  local planned <const> = {}
  for _, log in ipairs { m.writes, m.removals } do
    for at = 1, log.n, 4 do
      local thing <const>, key <const> = log[at], log[at + 1]
      if m.lists[thing] and math.type(key) == "integer" and key >= 1 and key <= rawlen(thing) + LIST_GROWS then
        planned[thing] = planned[thing] or {}
        planned[thing][key] = { log = log, at = at }
      end
    end
  end
  return planned
end

-- Removing from the middle shifts the rest.
local function values_of(thing, planned)
  local values <const> = {}
  local length = rawlen(thing)
  for key in next, planned do length = math.max(length, key) end
  for i = 1, length do
    local value = rawget(thing, i)
    if planned[i] then value = planned[i].log[planned[i].at + 3] end
    values[#values + 1] = value
  end
  return values
end

local function remove_last(values, value)
  for at = #values, 1, -1 do
    if same(values[at], value) then return table.remove(values, at) end
  end
  return nil
end

local function plan_lists(m)
  local all_planned <const> = planned_of(m)
  for _, thing in ipairs(m.list_order) do
    local list <const>, planned <const> = m.lists[thing], all_planned[thing] or {}
    local values <const> = values_of(thing, planned)
    for _, value in ipairs(list.taken) do remove_last(values, value) end
    table.sort(list.back, function(a, b) return a.turn > b.turn end) -- the last removed goes back first
    for _, it in ipairs(list.back) do table.insert(values, math.min(it.at, #values + 1), it.value) end
    table.move(list.added, 1, #list.added, #values + 1, values)
    for i = 1, math.max(#values, rawlen(thing)) do
      if planned[i] then planned[i].log[planned[i].at + 3] = values[i] else write(m, thing, i, values[i]) end
    end
    for key, change in next, planned do
      if key > #values then change.log[change.at + 3] = nil end
    end
  end
end

-- Objects in the new run's values stay with them. Lists may be long: no recursion.
local function adopt_all(m)
  local work <const>, is_met <const> = {}, {}
  for at = 4, m.writes.n, 4 do work[#work + 1] = m.writes[at] end
  for _, file in ipairs(m.files) do
    for id, cell in next, file.new.cells do
      if not file.cell_of[id] then work[#work + 1] = cell.base end
    end
    for _, effect in ipairs(file.new.effects) do work[#work + 1] = effect.value end
  end
  while #work > 0 do
    local thing <const> = table.remove(work)
    if type(thing) == "userdata" then
      m.adopted[thing] = true
    elseif type(thing) == "table" and not is_met[thing] and not m.new_of[thing] then
      is_met[thing] = true
      for _, file in ipairs(m.files) do
        local is <const> = file.new.tables[thing]
        for _, entry in next, is and is.entries or {} do work[#work + 1] = entry end
      end
    end
  end
end

-- Joins upvalues of new functions to previous cells, and returns the cells from then on.
local function plan_joins(m, file, bases)
  for _, f in ipairs(file.new.functions) do
    local i = 1
    while getupvalue(f, i) do
      local former <const> = file.old.cells[file.cell_of[upvalueid(f, i)]]
      if former then m.joins[#m.joins + 1] = { f, i, former.holder, former.index } end
      i = i + 1
    end
  end
  for id, cell in next, file.new.cells do cell.base = bases[id] end
end

local function plan_loaded(m, loaded, record, result)
  for name in next, record.modules do write(m, loaded, name, result == nil and true or result) end
end

local function plan_remade(m, loaded)
  for _, file in ipairs(m.remade) do
    plan_loaded(m, loaded, file.record, file.record.image.result)
    for _, store in next, file.live_stores do
      for key, value in next, store.live do write(m, store.new, key, value) end
    end
  end
end

-- Plans all changes; `loaded` is package.loaded. Changes nothing.
function merge.plan(m, loaded)
  for _, file in ipairs(m.files) do
    local new <const> = file.new
    local bases <const> = plan_cells(m, file)
    plan_stores(m, file)
    plan_effects(m, file)
    new.tables = plan_tables(m, file)
    plan_joins(m, file, bases)
    new.result = seen(m, new.result)
    plan_loaded(m, loaded, file.record, new.result)
  end
  plan_remade(m, loaded)
  plan_lists(m)
  adopt_all(m)
end

-- }==

-- {== Changing over ========================================================

-- The cells of a file have other ids once its functions share the previous ones.
local function rename_cells(img)
  local cells <const> = {}
  for _, cell in next, img.cells do cells[upvalueid(cell.holder, cell.index)] = cell end
  for name, id in next, img.by_name do
    local cell <const> = id and img.cells[id]
    if cell then img.by_name[name] = upvalueid(cell.holder, cell.index) end
  end
  img.cells = cells
end

-- Applies the plan. After an error (out of memory), `undo` restores the former state.
function merge.commit(m)
  for old, new in next, m.new_of do
    if type(new) == "function" then image.replace(old, new) end
  end
  for _, join in ipairs(m.joins) do upvaluejoin(join[1], join[2], join[3], join[4]) end
  for _, file in ipairs(m.files) do rename_cells(file.new) end
  native.apply(m.writes)
  native.apply(m.removals)
end

-- Needs no memory: everything it writes exists already, or is removed.
function merge.undo(m)
  native.undo(m.removals)
  native.undo(m.writes)
  for old in next, m.new_of do image.replace(old, nil) end
end

-- Returns the replacements: previous function -> new one, new table -> previous one.
function merge.successors(m)
  local map <const> = {}
  for old, new in next, m.new_of do
    if type(new) == "function" then map[old] = new end
  end
  for new, old in next, m.known do map[new] = old end
  return map
end

-- }==

return merge
