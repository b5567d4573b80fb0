-- Pairs what a file made in its last run with what it makes now, one to one: by equal places first, then by name. A
-- merge (merge.lua) holds the pairs of all files that ran again; nothing is changed here.

local native <const> = ...
local classes <const> = native.use "spawnpool.class"
local files <const> = native.use "spawnpool.files"
local places <const> = native.use "spawnpool.places"
local lines <const> = files.lines

local debug <const> = native.debug()
local getinfo <const>, getupvalue <const>, upvalueid <const> = debug.getinfo, debug.getupvalue, debug.upvalueid
local same <const> = native.same
local LIST <const>, sorted_keys <const> = places.LIST, places.sorted_keys

local pairing <const> = {}

-- `texts`: record -> the new text of an edited file; `is_edited`: the same records -> true, unless an older version
-- comes back, which is no edit.
function pairing.begin(texts, is_edited, session)
  local before <const>, now <const> = {}, {}
  for record, text in next, texts do
    before[record.source], now[record.source] = lines.of(record.text or ""), lines.of(text)
  end
  return {
    is_edited = is_edited, session = session, lines_before = before, lines = now, edited_names = {},
    files = {}, file_of = {}, sources = {}, -- { record, was, is } of each file; source of each file that ran -> true
    was = {}, is = {}, -- thing or variable of the last run, or of this one -> its file
    succ = {}, pred = {}, -- thing or variable of the last run <-> its partner
    remade = {}, -- record of a file that made the same again -> new thing or variable -> the old one
    kept = {}, replaced = {}, -- new thing -> the old one that stays; old function -> the new one
    work = {}, joined = {}, -- pairs to visit; id of a new variable -> the old one that stays
    lists = {}, -- table -> its integer part, while lists are merged
    is_met = {}, -- effect of a last run that this one has too -> true
    left = {}, -- table -> key -> { base, live } of what its former file made in it
    above = {}, -- effect of a file that does not run again -> { what the game has there }, where a file below it does
    live_at = {}, -- holder -> key -> what the game has there, of what was withdrawn
    noise = {}, -- thing or variable -> keys that differ from run to run without an edit
    adopted = {}, -- objects and timers of the new run that stay
    ended = {}, -- timers of the last run that end, { timer, later: the one in its place, unless it was over }
    ambiguous = {}, lost = {}, large = 0,
  }
end

