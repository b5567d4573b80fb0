-- The comparison of last run, new run and game. While files run, what the game has changed is put aside; afterwards
-- each change comes back, unless the author changed that place too.

local native <const> = ...
local files <const> = native.use "spawnpool.files"
local places <const> = native.use "spawnpool.places"

local debug <const> = native.debug()
local getinfo <const>, getupvalue <const>, setupvalue <const> = debug.getinfo, debug.getupvalue, debug.setupvalue
local upvalueid <const>, upvaluejoin <const> = debug.upvalueid, debug.upvaluejoin
local getmetatable <const>, setmetatable <const> = debug.getmetatable, debug.setmetatable
local same <const>, get <const>, set <const> = native.same, places.get, places.set
local is_index <const>, list_part <const> = places.is_index, places.list_part
local METATABLE <const>, NOTHING <const> = places.METATABLE, places.NOTHING

local comparison <const> = {}

-- {== Putting aside ============================================================

-- Puts aside what the game has changed since files ran. Returns the list of changes, { thing, key, was, live ... }, and
-- of each table whose elements it changed { was =, live = }, all its integer keys.
function comparison.put_aside()
  local changes <const>, lists <const> = { n = 0 }, {}
  files.each_change(function(thing, key, was, live)
    local n <const> = changes.n
    changes[n + 1], changes[n + 2], changes[n + 3], changes[n + 4] = thing, key, was, live
    changes.n = n + 4
  end)
  local function indices(t)
    local part <const> = {}
    for key, value in next, t do
      if is_index(key) then part[key] = value end
    end
    return part
  end
  for at = 1, changes.n, 4 do
    local thing <const> = changes[at]
    if type(thing) == "table" and is_index(changes[at + 1]) and not lists[thing] then
      lists[thing] = { live = indices(thing) }
    end
  end
  for at = 1, changes.n, 4 do set(changes[at], changes[at + 1], changes[at + 2]) end
  for t, it in next, lists do it.was = indices(t) end
  return changes, lists
end

-- }==

