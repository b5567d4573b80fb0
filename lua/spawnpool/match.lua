-- Matches tables, functions and file-locals of a file's new run one to one with those of its previous run. A merge
-- (merge.lua) holds the knowledge of all files that ran again; nothing is changed here.

local native <const> = ...
local image <const> = native.use "spawnpool.image"

local debug <const> = native.debug()
local getupvalue <const>, upvalueid <const> = debug.getupvalue, debug.upvalueid
local same <const> = native.is_same

local METATABLE <const> = native.metatable()

local match <const> = {}

-- A merge of all files that ran again. `adopted`: objects of their new runs that stay; `ambiguous`: names of
-- file-locals that could not be told apart; `large`: number of tables that were too large to be merged.
function match.begin(edited)
  return {
    edited = edited,           -- sources of the files with new texts -> true
    remade = {},               -- { record, live_stores } of files that created the same again
    files = {},                -- { record, old, new, live_stores, cell_of } of each file
    new_of = {}, old_of = {},  -- table or function of the previous run <-> its match in the new run
    stays_for = {}, stays_as = {}, -- object, coroutine or iterator of the game <-> the new one that it replaces
    place_of = {},             -- table or function of the new run -> where it was matched: { holder, key }
    known = {},                -- table with a match, or function created exactly as before -> the previous one
    queue = {}, keyed = {},    -- pairs of tables to visit; those with tables or functions as keys
    lists = {}, list_order = {}, -- table of another file -> the list in it, while handlers are put back
    writes = { n = 0 }, removals = { n = 0 }, -- changes for native.apply
    joins = {},                -- function, number, function, number: upvalues that become one
    adopted = {}, ambiguous = {}, large = 0,
  }
end