function pairing.add(m, record, was, is)
  local file <const> = { record = record, was = files.open_image(was), is = files.open_image(is) }
  if not m.file_of[record] then m.files[#m.files + 1] = file end
  m.file_of[record], m.sources[record.source] = m.file_of[record] or file, true
  for thing in next, was.made or {} do m.was[thing] = m.file_of[record] end
  for id in next, was.cells or {} do m.was[id] = m.file_of[record] end
  for thing in next, is.made do m.is[thing] = m.file_of[record] end
  for id in next, is.cells do m.is[id] = m.file_of[record] end
  return file
end

-- {== Pairs ================================================================

-- Returns the code of a function: of an edited file its lines, because others may have moved it. `texts`: source ->
-- lines of the text that it is from.
local function code_of(f, texts)
  local text <const> = texts[getinfo(f, "S").source]
  return text and lines.of_function(f, text) or native.code_of(f)
end

local function is_same_code(m, old, new)
  return code_of(old, m.lines_before) == code_of(new, m.lines)
end
pairing.is_same_code = is_same_code

-- Returns how a new thing follows an old one: as a table whose identity stays, as a function that is replaced, or as
-- one of another file's, which stays if it is the same; nil: not at all.
local function how_follows(m, old, new)
  local was <const>, is <const> = m.was[old], m.is[new]
  if not was or not is then return nil end
  if type(old) == "table" then return classes.name_of(old) == classes.name_of(new) and "kept" or nil end
  if type(old) ~= "function" then return nil end
  local a <const>, b <const> = getinfo(old, "S"), getinfo(new, "S")
  if a.source == was.record.source and b.source == is.record.source then return "replaced" end
  if a.what == "C" or b.what == "C" or a.source ~= b.source then return nil end
  return not m.sources[a.source] and is_same_code(m, old, new) and "kept" or "variables"
end

local function pair(m, old, new)
  if type(old) ~= type(new) or rawequal(old, new) or m.succ[old] ~= nil or m.pred[new] ~= nil then return end
  local how <const> = how_follows(m, old, new)
  if not how then return end
  m.succ[old], m.pred[new] = new, old
  if how == "kept" then m.kept[new] = old elseif how == "replaced" then m.replaced[old] = new end
  m.work[#m.work + 1] = { old, new }
end

local function pair_cells(m, was, is, old, new)
  local a <const>, b <const> = was.cells[old], is.cells[new]
  if not a or not b or m.succ[old] ~= nil or m.pred[new] ~= nil then return end
  m.succ[old], m.pred[new] = new, old
  if a.value ~= nil and b.value ~= nil then pair(m, a.value, b.value) end
end

local LIKE_DEPTH <const> = 3 -- tables in tables that are compared

-- Returns whether two values are pairs already, or may become one without doubt: functions of the same code, tables
-- with such contents.
local function is_like(m, old, new, depth)
  if m.succ[old] ~= nil then return rawequal(m.succ[old], new) end
  if type(old) == "function" and type(new) == "function" then
    return getinfo(old, "S").what ~= "C" and getinfo(new, "S").what ~= "C" and is_same_code(m, old, new)
  end
  local a <const> = type(old) == "table" and m.was[old] and m.was[old].was.tables[old]
  local b <const> = type(new) == "table" and m.is[new] and m.is[new].is.tables[new]
  if not a or not b or depth == 0 then return same(old, new) end
  for key, value in next, b do
    if a[key] == nil or not is_like(m, a[key], value, depth - 1) then return false end
  end
  for key in next, a do
    if b[key] == nil then return false end
  end
  return true
end

-- Returns the name that the text gives to a function of an edited file, or nil. `texts` as above.
local function name_of(f, texts)
  local info <const> = getinfo(f, "S")
  local line <const> = texts[info.source] and texts[info.source][info.linedefined] or ""
  return line:match "function%s+([%w_.:]+)" or line:match "([%w_]+)%s*%f[<=]<?%a*>?%s*=%s*function"
end

-- Authors identify functions by their names, where they have some.
local function has_other_name(m, old, new)
  if type(old) ~= "function" or type(new) ~= "function" then return false end
  local a <const>, b <const> = name_of(old, m.lines_before), name_of(new, m.lines)
  return a ~= nil and b ~= nil and a ~= b
end

-- Inserted or removed elements shift those after them: what is alike belongs together.
local function pair_elements(m, old, new)
  for _, v in ipairs(new) do
    local is_open <const> = (type(v) == "function" or type(v) == "table") and m.pred[v] == nil
    for _, o in ipairs(is_open and old or {}) do
      if m.pred[v] == nil and m.succ[o] == nil and is_like(m, o, v, LIKE_DEPTH) then pair(m, o, v) end
    end
  end
  for i, v in ipairs(#old == #new and new or {}) do
    if not has_other_name(m, old[i], v) then pair(m, old[i], v) end
  end
  local at = 1
  for _, v in ipairs(new) do
    while old[at] ~= nil and m.succ[old[at]] ~= nil do at = at + 1 end
    if m.pred[v] == nil then
      if old[at] ~= nil and not has_other_name(m, old[at], v) then pair(m, old[at], v) end
      at = at + 1
    end
  end
end

local is_unedited

-- Of a list that got longer or shorter, equal elements are paired from both ends.
local function pair_list(m, old, new)
  local shorter <const> = math.min(#old, #new)
  local head, tail = 1, 0
  while head <= shorter and is_unedited(m, old[head], new[head], {}) do head = head + 1 end
  while tail <= shorter - head and is_unedited(m, old[#old - tail], new[#new - tail], {}) do tail = tail + 1 end
  for i = 1, tail do pair(m, old[#old - tail + i], new[#new - tail + i]) end
end

-- Returns true if the author did not edit this value. Contents are compared; the file's own functions count as
-- unedited.
function is_unedited(m, old, new, compared)
  local was <const>, is <const> = m.was[old], m.is[new]
  if type(old) ~= type(new) then return false end
  if not was or not is then return same(old, new) end
  if m.succ[old] ~= nil then return rawequal(m.succ[old], new) end
  if type(old) ~= "table" then return type(old) ~= "function" or how_follows(m, old, new) ~= nil end
  if compared[old] then return rawequal(compared[old], new) end
  compared[old] = new
  local a <const>, b <const> = was.was.tables[old], is.is.tables[new]
  for key, value in next, b do
    local former = m.pred[key]
    if former == nil then former = key end
    if a[former] == nil or not is_unedited(m, a[former], value, compared) then return false end
  end
  for key in next, a do
    local later = m.succ[key]
    if later == nil then later = key end
    if b[later] == nil then return false end
  end
  return true
end

-- Values that are at several keys, before or now, are paired after the others, and first where nothing was edited.
local function pair_entries(m, a, b)
  local keys <const>, count <const> = {}, {}
  local ordered <const>, others <const> = sorted_keys(b) -- the same pairs in every run
  for _, key in ipairs(table.move(others, 1, #others, #ordered + 1, ordered)) do
    local former = m.pred[key]
    if former == nil then former = key end
    local old <const>, new <const> = a[former], b[key]
    if type(old) == type(new) and (type(new) == "table" or type(new) == "function") then
      keys[#keys + 1] = { old, new }
      count[old], count[new] = (count[old] or 0) + 1, (count[new] or 0) + 1
    end
  end
  local function go(aliases, unedited)
    for _, it in ipairs(keys) do
      if (count[it[1]] > 1 or count[it[2]] > 1) == aliases and (not unedited or is_unedited(m, it[1], it[2], {})) then
        pair(m, it[1], it[2])
      end
    end
  end
  go(false)
  go(true, true)
  go(true)
end

local function pair_tables(m, old, new)
  local was <const>, is <const> = m.was[old].was, m.is[new].is
  local a <const>, b <const> = was.tables[old], is.tables[new]
  if not a or not b then return end
  if #a ~= #b then pair_list(m, a, b) end
  pair_entries(m, a, b)
  if was.metas[old] and is.metas[new] then pair(m, was.metas[old], is.metas[new]) end
end

local function pair_functions(m, old, new)
  local was <const>, is <const> = m.was[old].was, m.is[new].is
  local ids <const> = {}
  local i = 1
  local name = getupvalue(old, 1)
  while name do
    ids[name], i = upvalueid(old, i), i + 1
    name = getupvalue(old, i)
  end
  i, name = 1, getupvalue(new, 1)
  while name do
    if ids[name] and name ~= "_ENV" then pair_cells(m, was, is, ids[name], upvalueid(new, i)) end
    i = i + 1
    name = getupvalue(new, i)
  end
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

-- }==

-- {== Effects ==============================================================

local function find_effect(image, holder, key)
  for _, e in ipairs(image.effects) do
    if rawequal(e.holder, holder) and same(e.key, key) then return e end
  end
  return nil
end
pairing.find_effect = find_effect

-- Returns the effect of the last run on the same place, or nil, and the holder that stays.
function pairing.former_effect(m, was, e)
  local holder, key = m.pred[e.holder], m.pred[e.key]
  if holder == nil then holder = e.holder end
  if key == nil then key = e.key end
  return find_effect(was, holder, key), holder
end

-- Returns the list part of a table that a file made, if each element is a table or a function.
local function elements_of(entries)
  local list <const> = places.list_part(entries)
  for _, value in ipairs(list or {}) do
    if type(value) ~= "table" and type(value) ~= "function" then return nil end
  end
  return list and list[1] ~= nil and list or nil
end

-- Returns the open list that the last run had put where the effect is, or nil; and whether there was a table that was
-- none, and into which nobody else has written a list.
local function former_list(m, was, e)
  local former <const> = pairing.former_effect(m, was, e)
  local entries <const> = former and was.tables[former.after]
  for _, it in ipairs(entries and was.opened or {}) do
    if rawequal(it.t, former.after) then return it, false end
  end
  return nil, entries and (next(places.indices(entries)) ~= nil or not m.lists[former.after])
end

-- The new run has holes, or numbers, where there was an open list: both are compared by their keys.
local function close_list(m, was, it)
  for at, value in ipairs(it.list) do was.tables[it.t][at] = value end
  for i = #was.opened, 1, -1 do
    if was.opened[i] == it then table.remove(was.opened, i) end
  end
  for i = #was.effects, 1, -1 do
    if was.effects[i].key == LIST and rawequal(was.effects[i].holder, it.t) then table.remove(was.effects, i) end
  end
  if m.lists[it.t] then places.set_list(it.t, m.lists[it.t]) end
  m.lists[it.t] = nil
end

-- A list that a file has put elsewhere is open to others: its elements are what this file has added to it, whoever made
-- the table. What was opened stays so when a transaction begins anew. `was`: the last run's image, for that of a new
-- one.
local function open_lists(m, image, was)
  image.opened = image.opened or {}
  for _, e in ipairs(image.effects) do
    local entries <const> = e.key ~= LIST and type(e.after) == "table" and image.tables[e.after]
    local list = entries and elements_of(entries)
    if entries and was then
      local former <const>, was_closed <const> = former_list(m, was, e)
      if was_closed then list = nil end
      if former and next(places.indices(entries)) == nil then list = {} end
      if former and not list then close_list(m, was, former) end
    end
    for at in ipairs(list or {}) do entries[at] = nil end
    if list then image.opened[#image.opened + 1] = { t = e.after, list = list } end
  end
  for _, it in ipairs(image.opened) do
    if not was then m.lists[it.t] = m.lists[it.t] or places.list_part(it.t) end
    if not find_effect(image, it.t, LIST) then
      image.effects[#image.effects + 1] = { holder = it.t, key = LIST, before = {}, after = it.list, added = it.list,
        removed = {}, live = not was and m.lists[it.t] or nil }
    end
  end
end

-- Records as effects the entries that a file has put into a table that becomes one of the game.
local function give_to_game(m, was, is, t, live)
  local keys <const>, former <const> = {}, {}
  for key, value in next, is.tables[t] do
    is.effects[#is.effects + 1] = { holder = t, key = key, after = value }
    if type(key) == "function" then keys[#keys + 1] = key end
  end
  for _, e in ipairs(was.effects) do
    if rawequal(e.holder, live) and type(e.key) == "function" then former[#former + 1] = e.key end
  end
  pair_elements(m, former, keys)
  is.tables[t], is.made[t] = nil, nil
end

-- A table that is put where another file, or the game, had one goes on as that.
local function pair_places(m, was, is)
  for i = #is.effects, 1, -1 do
    local e <const> = is.effects[i]
    local former <const>, holder <const> = pairing.former_effect(m, was, e)
    local is_open <const> = type(e.after) == "table" and is.tables[e.after] and m.pred[e.after] == nil
      and type(holder) == "table" and e.key ~= LIST
    local live = is_open and (m.live_at[holder] or {})[e.key]
    if is_open and live == nil and not rawequal(holder, e.holder) then live = rawget(holder, e.key) end
    local is_edited <const> = former and rawequal(former.after, live)
    local is_free <const> = type(live) == "table" and m.succ[live] == nil and not is_edited
    if is_free and classes.name_of(live) == classes.name_of(e.after) then
      m.kept[e.after], m.pred[e.after], m.succ[live] = live, live, e.after
      if not m.was[live] then
        table.remove(is.effects, i)
        give_to_game(m, was, is, e.after, live)
      end
      m.work[#m.work + 1] = m.was[live] and { live, e.after } or nil
    end
  end
  pair_all(m)
end

-- Pairs what a file has written elsewhere.
function pairing.effects(m, was, is)
  open_lists(m, was)
  open_lists(m, is, was)
  for _, e in ipairs(is.effects) do
    local former <const> = pairing.former_effect(m, was, e)
    if former and e.key == LIST then
      pair_elements(m, former.added, e.added)
    elseif former and former.after ~= nil and e.after ~= nil then
      pair(m, former.after, e.after)
    end
    pair_all(m)
  end
end

-- All files have run: pairs what they have put in places where others had something.
function pairing.places(m)
  for _, file in ipairs(m.files) do
    if file.was.tables then pair_places(m, file.was, file.is) end
  end
  for _, file in ipairs(m.files) do
    for _, e in ipairs(file.is.effects) do
      local former <const> = e.key == LIST and pairing.former_effect(m, file.was, e)
      if former then pair_elements(m, former.added, e.added) end
    end
    pair_all(m)
  end
end

-- }==

-- {== Timers ===============================================================

-- The timers of managers that a file starts when it runs, { timer, fn, seconds, period, runs }, in order.
local function timers_of(image)
  local list <const> = {}
  for i, timer in ipairs(image.timers) do
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

-- {== Files ================================================================

-- Returns name -> id of the file's own variables that have no partner, false where several have the name.
local function alone(record, cells, taken)
  local names <const> = {}
  for id, cell in next, cells do
    local is_own <const> = cell.name ~= "_ENV" and getinfo(cell.f, "S").source == record.source
    if is_own and taken[id] == nil then names[cell.name] = names[cell.name] == nil and id or false end
  end
  return names
end

local function pair_names(m, file, unedited)
  local was <const>, is <const>, record <const> = file.was, file.is, file.record
  local old <const>, new <const> = alone(record, was.cells, m.succ), alone(record, is.cells, m.pred)
  for _, name in ipairs(sorted_keys(new)) do
    local a <const>, b <const> = old[name], new[name]
    if a and b and (not unedited or is_unedited(m, was.cells[a].value, is.cells[b].value, {})) then
      pair_cells(m, was, is, a, b)
    end
  end
  pair_all(m)
end

-- Pairs the things of a file, after those of the files that it uses. Variables with unique names come first where
-- nothing was edited: authors identify things by name.
function pairing.run(m, file)
  local was <const>, is <const> = file.was, file.is
  if not was.tables then return end
  pair_names(m, file, true)
  if was.result ~= nil and is.result ~= nil then pair(m, was.result, is.result) end
  pair_all(m)
  pairing.effects(m, was, is)
  pair_names(m, file)
  pair_timers(m, was, is)
  local old <const>, new <const> = alone(file.record, was.cells, m.succ), alone(file.record, is.cells, m.pred)
  for _, name in ipairs(sorted_keys(new)) do
    if old[name] ~= nil and (old[name] == false or new[name] == false) then m.ambiguous[#m.ambiguous + 1] = name end
  end
end

-- A file has made the same again: what it made before stays.
function pairing.keep(m, record, is, map)
  m.remade[record] = map
  for i, timer in ipairs(is.timers) do m.kept[timer] = record.image.timers[i] end
  local pred <const>, succ <const>, kept <const> = m.pred, m.succ, m.kept
  for new, old in next, map do
    pred[new], succ[old] = old, new
    if type(new) ~= "userdata" then kept[new] = old end
  end
end

-- }==

return pairing
