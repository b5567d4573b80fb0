-- Pairs what a file made in its last run with what it makes now, one to one: what is the same. Results first, then
-- functions by their definitions in the text, entries by key, lists by place or element, variables by name. Nothing is
-- changed here.

local native <const> = ...
local classes <const> = native.use "spawnpool.class"
local definitions <const> = native.use "spawnpool.definitions"
local files <const> = native.use "spawnpool.files"
local places <const> = native.use "spawnpool.places"

local debug <const> = native.debug()
local getinfo <const>, getupvalue <const>, upvalueid <const> = debug.getinfo, debug.getupvalue, debug.upvalueid
local match <const> = string.match
local same <const>, is_index <const>, list_part <const> = native.same, places.is_index, places.list_part
local sorted_keys <const> = places.sorted_keys

local pairing <const> = {}

local LIKE_DEPTH <const> = 3 -- tables in tables that are compared

-- `texts`: record -> the new text of an edited file.
function pairing.begin(texts)
  return {
    texts = texts, files = {}, file_of = {}, of_source = {}, -- { record, was, is } of each file
    was = {}, is = {}, -- thing or variable of the last run, or of this one -> its file
    succ = {}, pred = {}, -- thing or variable of the last run <-> its partner
    kept = {}, replaced = {}, -- new thing -> the old one that stays; old function -> the new one
    frozen = {}, -- tables and functions that stay as they are: of classes that are declared no longer
    moves = {}, -- thing -> key -> the place that this one became, { thing, key, value }
    work = {}, ended = {}, adopted = {}, -- pairs to visit; timers that end; objects and timers of this run that stay
  }
end

