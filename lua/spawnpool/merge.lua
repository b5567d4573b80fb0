-- Brings what files made as they ran again together with what the game has made of their former run. First the tables,
-- functions and file-locals of both runs are matched, each with one at most; then a list of changes is planned; only
-- `commit` changes anything. Three values count for each entry: `base`, when the file ran last, `live`, now, and `new`.

local native <const> = ...
local image <const> = native.use "spawnpool.image"

local debug <const> = native.debug()
local getupvalue <const>, upvalueid <const>, upvaluejoin <const> = debug.getupvalue, debug.upvalueid, debug.upvaluejoin
local getmetatable <const> = debug.getmetatable
local same <const> = native.is_same

local METATABLE <const> = native.metatable()
local LIST_GROWS <const> = 1000 -- a key that lies further behind the end of a list is not one of the list

local merge <const> = {}

-- A merge of all files that ran again. `adopted`: objects that their new runs made and that stay; `ambiguous`: names of
-- file-locals that could not be told apart; `large`: how many tables were too large to be merged.
function merge.begin(edited)
  return {
    edited = edited,           -- sources of the files with new texts -> true
    remade = {},               -- { record, live_stores } of files that made the same again
    files = {},                -- { record, old, new, live_stores, cell_of } of each file
    new_of = {}, old_of = {},  -- table or function of the former run <-> the one that takes its place
    stays_for = {},            -- object, coroutine or iterator of the game -> the new one that it stays in the place of
    place_of = {},             -- table or function of the new run -> where it was matched: { holder, key }
    known = {},                -- table that has a former one, or function made just as before -> the former one
    queue = {}, keyed = {},    -- pairs of tables to go through; those with tables or functions as keys
    lists = {}, list_order = {}, -- table of another file -> the list in it, while handlers are put back
    writes = { n = 0 }, removals = { n = 0 }, -- changes for native.apply
    joins = {},                -- function, number, function, number: upvalues that become one
    adopted = {}, ambiguous = {}, large = 0,
  }
end