-- {== Matching =============================================================

local is_remade

local function link(m, file, old, new, holder, key)
  m.new_of[old], m.old_of[new] = new, old
  m.place_of[new] = { holder = holder, key = key }
  if type(new) == "table" then m.known[new] = old end
  m.queue[#m.queue + 1] = { file = file, old = old, new = new }
end

-- Functions that the file got from the same function of another file: their file-locals continue, and their arguments
-- may have been edited.
function is_remade(m, file, base, new)
  local source <const> = file.new.is_closure[new]
  return source and source == file.old.is_closure[base] and (m.edited[source] or native.is_alike(base, new))
end

-- Matches only values that the text of the file created, and each only once. `holder` and `key`: where both were found.
local function pair(m, file, base, new, holder, key)
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
  pair(m, file, file.old.cells[old_id].base, file.new.cells[new_id].base, new_id)
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

-- Inserted or removed elements shift those after them, so equal elements are matched from both ends.
local function match_list(m, file, base, new, holder)
  local shorter <const> = math.min(#base, #new)
  local first, last = 1, 0
  while first <= shorter and match.is_unedited(m, file, base[first], new[first]) do first = first + 1 end
  while last <= shorter - first and match.is_unedited(m, file, base[#base - last], new[#new - last]) do
    last = last + 1
  end
  for i = 1, last do pair(m, file, base[#base - last + i], new[#new - last + i], holder, #new - last + i) end
  for i = 1, #new - last do pair(m, file, base[i], new[i], holder, i) end
end

local function by_type_and_value(a, b)
  if type(a) ~= type(b) then return type(a) < type(b) end
  if type(a) == "boolean" then return b and not a end
  return a < b
end

-- Values that are at several keys, before or now, are matched after the others, and first where they are unchanged.
local function match_aliases_last(m, file, base, entries, keys, holder)
  local count <const> = {}
  for _, key in ipairs(keys) do
    count[entries[key]] = (count[entries[key]] or 0) + 1
    if type(base[key]) == type(entries[key]) then count[base[key]] = (count[base[key]] or 0) + 1 end
  end
  local function is_alias(key) return count[entries[key]] > 1 or (count[base[key]] or 0) > 1 end
  for _, key in ipairs(keys) do
    if not is_alias(key) then pair(m, file, base[key], entries[key], holder, key) end
  end
  for _, key in ipairs(keys) do
    if is_alias(key) and match.is_unedited(m, file, base[key], entries[key]) then
      pair(m, file, base[key], entries[key], holder, key)
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
  for _, key in ipairs(keys) do pair(m, file, base[key], is.entries[key], new, key) end
  pair(m, file, was.meta, is.meta, new, METATABLE)
end

-- Keys that the text created again are identified by what they were before.
local function match_keyed(m)
  local keyed <const> = m.keyed
  m.keyed = {}
  for _, it in ipairs(keyed) do
    local key <const> = m.old_of[it.key] or it.key
    pair(m, it.file, it.file.old.tables[it.old].entries[key], it.value, it.holder, it.key)
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
    for _, key in ipairs(sorted_names(new)) do pair(m, file, base[key], new[key], new, key) end
  end
end

-- Handlers in a list have no names: matched functions belong together, the rest are matched in order.
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
      pair(m, file, image.latest(effect.was.value), effect.value, effect)
    end
  end
end

-- Returns thing -> { named = { key -> effect }, appended = { effect ... } }, and the things in order.
local function effects_by_thing(m, effects)
  local things <const>, order <const> = {}, {}
  for _, effect in ipairs(effects) do
    local thing <const> = match.seen(m, effect.thing)
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
      if effect.was then pair(m, file, image.latest(effect.was.value), effect.value, effect) end
    end
  end
  match_queue(m)
  for _, thing in ipairs(order) do
    match_appended(m, file, old[thing] and old[thing].appended or {}, new[thing].appended)
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

-- Adds a file, in the order in which the files ran. File-locals with unique names come first, if they are unchanged,
-- because authors identify things by name. `live_stores`: class name -> contents of its table before the file ran
-- again.
function match.add(m, record, old, new, live_stores)
  local file <const> = { record = record, old = old, new = new, live_stores = live_stores, cell_of = {}, is_taken = {} }
  m.files[#m.files + 1] = file
  local edited <const> = {}
  for _, name in ipairs(sorted_names(new.by_name)) do
    local id <const>, former <const> = new.by_name[name], old.by_name[name]
    if id and former and match.is_unedited(m, file, old.cells[former].base, new.cells[id].base) then
      match_cells(m, file, former, id)
    elseif id and former then
      edited[#edited + 1] = name
    end
  end
  pair(m, file, old.result, new.result, file)
  match_stores(m, file)
  match_queue(m)
  match_effects(m, file)
  match_queue(m)
  for _, name in ipairs(edited) do match_cells(m, file, old.by_name[name], new.by_name[name]) end
  match_queue(m)
  note_ambiguous(m, file)
end

-- A kept file did more than before: it must be added.
function match.drop(m, record)
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

-- Adds a file that created again exactly what it had created before: the previous values stay, the new ones are
-- dropped. `made` maps the latter to the former.
function match.keep(m, record, made, live_stores)
  m.remade[#m.remade + 1] = { record = record, made = made, live_stores = live_stores }
  for new, old in next, made do
    if type(old) ~= "userdata" then m.known[new] = old end
  end
end

-- }==

-- {== Values ===============================================================

-- Returns a value of the new run as the game will see it: a matched table is the previous one, and where a coroutine
-- stays, its other names refer to it too.
function match.seen(m, value)
  local known = m.known[value]
  if known == nil then known = m.stays_as[value] end
  if known ~= nil then return known end
  return value
end

-- Returns the current version of a value of a previous run.
function match.now(m, value)
  if type(value) ~= "function" then return value end
  value = image.latest(value)
  return m.new_of[value] or value
end

-- Every run creates new objects, coroutines and iterators: a different one does not mean an edit.
function match.is_state(m, file, base, new)
  if not file.old.born[base] or not file.new.born[new] then
    return type(new) ~= "function" and native.is_alike(base, new)
  end
  if type(new) == "userdata" then return true end
  return not file.new.is_closure[new] and native.is_alike(base, new)
end

-- Tables beyond the limit belong to the game.
function match.is_large(file, base, new)
  return type(base) == "table" and file.old.is_partial and not file.old.tables[base] and type(new) == "table"
    and native.made_by(new) == file.record.id and not file.new.tables[new]
end

local function is_unedited_table(m, file, base, new, compared)
  local was <const>, is <const> = file.old.tables[base], file.new.tables[new]
  if not was or not is then return rawequal(base, match.seen(m, new)) or match.is_large(file, base, new) end
  if compared[base] then return rawequal(compared[base], new) end
  compared[base] = new
  for key, value in next, was.entries do
    local at <const> = m.new_of[key] or key
    if not match.is_unedited(m, file, value, is.entries[at], compared) then return false end
  end
  for key in next, is.entries do
    if was.entries[m.old_of[key] or key] == nil then return false end
  end
  return match.is_unedited(m, file, was.meta, is.meta, compared)
end

-- Whether the text means the same with `new` as it meant with `base`: its own functions always do.
function match.is_unedited(m, file, base, new, compared)
  if type(base) ~= type(new) then return false end
  if type(base) == "table" then return is_unedited_table(m, file, base, new, compared or {}) end
  if file.old.is_function[base] and file.new.is_function[new] or is_remade(m, file, base, new) then return true end
  return same(match.now(m, base), match.seen(m, new)) or match.is_state(m, file, base, new)
end

-- }==

return match