-- {== What files made ==========================================================

-- The game and a file have both made a table for one place, as `t.hit = t.hit or {}` does: it is the game's, and what
-- the game put into it was added to the file's.
function comparison.meet(m, changes, lists)
  local at = 1
  while at < changes.n do
    local thing <const>, key <const>, was <const>, live <const> = table.unpack(changes, at, at + 3)
    local holder = m.succ[thing]
    if holder == nil then holder = thing end
    local is_entry <const> = was == nil and type(live) == "table" and type(thing) == "table" and not is_index(key)
    local fresh <const> = is_entry and rawget(holder, key)
    local is_meeting <const> = type(fresh) == "table" and m.is[fresh] and m.pred[fresh] == nil
      and m.succ[live] == nil and not files.owner_of(live)
    if is_meeting then
      m.pred[fresh], m.succ[live], m.kept[fresh] = live, fresh, live
      lists[live] = { was = {}, live = {} }
      for inner, value in next, live do
        local n <const> = changes.n
        changes[n + 1], changes[n + 2], changes[n + 3], changes[n + 4] = live, inner, nil, value
        changes.n = n + 4
        if is_index(inner) then lists[live].live[inner] = value end
      end
    end
    at = at + 4
  end
end

local function now_of(m, value)
  if value == nil then return nil end
  local kept <const> = m.kept[value]
  if kept ~= nil then return kept end
  local replaced <const> = m.replaced[value]
  if replaced ~= nil then return replaced end
  return value
end

local function is_edited(m, record) return m.texts[record] ~= nil and record.image ~= nil and not m.is_return end

local function texts_of(defined, name) return defined.given[name] or defined.assigned[name] or {} end

-- Returns whether the author has edited a statement that gives this name its value.
local function is_statement_edited(file, name)
  if not file.matched then return true end
  local before <const>, after <const> = texts_of(file.matched.before, name), texts_of(file.matched.after, name)
  if #before ~= #after then return true end
  for i, text in ipairs(before) do
    if text ~= after[i] then return true end
  end
  return false
end

-- Each run makes new objects, coroutines and iterators: another one of the kind is no edit.
local function is_state(m, file, was, fresh, name)
  local kind <const> = type(fresh)
  if type(was) ~= kind or rawequal(was, fresh) then return false end
  if kind == "userdata" then
    return m.session.is_staged[fresh] ~= nil and m.pred[fresh] == nil
      or not native.knows(m.session.whole, fresh) and rawequal(getmetatable(was), getmetatable(fresh))
  end
  local function is_untouched()
    return not m.texts[file.record] or type(name) == "string" and not is_statement_edited(file, name)
  end
  if kind == "thread" then return is_untouched() end
  if kind == "table" then
    local is_data <const> = file.was.is_partial and file.is.is_partial and not m.was[was] and not m.is[fresh]
      and not native.knows(m.session.whole, fresh)
    if is_data then m.large = (m.large or 0) + 1 end
    return is_data
  end
  if kind ~= "function" or m.pred[fresh] ~= nil or native.knows(m.session.whole, fresh) then return false end
  local a <const>, b <const> = getinfo(was, "S"), getinfo(fresh, "S")
  if a.what == "C" or b.what == "C" then return a.what == b.what and is_untouched() end
  if string.sub(a.source, 1, 1) ~= "@" then
    return native.code_of(was) == native.code_of(fresh)
  end
  return not m.of_source[b.source] and is_untouched() and a.source == b.source
end

local function settled(m, file, was, fresh, name)
  if fresh == nil or was == nil then return now_of(m, fresh) end
  if is_state(m, file, was, fresh, name) then return was end
  return now_of(m, fresh)
end

-- The old table holds what the new one does.
local function move_contents(m, file, old, new)
  local contents <const>, count = {}, 0
  for key, value in next, new do
    local former = m.pred[key]
    if former == nil then former = key end
    contents[now_of(m, key)] = settled(m, file, rawget(old, former), value, key)
    count = count + 1
  end
  for key in next, old do
    if contents[key] == nil then old[key] = nil end
  end
  for key, value in next, contents do rawset(old, key, value) end
  setmetatable(old, settled(m, file, getmetatable(old), getmetatable(new), METATABLE))
end

-- The variables of before go on: new functions share them with what the game holds.
local function move_cells(m)
  local joined <const> = {} -- id of a new variable -> the old one
  for _, file in ipairs(m.files) do
    for new, old in next, file.is_remade or {} do
      if type(new) == "function" and getinfo(new, "S").what ~= "C" then
        local i = 1
        while getupvalue(new, i) do
          joined[upvalueid(new, i)] = { f = old, i = i }
          i = i + 1
        end
      end
    end
    for id, cell in next, not file.is_remade and file.is.cells or {} do
      local former <const> = m.pred[id]
      local owner <const> = former and m.was[former]
      local was <const> = owner and owner.was.cells and owner.was.cells[former]
      if was then
        local _, value <const> = getupvalue(was.f, was.i)
        setupvalue(was.f, was.i, settled(m, m.was[former], value, cell.value, cell.name))
        joined[id] = was
      end
    end
  end
  for _, file in ipairs(m.files) do
    for f in next, not file.is_remade and file.is.made or {} do
      local i = 1
      while type(f) == "function" and getupvalue(f, i) do
        local was <const> = joined[upvalueid(f, i)]
        if was and not rawequal(was.f, f) then upvaluejoin(f, i, was.f, was.i) end
        i = i + 1
      end
    end
  end
end

-- Where each run makes another value, the one that a file wrote elsewhere in its last run stays there.
local function settle_effects(m, file)
  for thing, e in next, file.writes do
    local holder = m.kept[thing]
    if holder == nil then holder = thing end
    local former <const> = file.wrote[holder]
    for key, value in next, e.keys do
      local was <const> = former and former.keys[key]
      if was ~= nil and value ~= NOTHING and same(get(thing, key), value) then
        local stays <const> = settled(m, file, was, value, key)
        if not rawequal(stays, now_of(m, value)) then set(thing, key, stays) end
      end
    end
  end
end

-- Objects in what the new run made stay with that.
local function adopt(m)
  local function add(value)
    if value ~= nil and m.session.is_staged[value] then m.adopted[value] = true end
  end
  local function add_table(t)
    for key, value in next, t do
      add(key)
      add(value)
    end
  end
  for _, file in ipairs(m.files) do
    if not file.is_remade then
      add(file.is.result)
      for new in next, file.is.tables do add_table(m.kept[new] or new) end
      for _, cell in next, file.is.cells do add((select(2, getupvalue(cell.f, cell.i)))) end
      for thing, e in next, file.writes do
        for key in next, e.keys do
          add(key)
          add(get(thing, key))
        end
        if type(thing) == "table" and #e.list > 0 then add_table(thing) end
      end
    end
  end
end

-- Things that the new run has made again are those of before, with the new contents.
function comparison.move(m)
  move_cells(m)
  local moved <const> = {}
  for _, file in ipairs(m.files) do
    for thing in next, file.writes do -- others may have written into what a file made again
      local old <const> = type(thing) == "table" and m.is[thing] == nil and m.kept[thing] or nil
      if old ~= nil and not moved[thing] then
        moved[thing] = true
        move_contents(m, file, old, thing)
      end
    end
    if not file.is_remade then
      settle_effects(m, file)
      for new in next, file.is.tables do
        local old <const> = m.kept[new]
        if old ~= nil then move_contents(m, m.was[old] or file, old, new) end
      end
    end
  end
  adopt(m)
end

-- }==