-- {== Definitions ==============================================================

-- Matches functions of two texts that `fits` lets match, in the order of the text, by a key of each.
local function match_by(it, key_of)
  local waiting <const> = {}
  for _, f in ipairs(it.old) do
    local key <const> = it.now[f] == nil and key_of(f)
    if key then
      waiting[key] = waiting[key] or {}
      table.insert(waiting[key], f)
    end
  end
  for _, f in ipairs(it.new) do
    local key <const> = it.former[f] == nil and key_of(f, true)
    local former <const> = key and waiting[key] and table.remove(waiting[key], 1)
    if former then it.now[former], it.former[f] = f, former end
  end
end

-- By name, and several of one name by unchanged text, then by order.
local function match_names(it, name_of)
  match_by(it, function(f)
    local name <const> = name_of(f)
    return name and name .. "\n" .. f.text
  end)
  match_by(it, name_of)
end

-- Nameless ones by order, where an outer function has as many as before.
local function match_order(it)
  local function group(list, outer_of)
    local groups <const> = {}
    for _, f in ipairs(list) do
      local outer <const> = outer_of(f)
      if not f.name and outer then
        groups[outer] = groups[outer] or {}
        table.insert(groups[outer], f)
      end
    end
    return groups
  end
  local old <const> = group(it.old, function(f) return f.outer == 0 and it or it.now[it.old[f.outer]] end)
  local new <const> = group(it.new, function(f) return f.outer == 0 and it or it.new[f.outer] end)
  for outer, list in next, new do
    local former <const> = old[outer] or {}
    local i = 1
    for _, f in ipairs(#former == #list and list or {}) do
      while former[i] and it.now[former[i]] do i = i + 1 end
      if not it.former[f] and former[i] then it.now[former[i]], it.former[f] = f, former[i] end
    end
  end
end

-- Returns what the functions of a text became: { before, after, now: old definition -> new one, former: the reverse }.
local function match_definitions(before, after)
  local it <const> = { before = before, after = after, old = before.functions, new = after.functions, now = {},
    former = {} }
  local function path(list, field)
    return function(f)
      local name = f[field]
      local outer = f.outer
      while name and outer > 0 do
        name, outer = (list[outer][field] or "?") .. ">" .. name, list[outer].outer
      end
      return name
    end
  end
  for _, field in ipairs { "given_name", "name" } do
    local names <const> = {}
    for _, list in ipairs { it.old, it.new } do
      local path_of <const> = path(list, field)
      for _, f in ipairs(list) do names[f] = path_of(f) end
    end
    match_names(it, function(f) return names[f] end)
  end
  match_names(it, function(f) return f.name end)
  match_by(it, function(f) return f.text end)
  match_order(it)
  return it
end

-- Returns the definitions of a text, read once; `record` remembers those of the text that it runs.
function pairing.definitions_of(record, text)
  if record.defined_text ~= text then
    record.defined, record.defined_text = definitions.of(text), text
  end
  return record.defined
end

local function open_definitions(m, file)
  local record <const>, text <const> = file.record, m.texts[file.record]
  if not text or not record.image or not record.text then return end
  local before <const> = pairing.definitions_of(record, record.text)
  file.defined = definitions.of(text)
  file.matched = match_definitions(before, file.defined)
end

-- The names that a file's variables and tables have for a function.
local function hints_of(image)
  if image.hints then return image.hints end
  local hints <const> = {}
  local function add(f, name)
    if type(f) ~= "function" or type(name) ~= "string" then return end
    hints[f] = hints[f] or {}
    hints[f][name] = true
  end
  for _, entries in next, image.tables or {} do
    for key, value in next, entries do add(value, key) end
  end
  for _, cell in next, image.cells or {} do add(cell.value, cell.name) end
  image.hints = hints
  return hints
end

-- Returns the definition of a function, or nil where several that are alike stand in one line.
local function definition_of(f, defined, image)
  local info <const> = getinfo(f, "Su")
  local list <const> = defined.by_lines[string.format("%d:%d", info.linedefined, info.lastlinedefined)]
  if not list or #list < 2 then return list and list[1] end
  local hints <const> = hints_of(image)[f] or {}
  local found, count, others, other = nil, 0, 0, nil
  for _, d in ipairs(list) do
    if d.params == info.nparams then
      others, other = others + 1, d
      if d.name and hints[match(d.name, "[^.]*$")] then found, count = d, count + 1 end
    end
  end
  if count == 1 then return found end
  return count == 0 and others == 1 and other or nil
end

-- }==

-- {== Pairs ====================================================================

function pairing.add(m, record, was, is)
  local file <const> = { record = record, was = was, is = is }
  m.files[#m.files + 1], m.file_of[record], m.of_source[record.source] = file, file, file
  if record.former_source then m.of_source[record.former_source] = file end
  for thing in next, was.made or {} do m.was[thing] = file end
  for id in next, was.cells or {} do m.was[id] = file end
  for thing in next, is.made do m.is[thing] = file end
  for id in next, is.cells do m.is[id] = file end
  open_definitions(m, file)
  return file
end

local function same_lines(a, b) return a.linedefined == b.linedefined and a.lastlinedefined == b.lastlinedefined end

-- Returns whether a function became another one, by their definitions; where neither tells, by the key that both have.
local function is_successor(file, old, new, a, b, by_key)
  if not file.matched then return same_lines(a, b) end
  local former <const> = definition_of(old, file.matched.before, file.was)
  local now <const> = definition_of(new, file.matched.after, file.is)
  if not former or not now then return former == now or not file.matched.now[former or false] end
  if file.matched.now[former] then return file.matched.now[former] == now end
  return by_key and not file.matched.former[now] and former.name ~= nil and now.name ~= nil
end

-- Returns whether a function that one text has no longer went to another file that is saved with it.
local function moves_along(m, old, new, a, b)
  local from <const>, to <const> = m.of_source[a.source], m.of_source[b.source]
  if not from or not to or not from.matched or not to.matched then return false end
  local former <const> = definition_of(old, from.matched.before, from.was)
  local now <const> = definition_of(new, to.matched.after, to.is)
  if not former or not now or from.matched.now[former] or to.matched.former[now] then return false end
  return former.name ~= nil and now.name ~= nil and match(former.name, "[^.]*$") == match(now.name, "[^.]*$")
end

-- Returns how a new thing follows an old one: as one whose identity stays, as a function that is replaced; nil: not at
-- all. A function is its file's, whoever called that.
local function how_follows(m, old, new, by_key)
  local was <const>, is <const> = m.was[old], m.is[new]
  if not was or not is or m.frozen[old] then return nil end
  if type(old) == "table" then return classes.name_of(old) == classes.name_of(new) and "kept" or nil end
  if type(old) ~= "function" then return nil end
  local a <const>, b <const> = getinfo(old, "S"), getinfo(new, "S")
  if a.what == "C" or b.what == "C" then return nil end
  local file <const> = m.of_source[a.source]
  if a.source ~= b.source and not (file and file == m.of_source[b.source]) then
    return moves_along(m, old, new, a, b) and "replaced" or nil
  end
  if not file then return (same_lines(a, b) and native.code_of(old) == native.code_of(new)) and "kept" or nil end
  if was.was.ghosts and was.was.ghosts[old] then return nil end
  if file.was.made and file.was.made[old] or was == file then
    return is_successor(file, old, new, a, b, by_key) and "replaced" or nil
  end
  if file.is_remade then return same_lines(a, b) and "kept" or nil end
  local maker <const> = { matched = file.matched, was = was.was, is = is.is }
  return is_successor(maker, old, new, a, b, by_key) and "replaced" or nil
end

-- `by_key`: they are at one key, or in one variable.
local function pair(m, old, new, by_key)
  if old == nil or new == nil or type(old) ~= type(new) or rawequal(old, new) then return end
  if m.succ[old] ~= nil or m.pred[new] ~= nil then return end
  local how <const> = how_follows(m, old, new, by_key)
  if not how then return end
  m.succ[old], m.pred[new] = new, old
  if how == "kept" then m.kept[new] = old else m.replaced[old] = new end
  m.work[#m.work + 1] = { old, new }
end

local function pair_cells(m, old, new)
  local a <const>, b <const> = m.was[old] and m.was[old].was.cells[old], m.is[new] and m.is[new].is.cells[new]
  if not a or not b or m.succ[old] ~= nil or m.pred[new] ~= nil then return end
  m.succ[old], m.pred[new] = new, old
  pair(m, a.value, b.value, true)
end

local function contents(m, thing, side)
  local file <const> = m[side][thing]
  return file and type(thing) == "table" and file[side].tables[thing] or nil
end

-- Returns whether two values are pairs already, or may become one without doubt: tables with such contents.
local function is_like(m, old, new, depth)
  if m.succ[old] ~= nil then return rawequal(m.succ[old], new) end
  if type(old) ~= type(new) then return false end
  if type(old) == "function" then return rawequal(old, new) or how_follows(m, old, new) ~= nil end
  local a <const>, b <const> = contents(m, old, "was"), contents(m, new, "is")
  if not a or not b or depth == 0 then return same(old, new) or a ~= nil and b ~= nil end
  for key, value in next, b do
    if a[key] == nil or not is_like(m, a[key], value, depth - 1) then return false end
  end
  for key in next, a do
    if b[key] == nil then return false end
  end
  return true
end

-- Pairs elements of lists: what is alike first, from both ends where one is longer, then in order.
local function pair_elements(m, old, new)
  local free <const> = {}
  local function is_open(v, map) return (type(v) == "table" or type(v) == "function") and map[v] == nil end
  local head, tail = 1, 0
  local shorter <const> = math.min(#old, #new)
  while head <= shorter and is_like(m, old[head], new[head], LIKE_DEPTH) do
    pair(m, old[head], new[head])
    head = head + 1
  end
  while tail < shorter - head + 1 and is_like(m, old[#old - tail], new[#new - tail], LIKE_DEPTH) do
    pair(m, old[#old - tail], new[#new - tail])
    tail = tail + 1
  end
  for i = head, #old - tail do free[#free + 1] = old[i] end
  if #free > 200 then free[201] = nil end
  for i = head, #new - tail do
    local v <const> = new[i]
    for _, o in ipairs(is_open(v, m.pred) and free or {}) do
      if m.pred[v] == nil and is_open(o, m.succ) and is_like(m, o, v, LIKE_DEPTH) then pair(m, o, v) end
    end
  end
  local at = 1
  for i = head, #new - tail do
    while free[at] ~= nil and not is_open(free[at], m.succ) do at = at + 1 end
    if is_open(new[i], m.pred) and free[at] ~= nil then
      pair(m, free[at], new[i])
      at = at + 1
    end
  end
end
pairing.pair_elements = pair_elements

-- Values that are at several keys, before or now, are paired after the others.
local function pair_entries(m, a, b)
  local keys <const>, count <const> = {}, {}
  local ordered <const>, others <const> = sorted_keys(b) -- the same pairs in every run
  for _, key in ipairs(table.move(others, 1, #others, #ordered + 1, ordered)) do
    local former = m.pred[key]
    if former == nil then former = key end
    local old <const>, new <const> = a[former], b[key]
    if type(old) == type(new) and (type(new) == "table" or type(new) == "function") then
      keys[#keys + 1] = { old, new, not is_index(key) }
      count[old], count[new] = (count[old] or 0) + 1, (count[new] or 0) + 1
    end
  end
  for _, aliases in ipairs { false, true } do
    for pass = aliases and 1 or 2, 2 do
      for _, it in ipairs(keys) do
        local is_alias <const> = count[it[1]] > 1 or count[it[2]] > 1
        if is_alias == aliases and (pass == 2 or is_like(m, it[1], it[2], LIKE_DEPTH)) then
          pair(m, it[1], it[2], it[3])
        end
      end
    end
  end
end

-- Returns the elements of a list without those that other files have made and put into it.
local function own_elements(list, file)
  local own <const> = {}
  for _, value in ipairs(list) do
    local owner <const> = files.owner_of(value)
    if owner == nil or owner == file.record then own[#own + 1] = value end
  end
  return own
end

-- Returns the entries of a table, with these elements in place of its own.
local function keyed_part(entries, list)
  local part <const> = table.move(list, 1, #list, 1, {})
  for key, value in next, entries do
    if not is_index(key) then part[key] = value end
  end
  return part
end

local function pair_tables(m, old, new)
  local was <const>, is <const> = m.was[old].was, m.is[new].is
  local a, b = was.tables[old], is.tables[new]
  if not a or not b then return end
  local list, now = list_part(a), list_part(b)
  if list and now then
    local is_handed_on <const> = m.was[old] ~= m.is[new] -- another file makes the table now, whose elements stay
    list, now = own_elements(list, is_handed_on and m.is[new] or m.was[old]), own_elements(now, m.is[new])
    local is_by_place <const> = #list == #now and not is_handed_on
    if not is_by_place then pair_elements(m, list, now) end
    a, b = keyed_part(a, is_by_place and list or {}), keyed_part(b, is_by_place and now or {})
  end
  pair_entries(m, a, b)
  if was.metas[old] and is.metas[new] then pair(m, was.metas[old], is.metas[new]) end
end

local function each_variable(f, fn)
  local i = 1
  local name = getupvalue(f, 1)
  while name do
    if name ~= "_ENV" then fn(name, upvalueid(f, i), i) end
    i = i + 1
    name = getupvalue(f, i)
  end
end
pairing.each_variable = each_variable

local function pair_functions(m, old, new)
  local ids <const> = {}
  each_variable(old, function(name, id) ids[name] = ids[name] or id end)
  each_variable(new, function(name, id)
    if ids[name] then pair_cells(m, ids[name], id) end
  end)
end

local function pair_all(m)
  local at = 0
  while at < #m.work do
    at = at + 1
    local old <const>, new <const> = m.work[at][1], m.work[at][2]
    if type(old) == "table" then pair_tables(m, old, new) else pair_functions(m, old, new) end
  end
  m.work = {}
end

-- Functions whose definition made one in each run are what that became, wherever they are held.
local function pair_definitions(m, file)
  if not file.matched then return end
  local function group(image, defined)
    local by <const> = {}
    for thing in next, image.made or {} do
      local is_own <const> = type(thing) == "function" and m.of_source[getinfo(thing, "S").source] == file
        and not (image.ghosts and image.ghosts[thing])
      local d <const> = is_own and definition_of(thing, defined, image)
      if d then by[d] = by[d] == nil and thing or false end
    end
    return by
  end
  local old <const> = group(file.was, file.matched.before)
  local new <const> = group(file.is, file.matched.after)
  for _, d in ipairs(file.matched.new) do
    local former <const> = file.matched.former[d]
    if former and old[former] and new[d] then pair(m, old[former], new[d]) end
  end
end

-- }==

-- {== What was written elsewhere ==============================================

-- Returns thing -> { keys: key -> the last value, list: elements that were added }, of the entries of a journal.
function pairing.effects_of(entries)
  local effects <const> = {}
  for _, entry in ipairs(entries) do
    for at = 1, entry.n, 4 do
      local thing <const>, key <const>, before <const>, after <const> = table.unpack(entry, at, at + 3)
      local e <const> = effects[thing] or { keys = {}, list = {} }
      effects[thing] = e
      if is_index(key) then
        if after ~= nil then e.list[#e.list + 1] = { key, after } end
      else
        e.keys[key] = after == nil and places.NOTHING or after
        e.before = e.before or {}
        if e.before[key] == nil then e.before[key] = before == nil and places.NOTHING or before end
      end
    end
  end
  for _, e in next, effects do
    table.sort(e.list, function(a, b) return a[1] < b[1] end)
    for i, it in ipairs(e.list) do e.list[i] = it[2] end
  end
  return effects
end

-- `file.wrote` and `file.writes`: of the last run and of this one.
local function pair_effects(m, file)
  for thing, e in next, file.writes do
    local holder = m.pred[thing]
    if holder == nil then holder = thing end
    local former = file.wrote[holder]
    local made <const> = not former and file.was.tables and file.was.tables[holder]
    if made then former = { keys = made, list = list_part(made) or {} } end
    if former then
      pair_entries(m, former.keys, e.keys)
      pair_elements(m, former.list, e.list)
    end
    for _, other in ipairs(m.files) do -- another one wrote there first
      if other ~= file and other.wrote[holder] then pair_entries(m, other.wrote[holder].keys, e.keys) end
    end
  end
  pair_all(m)
end

-- }==

-- {== Timers ==================================================================

-- Timers are userdata: they stay where they are kept.
local function timers_of(image)
  local list <const> = {}
  for i, timer in ipairs(image.timers or {}) do
    local fn <const>, seconds <const>, period <const>, runs <const> = native.timer(timer)
    list[i] = { timer = timer, fn = fn, seconds = seconds, period = period, runs = runs }
  end
  return list
end

-- Returns whether two timers are of one kind; `exactly`: and have the same times.
local function is_same_kind(old, new, exactly)
  if old.runs ~= new.runs or (old.period > 0) ~= (new.period > 0) then return false end
  return not exactly or old.seconds == new.seconds
end

-- Returns whether two runs have started the same timers; is_alike(old, new) compares functions.
function pairing.has_same_timers(was, is, is_alike)
  local old <const>, new <const> = timers_of(was), timers_of(is)
  if #old ~= #new then return false end
  for i, it in ipairs(new) do
    if not is_same_kind(old[i], it, true) or not is_alike(old[i].fn, it.fn) then return false end
  end
  return true
end

local function pair_timer(m, is, at, old, new)
  m.succ[old.timer], m.pred[new.timer] = new.timer, old.timer
  if old.seconds == new.seconds then
    m.kept[new.timer], is.timers[at] = old.timer, old.timer
  else
    m.replaced[old.timer], m.adopted[new.timer] = new.timer, true
  end
end

-- Pairs the timers of a file, when its functions are paired. The old ones go on, unless the author has edited their
-- times, or starts them no more.
local function pair_timers(m, was, is)
  local old <const>, new <const>, functions <const> = timers_of(was), timers_of(is), { {}, {} }
  for i, list in ipairs { old, new } do
    for k, it in ipairs(list) do functions[i][k] = it.fn end
  end
  pair_elements(m, functions[1], functions[2])
  pair_all(m)
  for _, exactly in ipairs { true, false } do
    for at, it in ipairs(new) do
      for _, former in ipairs(old) do
        local is_free <const> = m.succ[former.timer] == nil and m.pred[it.timer] == nil
        local is_same_function <const> = rawequal(former.fn, it.fn) or rawequal(m.succ[former.fn], it.fn)
        if is_free and is_same_function and is_same_kind(former, it, exactly) then pair_timer(m, is, at, former, it) end
      end
    end
  end
  for _, it in ipairs(new) do m.adopted[it.timer] = m.adopted[it.timer] or m.kept[it.timer] == nil or nil end
  for _, it in ipairs(old) do
    local later <const> = m.succ[it.timer]
    if later == nil or m.kept[later] == nil then m.ended[#m.ended + 1] = { timer = it.timer, later = later } end
  end
end

-- }==

-- {== Files ====================================================================

-- Returns name -> id of the file's own variables that have no partner, the first of several of a name; those that an
-- earlier edit took out of use come last.
local function alone(m, file, image, taken)
  local names <const>, place <const> = {}, {}
  for id, cell in next, image.cells or {} do
    local info <const> = taken[id] == nil and cell.name ~= "_ENV" and getinfo(cell.f, "S")
    if info and m.of_source[info.source] == file then
      local is_ghost <const> = image.ghosts and image.ghosts[cell.f]
      local at <const> = info.linedefined + (is_ghost and 1 << 40 or 0)
      if not place[cell.name] or at < place[cell.name] then names[cell.name], place[cell.name] = id, at end
    end
  end
  return names
end

-- A name that some variable of the last run has a partner for is not free.
local function pair_names(m, file)
  local old <const>, new <const> = alone(m, file, file.was, m.succ), alone(m, file, file.is, m.pred)
  for _, name in ipairs(sorted_keys(new)) do
    if old[name] then pair_cells(m, old[name], new[name]) end
  end
  pair_all(m)
end

-- Returns the variables and globals of one run that have no partner in the other: name -> { thing, key, value }, false
-- where several have the name.
local function loose_ends(m, side)
  local ends <const> = {}
  local function add(name, thing, key, value)
    if ends[name] == nil then ends[name] = { thing = thing, key = key, value = value } else ends[name] = false end
  end
  for _, file in ipairs(m.files) do
    local image <const> = m.texts[file.record] and file.record.image and file[side] or {}
    local writes <const> = side == "was" and file.wrote or file.writes
    local other <const> = side == "was" and file.writes or file.wrote
    local paired <const> = side == "was" and m.succ or m.pred
    for id, cell in next, image.cells or {} do
      local is_ghost <const> = image.ghosts and image.ghosts[cell.f]
      if paired[id] == nil and cell.name ~= "_ENV" and not is_ghost then add(cell.name, cell.f, cell.i, cell.value) end
    end
    for name, value in next, m.texts[file.record] and writes[_G] and writes[_G].keys or {} do
      local is_both <const> = other[_G] and other[_G].keys[name] ~= nil
      if not is_both and value ~= places.NOTHING then add(name, _G, name, value) end
    end
  end
  return ends
end

-- A name that becomes local or global, or goes to another file that is saved too, is the one that it was.
local function pair_moves(m)
  if next(m.texts) == nil then return end
  local old <const>, new <const> = loose_ends(m, "was"), loose_ends(m, "is")
  for name, from in next, old do
    local to <const> = new[name]
    if from and to and type(name) == "string" then
      pair(m, from.value, to.value)
      m.moves[from.thing] = m.moves[from.thing] or {}
      m.moves[from.thing][from.key] = to
    end
  end
  pair_all(m)
end

-- Pairs what an earlier edit took out of its place with what this one puts there.
local function pair_ghosts(m, file)
  for _, it in ipairs(file.was.ghost_places or {}) do
    local holder <const> = m.succ[it.thing] or it.thing
    local e <const>, entries <const> = file.writes[holder], file.is.tables[holder]
    pair(m, it.value, entries and entries[it.key] or e and e.keys[it.key], true)
  end
end

-- A class that its file declares no longer stays as it is, with the functions in its table.
function pairing.freeze(m, file, store)
  local work <const> = { store }
  m.frozen[store] = true
  while work[1] do
    for _, value in next, table.remove(work) do
      local is_own <const> = m.was[value] == file and not m.frozen[value]
      if is_own and type(value) == "function" then m.frozen[value] = true end
      if is_own and type(value) == "table" and not classes.name_of(value) then
        m.frozen[value], work[#work + 1] = true, value
      end
    end
  end
end

-- Pairs the things of a file, after those of the files that ran before it.
function pairing.run(m, file)
  if file.was.tables then
    pair(m, file.was.result, file.is.result)
    pair_all(m)
    pair_definitions(m, file)
    pair_all(m)
    pair_ghosts(m, file)
    pair_all(m)
  end
  pair_effects(m, file)
  if file.was.tables then pair_names(m, file) end
end

-- Pairs what is only known when all files are.
function pairing.finish(m)
  for _, file in ipairs(m.files) do
    if not file.is_remade then
      pair_effects(m, file)
      if file.was.tables then pair_names(m, file) end
      pair_timers(m, file.was, file.is)
    end
  end
  pair_moves(m)
end

-- A file has made the same again: what it made before stays.
function pairing.keep(m, file, map)
  file.is_remade = map
  for i, timer in ipairs(file.is.timers) do m.kept[timer] = file.record.image.timers[i] end
  local pred <const>, succ <const>, kept <const> = m.pred, m.succ, m.kept
  for new, old in next, map do
    pred[new], succ[old] = old, new
    if type(new) ~= "userdata" then kept[new] = old end
  end
end

-- }==

return pairing