-- {== Matching =============================================================

local is_unedited, is_remade

local function link(m, file, old, new, holder, key)
  m.new_of[old], m.old_of[new] = new, old
  m.place_of[new] = { holder = holder, key = key }
  if type(new) == "table" then m.known[new] = old end
  m.queue[#m.queue + 1] = { file = file, old = old, new = new }
end

-- Functions that the file got from the same one of another file: their file-locals go on, and what was given to them
-- may have been edited.
function is_remade(m, file, base, new)
  local source <const> = file.new.is_closure[new]
  return source and source == file.old.is_closure[base] and (m.edited[source] or native.is_alike(base, new))
end

-- Only what the text of the file made is matched, and only once. `holder` and `key`: where both were found.
local function match(m, file, base, new, holder, key)
  if m.new_of[base] or m.old_of[new] then return end
  local kind <const> = type(new)
  if kind == "table" and file.old.tables[base] and file.new.tables[new]
    or kind == "function" and file.old.is_function[base] and file.new.is_function[new]
    or kind == "function" and is_remade(m, file, base, new) then
    link(m, file, base, new, holder, key)
  end
end

local function match_cells(m, file, old_id, new_id)
  if not old_id or file.cell_of[new_id] or file.is_taken[old_id] then return end
  file.cell_of[new_id], file.is_taken[old_id] = old_id, true
  match(m, file, file.old.cells[old_id].base, file.new.cells[new_id].base, new_id)
end

local function match_functions(m, file, old, new)
  local ids <const> = {}
  local i = 1
  local name = getupvalue(old, 1)
  while name do
    ids[name] = file.old.cells[upvalueid(old, i)] and upvalueid(old, i)
    i = i + 1
    name = getupvalue(old, i)
  end
  i = 1
  name = getupvalue(new, 1)
  while name do
    local id <const> = upvalueid(new, i)
    if file.new.cells[id] then match_cells(m, file, ids[name], id) end
    i = i + 1
    name = getupvalue(new, i)
  end
end

-- Elements that were put in or taken out move those behind them: equal ones are matched from both ends.
local function match_list(m, file, base, new, holder)
  local shorter <const> = math.min(#base, #new)
  local first, last = 1, 0
  while first <= shorter and is_unedited(m, file, base[first], new[first]) do first = first + 1 end
  while last <= shorter - first and is_unedited(m, file, base[#base - last], new[#new - last]) do last = last + 1 end
  for i = 1, last do match(m, file, base[#base - last + i], new[#new - last + i], holder, #new - last + i) end
  for i = 1, #new - last do match(m, file, base[i], new[i], holder, i) end
end

local function by_type_and_value(a, b)
  if type(a) ~= type(b) then return type(a) < type(b) end
  if type(a) == "boolean" then return b and not a end
  return a < b
end

-- Values that stand at several keys, before or now, are matched after the others, and first where they are as before.
local function match_aliases_last(m, file, base, entries, keys, holder)
  local count <const> = {}
  for _, key in ipairs(keys) do
    count[entries[key]] = (count[entries[key]] or 0) + 1
    if type(base[key]) == type(entries[key]) then count[base[key]] = (count[base[key]] or 0) + 1 end
  end
  local function is_alias(key) return count[entries[key]] > 1 or (count[base[key]] or 0) > 1 end
  for _, key in ipairs(keys) do
    if not is_alias(key) then match(m, file, base[key], entries[key], holder, key) end
  end
  for _, key in ipairs(keys) do
    if is_alias(key) and is_unedited(m, file, base[key], entries[key]) then
      match(m, file, base[key], entries[key], holder, key)
    end
  end
end

local function match_tables(m, file, old, new)
  local was <const>, is <const> = file.old.tables[old], file.new.tables[new]
  local base <const>, keys <const> = was.entries, {}
  if #base ~= #is.entries then match_list(m, file, base, is.entries, new) end
  for key, value in next, is.entries do
    local kind <const> = type(key)
    if kind == "table" or kind == "function" then
      m.keyed[#m.keyed + 1] = { file = file, old = old, holder = new, key = key, value = value }
    elseif (type(value) == "table" or type(value) == "function") and kind ~= "userdata" and kind ~= "thread" then
      keys[#keys + 1] = key
    end
  end
  if #keys > 1 then
    table.sort(keys, by_type_and_value) -- the same pairs in every run
    match_aliases_last(m, file, base, is.entries, keys, new)
  end
  for _, key in ipairs(keys) do match(m, file, base[key], is.entries[key], new, key) end
  match(m, file, was.meta, is.meta, new, METATABLE)
end

-- Keys that the text made anew are known by what they were before.
local function match_keyed(m)
  local keyed <const> = m.keyed
  m.keyed = {}
  for _, it in ipairs(keyed) do
    local key <const> = m.old_of[it.key] or it.key
    match(m, it.file, it.file.old.tables[it.old].entries[key], it.value, it.holder, it.key)
  end
end

local function match_queue(m)
  repeat
    local at = 1
    while at <= #m.queue do
      local it <const> = m.queue[at]
      local go_on <const> = type(it.new) == "table" and match_tables or match_functions
      go_on(m, it.file, it.old, it.new)
      at = at + 1
    end
    m.queue = {}
    match_keyed(m)
  until #m.queue == 0
end

local function sorted_names(t)
  local names <const> = {}
  for name in next, t do names[#names + 1] = name end
  table.sort(names)
  return names
end

-- Entries of a class: functions, and tables like `fields`.
local function match_stores(m, file)
  for _, name in ipairs(sorted_names(file.new.stores)) do
    local base <const>, new <const> = file.old.stores[name] or {}, file.new.stores[name]
    for _, key in ipairs(sorted_names(new)) do match(m, file, base[key], new[key], new, key) end
  end
end

local function thing_of(m, thing) return m.known[thing] or thing end

-- Handlers in a list have no names: those whose functions are matched already belong together, the rest in their order.
local function match_appended(m, file, old, new)
  local by_value <const>, is_taken <const> = {}, {}
  for _, was in ipairs(old) do
    local value <const> = m.new_of[image.latest(was.value)]
    if value ~= nil then
      by_value[value] = by_value[value] or {}
      table.insert(by_value[value], was)
    end
  end
  for _, effect in ipairs(new) do
    effect.was = by_value[effect.value] and table.remove(by_value[effect.value], 1)
    if effect.was then is_taken[effect.was] = true end
  end
  local at = 1
  for _, effect in ipairs(new) do
    while is_taken[old[at]] do at = at + 1 end
    if not effect.was and old[at] then
      effect.was, at = old[at], at + 1
      match(m, file, image.latest(effect.was.value), effect.value, effect)
    end
  end
end

-- thing -> { named = { key -> effect }, appended = { effect ... } }, and the things in order.
local function effects_by_thing(m, effects)
  local things <const>, order <const> = {}, {}
  for _, effect in ipairs(effects) do
    local thing <const> = thing_of(m, effect.thing)
    if not things[thing] then
      things[thing] = { named = {}, appended = {} }
      order[#order + 1] = thing
    end
    local of_thing <const> = things[thing]
    if image.is_appended(effect) then
      of_thing.appended[#of_thing.appended + 1] = effect
    else
      of_thing.named[m.old_of[effect.key] or effect.key] = effect
    end
  end
  return things, order
end

local function match_effects(m, file)
  local old <const> = effects_by_thing(m, file.old.effects)
  local new <const>, order <const> = effects_by_thing(m, file.new.effects)
  for _, thing in ipairs(order) do
    local was <const> = old[thing] or { named = {}, appended = {} }
    for key, effect in next, new[thing].named do
      effect.was = was.named[key]
      if effect.was then match(m, file, image.latest(effect.was.value), effect.value, effect) end
    end
    match_appended(m, file, was.appended, new[thing].appended)
  end
end

local function note_ambiguous(m, file)
  for name, id in pairs(file.new.by_name) do
    local left = not id and file.old.by_name[name] ~= nil or id and file.old.by_name[name] == false
    if left then
      left = false
      for each, cell in pairs(file.new.cells) do left = left or cell.name == name and not file.cell_of[each] end
    end
    if left then m.ambiguous[#m.ambiguous + 1] = name end
  end
end

-- Adds a file, in the order in which the files ran. File-locals with a name of their own come first, if they are as
-- they were: names are what an author knows things by. `live_stores`: class name -> what its table held before the file
-- ran again.
function merge.add(m, record, old, new, live_stores)
  local file <const> = { record = record, old = old, new = new, live_stores = live_stores, cell_of = {}, is_taken = {} }
  m.files[#m.files + 1] = file
  local edited <const> = {}
  for _, name in ipairs(sorted_names(new.by_name)) do
    local id <const>, former <const> = new.by_name[name], old.by_name[name]
    if id and former and is_unedited(m, file, old.cells[former].base, new.cells[id].base) then
      match_cells(m, file, former, id)
    elseif id and former then
      edited[#edited + 1] = name
    end
  end
  match(m, file, old.result, new.result, file)
  match_stores(m, file)
  match_queue(m)
  match_effects(m, file)
  match_queue(m)
  for _, name in ipairs(edited) do match_cells(m, file, old.by_name[name], new.by_name[name]) end
  match_queue(m)
  note_ambiguous(m, file)
end

-- A file that was kept did more than what it had done: it is to be added.
function merge.drop(m, record)
  for i, file in ipairs(m.remade) do
    if file.record == record then
      for new, old in next, file.made do
        if m.known[new] == old then m.known[new] = nil end
      end
      table.remove(m.remade, i)
      return
    end
  end
end

-- Adds a file that made again just what it had made before: all of that stays, and what it made now goes. `made`: the
-- latter -> the former.
function merge.keep(m, record, made, live_stores)
  m.remade[#m.remade + 1] = { record = record, made = made, live_stores = live_stores }
  for new, old in next, made do
    if type(old) ~= "userdata" then m.known[new] = old end
  end
end

-- }==

-- {== Values ===============================================================

-- A value of the new run as the game will see it: a table that has a former one is that one.
local function seen(m, value)
  local known <const> = m.known[value]
  if known ~= nil then return known end
  return value
end

-- A value of a former run as it is from now on.
local function now(m, value)
  if type(value) ~= "function" then return value end
  value = image.latest(value)
  return m.new_of[value] or value
end

-- Objects, coroutines and iterators are made anew by every run: that one is another does not mean that it was edited.
local function is_state(m, file, base, new)
  if not file.old.born[base] or not file.new.born[new] then
    return type(new) ~= "function" and native.is_alike(base, new)
  end
  if type(new) == "userdata" then return true end
  return not file.new.is_closure[new] and native.is_alike(base, new)
end

-- Tables that were too many to be remembered are the game's.
local function is_large(file, base, new)
  return type(base) == "table" and file.old.is_partial and not file.old.tables[base] and type(new) == "table"
    and native.made_by(new) == file.record.id and not file.new.tables[new]
end

local function is_unedited_table(m, file, base, new, compared)
  local was <const>, is <const> = file.old.tables[base], file.new.tables[new]
  if not was or not is then return rawequal(base, seen(m, new)) or is_large(file, base, new) end
  if compared[base] then return rawequal(compared[base], new) end
  compared[base] = new
  for key, value in next, was.entries do
    local at <const> = m.new_of[key] or key
    if not is_unedited(m, file, value, is.entries[at], compared) then return false end
  end
  for key in next, is.entries do
    if was.entries[m.old_of[key] or key] == nil then return false end
  end
  return is_unedited(m, file, was.meta, is.meta, compared)
end

-- Whether the text means the same with `new` as it meant with `base`: functions of its own always do.
function is_unedited(m, file, base, new, compared)
  if type(base) ~= type(new) then return false end
  if type(base) == "table" then return is_unedited_table(m, file, base, new, compared or {}) end
  if file.old.is_function[base] and file.new.is_function[new] or is_remade(m, file, base, new) then return true end
  return same(now(m, base), seen(m, new)) or is_state(m, file, base, new)
end

-- A second name of a table that goes on: what was edited in that is not an edit of the name.
local function is_alias(m, base, new, holder, key)
  local place <const> = m.place_of[new]
  return place and rawequal(m.old_of[new], base) and not (rawequal(place.holder, holder) and rawequal(place.key, key))
end

-- What becomes of an entry, and what counts as its base from then on. What the author has edited wins; else what the
-- game has made of it stays. `holder` and `key`: where the new value stands.
local function merge_value(m, file, base, live, new, holder, key)
  local fresh <const> = seen(m, new)
  if same(live, fresh) then return live, fresh end
  if same(now(m, live), now(m, base)) then
    if is_state(m, file, base, new) and (m.stays_for[live] == nil or rawequal(m.stays_for[live], new)) then
      m.stays_for[live] = new
      file.new.born[live] = true -- it stands for what the text makes, in the next reload too
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

-- What is removed is removed last: that asks for no memory, so there is nothing left then that can fail.
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

-- Returns what the table's entries and metatable are taken for from now on.
local function plan_table(m, file, new)
  local old <const>, is <const> = m.old_of[new], file.new.tables[new]
  if old then
    local was <const> = file.old.tables[old]
    local entries <const> = plan_entries(m, file, old, was, is, new)
    local meta <const>, base <const> = merge_value(m, file, was.meta, getmetatable(old), is.meta, new, METATABLE)
    write(m, old, METATABLE, meta)
    return old, { entries = entries, meta = base }
  end
  local entries <const> = {}
  for key, value in next, is.entries do
    local at <const> = seen(m, key)
    entries[at] = seen(m, value)
    write(m, new, at, entries[at])
    if not rawequal(at, key) then write(m, new, key, nil) end
  end
  write(m, new, METATABLE, seen(m, is.meta))
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

-- The file-local of the new run goes on in the cell of the former one. `local a` says nothing of a value: the game's
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

-- Entries of a class that another file gave it stay.
local function plan_stores(m, file)
  for name, live_store in next, file.live_stores do
    local base <const>, new <const> = file.old.stores[name] or {}, file.new.stores[name]
    for key, value in next, new do
      local merged <const>, new_base <const> = merge_value(m, file, base[key], live_store.live[key], value, new, key)
      new[key] = new_base
      write(m, live_store.new, key, merged)
    end
    for key, value in next, live_store.live do
      if new[key] == nil and base[key] == nil then write(m, live_store.new, key, value) end
    end
  end
end

-- What files append to the list in a table, and take out of it.
local function list_of(m, thing)
  if not m.lists[thing] then
    m.lists[thing] = { taken = {}, back = {}, added = {} }
    m.list_order[#m.list_order + 1] = thing
  end
  return m.lists[thing]
end

-- What a file appends goes where it was before; what the game has taken out of the list meanwhile stays out.
local function plan_appended(m, effect)
  local thing <const> = thing_of(m, effect.thing)
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
  local thing <const>, key <const> = thing_of(m, effect.thing), seen(m, effect.key)
  local was <const> = effect.was
  local merged, base = seen(m, effect.value), seen(m, effect.value)
  if was then merged, base = merge_value(m, file, was.value, was.live, effect.value, effect) end
  write(m, thing, key, merged)
  effect.thing, effect.key, effect.value, effect.was = thing, key, base, nil
  if was then effect.before = was.before end
end

local function plan_effects(m, file)
  for _, effect in ipairs(file.new.effects) do
    if image.is_appended(effect) then plan_appended(m, effect) else plan_named(m, file, effect) end
    effect.was = nil
  end
end

-- thing -> key -> { log, at }: changes of those lists that are planned already.
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

-- What is taken out of the middle moves the rest.
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
    table.sort(list.back, function(a, b) return a.turn > b.turn end) -- what was taken out last goes back first
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

-- Objects in what the new run made stay when that does. Lists may be long: no recursion.
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

-- Upvalues of new functions that go on in former ones; and the cells as they are known from then on.
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

-- Plans all changes; `loaded` is package.loaded. Nothing has changed yet when this returns.
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

-- The cells of a file have other ids once its functions look at the former ones.
local function rename_cells(img)
  local cells <const> = {}
  for _, cell in next, img.cells do cells[upvalueid(cell.holder, cell.index)] = cell end
  for name, id in next, img.by_name do
    local cell <const> = id and img.cells[id]
    if cell then img.by_name[name] = upvalueid(cell.holder, cell.index) end
  end
  img.cells = cells
end

-- Everything that was planned happens. An error, of memory, leaves what `undo` puts back.
function merge.commit(m)
  for old, new in next, m.new_of do
    if type(new) == "function" then image.replace(old, new) end
  end
  for _, join in ipairs(m.joins) do upvaluejoin(join[1], join[2], join[3], join[4]) end
  for _, file in ipairs(m.files) do rename_cells(file.new) end
  native.apply(m.writes)
  native.apply(m.removals)
end

-- Asks for no memory: what is written is there already, or goes.
function merge.undo(m)
  native.undo(m.removals)
  native.undo(m.writes)
  for old in next, m.new_of do image.replace(old, nil) end
end

-- What has taken the place of what: former function -> new one, new table -> former one.
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