-- {== Lists ====================================================================

-- Returns for each element of a list the place of an equal one in another, each taken once, in order where possible.
local function places_in(list, other)
  local waiting <const>, found <const> = {}, {}
  for i, value in ipairs(other) do
    waiting[value] = waiting[value] or {}
    table.insert(waiting[value], i)
  end
  for i, value in ipairs(list) do
    local of <const> = waiting[value]
    if of and of[1] then found[i] = table.remove(of, 1) end
  end
  return found
end

-- The numbers and texts that nothing equal was found for go by order, where there are as many elements.
local function fill_by_order(found, list, other)
  local free <const>, is_taken <const>, open <const> = {}, {}, {}
  for _, i in next, found do is_taken[i] = true end
  for i in ipairs(other) do
    if not is_taken[i] and places.is_plain(other[i]) then free[#free + 1] = i end
  end
  for i in ipairs(list) do
    if not found[i] and places.is_plain(list[i]) then open[#open + 1] = i end
  end
  if #list ~= #other then return end
  for k, i in ipairs(open) do found[i] = free[k] end
end

-- Merges lists whose lengths the text or the game has changed: the game's, with what the author took out and put in.
-- An element that the author edited is edited in the game's list; what was put in comes behind the one before it.
local function merge_elements(was, fresh, live)
  local in_was <const> = places_in(fresh, was)
  fill_by_order(in_was, fresh, was)
  local in_live <const>, from_live <const> = places_in(was, live), {}
  local result <const>, now <const> = {}, {}
  for i, at in next, in_live do from_live[at] = i end
  for j, i in next, in_was do now[i] = j end
  local added <const> = {} -- element of the new text -> those that come behind it
  local last = 0
  for j in ipairs(fresh) do
    if in_was[j] and in_live[in_was[j]] then
      last = j
    elseif not in_was[j] then
      added[last] = added[last] or {}
      table.insert(added[last], j)
    end
  end
  local function put(j)
    for _, k in ipairs(added[j] or {}) do result[#result + 1] = fresh[k] end
    added[j] = nil
  end
  put(0)
  for at, value in ipairs(live) do
    local i <const> = from_live[at]
    if i and now[i] then
      result[#result + 1] = fresh[now[i]]
      put(now[i])
    elseif not i then
      result[#result + 1] = value
    end
  end
  return result
end

local function is_equal_list(a, b)
  for key, value in next, a do
    if not same(value, b[key]) then return false end
  end
  for key in next, b do
    if a[key] == nil then return false end
  end
  return true
end

local function has_numbers(list)
  local head <const> = list[1]
  for field, number in next, type(head) == "table" and head or {} do
    local all = number == 1
    for i, v in ipairs(list) do all = all and type(v) == "table" and rawget(v, field) == i end
    if all then return true end
  end
  return false
end

-- }==

-- {== The game's changes =======================================================

-- Returns holder and name of a place whose value is this table: a name in the text for what has none itself.
local function find_names(m, file)
  if file.names then return file.names end
  local names <const> = {}
  local function add(value, name, holder)
    if type(value) == "table" and type(name) == "string" and not names[value] then names[value] = { name, holder } end
  end
  for _, cell in next, file.is.cells or {} do add(now_of(m, cell.value), cell.name) end
  for t, entries in next, file.is.tables or {} do
    for key, value in next, entries do add(now_of(m, value), key, now_of(m, t)) end
  end
  for _, e in next, file.writes or {} do
    for key, value in next, e.keys do add(now_of(m, value), key) end
  end
  file.names = names
  return names
end

-- Returns whether the value that a file gives to a place now is the author's: a statement that gives it was edited.
local function is_authors(m, file, thing, key)
  if not file or not is_edited(m, file.record) then return false end
  local name = key
  if type(thing) == "function" then name = getupvalue(thing, key) end
  if type(name) == "string" and is_statement_edited(file, name) then return true end
  local names <const>, seen <const> = find_names(m, file), {}
  local at = type(thing) == "table" and names[thing]
  while at and not seen[at] do
    seen[at] = true
    if is_statement_edited(file, at[1]) then return true end
    at = at[2] and names[at[2]]
  end
  return false
end

-- Returns the file that gave a place the value that it has after the runs.
local function author_of(m, thing, key)
  local last
  for _, file in ipairs(m.files) do
    local e <const> = file.writes and file.writes[thing]
    if e and (is_index(key) and #e.list > 0 or e.keys[key] ~= nil) then last = file end
  end
  return last or m.was[thing] or m.is[thing]
end

local function note_base(m, thing, key, base)
  local n <const> = #m.based
  m.based[n + 1], m.based[n + 2], m.based[n + 3] = thing, key, base == nil and NOTHING or base
end

local function merge_indices(m, t, it, fresh)
  local was <const>, live <const>, now <const> = list_part(it.was), list_part(it.live), list_part(fresh)
  if is_equal_list(was or it.was, fresh) then return places.set_list(t, it.live) end
  local is_list <const> = was and live and now
  if is_list and (#was ~= #now or #was ~= #live) then
    if has_numbers(live) and #live > 0 and #live == #was then return end
    return places.set_list(t, merge_elements(was, now, live))
  end
  local file <const> = author_of(m, t, 1)
  local keys <const> = {}
  for _, side in ipairs { it.was, it.live } do
    for key in next, side do keys[key] = true end
  end
  for key in next, keys do
    local w <const>, l <const>, n <const> = it.was[key], it.live[key], fresh[key]
    if not same(w, l) and (same(w, n) or n ~= nil and not is_authors(m, file, t, key)) then
      if not same(w, n) then m.stayed[#m.stayed + 1] = { t, key, l, n } end
      rawset(t, key, l)
    end
  end
end

-- Returns whether a thing of the last run has none in this one.
local function is_gone(m, thing, key)
  local file <const> = m.was[thing]
  if not file or file.is_remade then return false end
  if type(thing) == "table" then return m.succ[thing] == nil end
  local id <const> = upvalueid(thing, key)
  return m.was[id] ~= nil and m.succ[id] == nil
end

-- A place became another one: the game's value goes there, if the author has given it none.
local function put_in_move(m, thing, key, was, live)
  local to <const> = m.moves[thing] and m.moves[thing][key]
  if not to then return false end
  local fresh <const> = now_of(m, get(to.thing, to.key))
  if not same(fresh, was) then return false end
  note_base(m, to.thing, to.key, fresh)
  set(to.thing, to.key, live)
  return true
end

local function put_back_one(m, thing, key, was, live)
  if (is_gone(m, thing, key) or get(thing, key) == nil) and put_in_move(m, thing, key, was, live) then return end
  if is_gone(m, thing, key) then
    m.lost[#m.lost + 1] = { thing = thing, key = key, was = was, live = live, file = m.was[thing] }
    note_base(m, thing, key, was)
    return set(thing, key, live)
  end
  local fresh <const> = now_of(m, get(thing, key))
  if same(fresh, live) or m.jumped[thing] and m.jumped[thing][key] then return end
  if same(fresh, was) then
    note_base(m, thing, key, fresh)
    return set(thing, key, live)
  end
  local file <const> = author_of(m, thing, key)
  local is_dropped <const> = fresh == nil
  if is_dropped or not file or is_authors(m, file, thing, key) then
    if not m.is_return or is_dropped then
      m.lost[#m.lost + 1] = { thing = thing, key = key, was = was, live = live, file = file, is_dropped = is_dropped }
      return
    end
  end
  if is_dropped then return end
  m.stayed[#m.stayed + 1] = { thing, key, live, fresh }
  note_base(m, thing, key, fresh)
  set(thing, key, live)
end

local function put_back_list(m, t, it, is_dead)
  local fresh <const> = {}
  for key, value in next, t do
    if is_index(key) then fresh[key] = now_of(m, value) end
  end
  for _, side in ipairs { it.was, it.live } do
    for key, value in next, side do side[key] = now_of(m, value) end
  end
  if is_dead then places.set_list(t, it.live) else merge_indices(m, t, it, fresh) end
  for key, value in next, fresh do
    if not same(rawget(t, key), value) then note_base(m, t, key, value) end
  end
  for key in next, t do
    if is_index(key) and fresh[key] == nil then note_base(m, t, key, nil) end
  end
end

-- Returns the key in a table of what was a key there: in tables of files that did not run it is the new thing, so far.
local function key_of(m, thing, key)
  local now <const>, later <const> = now_of(m, key), m.succ[key]
  local is_later <const> = later ~= nil and type(thing) == "table" and rawget(thing, now) == nil
    and rawget(thing, later) ~= nil
  if is_later then return later end
  return now
end

-- The game's changes come back.
function comparison.put_back(m, changes, lists)
  m.lost, m.stayed, m.based = {}, {}, {}
  for at = 1, changes.n, 4 do
    local thing <const>, key <const> = changes[at], key_of(m, changes[at], changes[at + 1])
    if type(thing) == "table" and is_index(key) and lists[thing] then
      put_back_list(m, thing, lists[thing], is_gone(m, thing, key))
      lists[thing] = nil
    elseif not (type(thing) == "table" and is_index(key)) then
      put_back_one(m, thing, key, now_of(m, changes[at + 2]), now_of(m, changes[at + 3]))
    end
  end
end

-- Values that earlier edits threw away come back where the text gives the place its value again.
function comparison.bring_back(m, thrown)
  local left <const> = {}
  for _, it in ipairs(thrown) do
    local fresh <const> = now_of(m, get(it.thing, it.key))
    if fresh == nil then
      left[#left + 1] = it
    elseif same(fresh, now_of(m, it.was)) then
      note_base(m, it.thing, it.key, fresh)
      set(it.thing, it.key, now_of(m, it.live))
    end
  end
  for _, it in ipairs(m.lost) do
    if it.is_dropped then left[#left + 1] = { thing = it.thing, key = it.key, was = it.was, live = it.live } end
  end
  return left
end

-- }==

-- {== Afterwards ===============================================================

-- Returns new thing -> old one that stays, old function -> the new one.
function comparison.map(m)
  local map <const> = {}
  for new, old in next, m.kept do map[new] = old end
  for old, new in next, m.replaced do map[old] = new end
  return map
end

-- Returns a function that returns what a value is now.
function comparison.follower(m)
  return function(value)
    if value == nil then return nil end
    return now_of(m, value)
  end
end

-- Returns what an image has from now on. Variables that the text still has, or had a moment ago, live on in functions
-- of before: ghosts.
function comparison.things_of(m, file)
  local things <const>, is_there <const> = {}, {}
  local function add(thing)
    if thing ~= nil and not is_there[thing] then
      is_there[thing] = true
      things[#things + 1] = thing
    end
  end
  if file.is_remade then
    local image <const> = file.record.image
    return image.things, image.ghosts, image.ghost_places
  end
  for _, thing in ipairs(file.is.things) do add(m.kept[thing] ~= nil and m.kept[thing] or thing) end
  local ghosts <const>, ghost_places <const> = {}, {}
  local function add_dead(t)
    if type(t) ~= "table" or is_there[t] or not m.was[t] or m.succ[t] ~= nil then return end
    add(t)
    ghosts[t] = true
    for _, value in next, m.was[t].was.tables[t] or {} do add_dead(value) end
  end
  for id, cell in next, file.was.cells or {} do
    local is_moved <const> = m.moves[cell.f] and m.moves[cell.f][cell.i]
    local is_dead <const> = m.succ[id] == nil and cell.name ~= "_ENV" and not is_moved and not is_there[cell.f]
    if is_dead and getinfo(cell.f, "S").what ~= "C" then
      add(cell.f)
      ghosts[cell.f] = true
      add_dead(cell.value)
    end
  end
  local function add_place(thing, key, value)
    if type(value) ~= "table" or not m.was[value] or m.succ[value] ~= nil or places.is_index(key) then return end
    if get(thing, key) ~= nil then return end
    add_dead(value)
    ghost_places[#ghost_places + 1] = { thing = thing, key = key, value = value }
  end
  for t, entries in next, file.was.tables or {} do
    for key, value in next, m.succ[t] ~= nil and entries or {} do add_place(t, key, value) end
  end
  for thing, e in next, file.wrote do
    for key, value in next, e.keys do add_place(thing, key, value) end
  end
  for _, it in ipairs(file.was.ghost_places or {}) do add_place(it.thing, it.key, it.value) end
  return things, ghosts, ghost_places
end

-- }==

return comparison
