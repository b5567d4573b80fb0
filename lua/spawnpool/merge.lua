-- Merges what files made when they ran again with what the game has made of it. Each place is compared three ways:
-- `base`, from the file's last run, `live`, now, and `fresh`. What the author edited wins; otherwise the game's value
-- stays.

local native <const> = ...
local counters <const> = native.use "spawnpool.counters"
local files <const> = native.use "spawnpool.files"
local pairing <const> = native.use "spawnpool.pairing"
local places <const> = native.use "spawnpool.places"

local debug <const> = native.debug()
local getinfo <const>, getupvalue <const>, setupvalue <const> = debug.getinfo, debug.getupvalue, debug.setupvalue
local upvalueid <const>, upvaluejoin <const> = debug.upvalueid, debug.upvaluejoin
local getmetatable <const>, setmetatable <const> = debug.getmetatable, debug.setmetatable
local same <const>, get <const>, set <const> = native.same, places.get, places.set
local is_index <const>, surplus <const>, list_part <const> = places.is_index, places.surplus, places.list_part
local is_plain <const> = places.is_plain
local LIST <const>, CELL <const>, METATABLE <const> = places.LIST, places.CELL, places.METATABLE

local merge <const> = {}

-- {== Withdrawal ===========================================================

-- Several files may write one place: what a later one writes is above. Each effect has in `before` what is below it.

-- Returns the effect of a last run that is next above a file's, and the file that it is of; or nil.
local function find_next(record, holder, key)
  local is_later = false
  for _, other in ipairs(files.order) do
    local above <const> = is_later and other.image and pairing.find_effect(other.image, holder, key)
    if above then return above, other end
    is_later = is_later or other == record
  end
end

-- Returns the effect that is next below a file's, of those that have been merged; or nil.
local function find_lower(m, record, holder, key)
  local lower
  for _, other in ipairs(files.order) do
    if other == record then return lower end
    local file <const> = m.file_of[other]
    local image <const> = file and file.is or other.image
    lower = image and pairing.find_effect(image, holder, key) or lower
  end
end

-- Takes back what the last run of a file has written elsewhere. Each effect remembers what the game has there, `live`,
-- the effect that is above it, `next`, and the same as `upper` where its file does not run again: the place is that's.
function merge.withdraw(m, record, is_planned)
  local effects <const>, lists <const> = record.image.effects, m.lists
  for i = #effects, 1, -1 do
    local e <const> = effects[i]
    e.live, e.upper = get(e), nil
    local live_at <const> = m.live_at[e.holder] or {}
    m.live_at[e.holder] = live_at
    if live_at[e.key] == nil then live_at[e.key] = e.live end
    if e.key == LIST then
      lists[e.holder] = lists[e.holder] or e.live
    else
      local by
      e.next, by = find_next(record, e.holder, e.key)
      e.upper = not is_planned[by] and e.next or nil
      if e.upper then m.above[e.upper] = { e.live } end
    end
    set(e, e.before)
  end
end

-- }==

-- {== Values ===============================================================

-- Returns those of the lines that have a word, without their spaces; and the words to the right of `word =` in them.
local function lines_with(list, word)
  local found <const>, words <const> = {}, {}
  local value <const> = "%f[%w_]" .. word .. "%s*<?%a*>?%s*=([^=,;][^,;]*)"
  for _, line in ipairs(list) do
    if line:find("%f[%w_]" .. word .. "%f[^%w_]") then
      found[#found + 1] = line:gsub("%s+", "")
      for other in (line:match(value) or ""):gmatch "[%a_][%w_]*" do words[#words + 1] = other end
    end
  end
  return table.concat(found, "\n"), words
end

-- Returns the names that get values in lines that only one of the two texts has, as keys.
local function edited_names(m, source)
  if m.edited_names[source] then return m.edited_names[source] end
  local edited <const>, before <const>, now <const> = {}, m.lines_before[source], m.lines[source]
  m.edited_names[source] = edited
  for _, list in ipairs { surplus(before, now), surplus(now, before) } do
    for name in table.concat(list, "\n"):gmatch "([%a_][%w_]*)%s*%f[<=]<?%a*>?%s*=[^=]" do edited[name] = true end
  end
  return edited
end

-- Returns whether the author has left alone what the text says of a name, and of the values that it names. Where it
-- says nothing, only an unedited text does.
local function is_untouched(m, record, name)
  if not m.is_edited[record] then return true end
  if type(name) ~= "string" or not name:find "^[%a_][%w_]*$" then return false end
  local before <const>, words <const> = lines_with(m.lines_before[record.source], name)
  if before == "" or before ~= lines_with(m.lines[record.source], name) then return false end
  for _, word in ipairs(words) do
    if edited_names(m, record.source)[word] then return false end
  end
  return #m.lines_before[record.source] > 1
end

local OUTSIDE <const> = { "%f[%w_]os%s*%.", "%f[%w_]io%s*%.", "storage", "random", "clock" }

local function differs(a, b) return is_plain(a) and is_plain(b) and not same(a, b) end

-- Calls fn(record, holder, name) for each place in which a run has left another plain value than the last one.
function merge.each_difference(m, fn)
  for _, file in ipairs(m.files) do
    for new, entries in next, file.was.tables and file.is.tables or {} do
      local old <const> = m.pred[new]
      local was <const> = old ~= nil and file.was.tables[old] or {}
      for key, fresh in next, entries do
        if differs(was[key], fresh) then fn(file.record, old, key) end
      end
    end
    for id, cell in next, file.was.cells and file.is.cells or {} do
      local was <const> = file.was.cells[m.pred[id]]
      if was and differs(was.value, cell.value) then fn(file.record, m.pred[id], cell.name) end
    end
  end
end

-- Returns whether a value that no edit explains may have come from outside: the clock, the storage, chance.
function merge.may_be_noise(m)
  local may_be = false
  merge.each_difference(m, function(record, _, name)
    for _, pattern in ipairs(may_be and {} or OUTSIDE) do
      may_be = may_be or record.text:find(pattern) ~= nil and is_untouched(m, record, name)
    end
  end)
  return may_be
end

-- Each run makes new objects, coroutines and iterators: another one of the kind is no edit.
local function is_state(m, file, base, fresh, name)
  local kind <const> = type(fresh)
  if type(base) ~= kind or m.pred[fresh] ~= nil or m.succ[base] ~= nil then return false end
  if kind == "userdata" then
    return m.session.is_staged[fresh] ~= nil
      or not native.knows(m.session.whole, fresh) and rawequal(getmetatable(base), getmetatable(fresh))
  end
  if kind == "thread" then return is_untouched(m, file.record, name) end
  if kind ~= "function" or native.knows(m.session.whole, fresh) then return false end
  local a <const>, b <const> = getinfo(base, "S"), getinfo(fresh, "S")
  if a.what == "C" or b.what == "C" then return a.what == b.what and is_untouched(m, file.record, name) end
  if a.source:sub(1, 1) ~= "@" then return pairing.is_same_code(m, base, fresh) end
  return not m.sources[b.source] and not m.is_edited[file.record]
end

-- Tables beyond those that are compared belong to the game.
local function is_data(m, file, base, fresh)
  return type(base) == "table" and type(fresh) == "table" and file.was.is_partial and file.is.is_partial
    and not m.was[base] and not m.is[fresh] and not native.knows(m.session.whole, fresh)
end

-- Returns the value of a place, and its base from now on. `holder` and `name`: of the entry or variable.
local function choose(m, file, base, live, fresh, holder, name)
  local settled = m.kept[fresh]
  if settled == nil then settled = fresh end
  if same(base, settled) or base ~= nil and fresh ~= nil and rawequal(m.replaced[base], fresh) then
    return live, settled
  end
  if base ~= nil and fresh ~= nil then
    if is_state(m, file, base, fresh, name) then return live, base end
    if is_data(m, file, base, fresh) then
      m.large = m.large + 1
      return live, base
    end
  end
  local noise <const> = m.noise[holder]
  if noise and noise[name] and is_untouched(m, file.record, name) then return live, base end
  if same(live, base) then return settled, settled end
  local is_games <const> = base ~= nil and live ~= nil and not (file.was.made and file.was.made[live])
  if is_games and is_untouched(m, file.record, name) then return live, settled end
  return settled, settled
end

-- }==

-- {== Lists ================================================================

local function former_of(m, key)
  local former <const> = m.pred[key]
  if former == nil then return key end
  return former
end

local function now_of(m, key)
  local now <const> = m.kept[key]
  if now == nil then return key end
  return now
end

-- Returns the last place of a value in a list.
local function place_in(list, value)
  local place
  for key, other in next, list do
    if same(other, value) and (not place or key > place) then place = key end
  end
  return place
end

-- Returns whether each element has its number in the same field: the list may be a table of things by number.
local function has_numbers(list)
  local head <const> = list[1]
  for field, number in next, type(head) == "table" and head or {} do
    local all = number == 1
    for i, v in ipairs(list) do all = all and type(v) == "table" and rawget(v, field) == i end
    if all then return true end
  end
  return false
end

-- Returns new element -> the old one that it follows, and which old ones have followers.
local function partners(m, added, settled)
  local partner <const>, taken <const> = {}, {}
  for j, v in ipairs(settled) do
    for i, old in ipairs(added) do
      if not taken[i] and not partner[j] and (same(old, v) or rawequal(m.succ[old], v)) then
        partner[j], taken[i] = i, true
      end
    end
  end
  local free <const> = {}
  for i in ipairs(added) do
    if not taken[i] then free[#free + 1] = i end
  end
  for j, v in ipairs(settled) do -- another number or text in place of one
    local i <const> = not partner[j] and not m.is[v] and free[1]
    if i and type(added[i]) == type(v) and type(v) ~= "table" then partner[j] = table.remove(free, 1) end
  end
  return partner, free
end

-- Takes an element out of a list; in one with holes its place stays empty, and where nobody knows whether the others
-- move up, it stays.
local function take_out(list, value, has_holes)
  local at <const> = place_in(list, value)
  if not at then return end
  if has_holes or at == #list then
    list[at] = nil
  elseif not has_numbers(list) then
    table.remove(list, at)
  end
end

-- Returns whether a list has exactly these elements, in this order.
local function is_only(list, added)
  if #list ~= #added then return false end
  for i, value in ipairs(added) do
    if not same(list[i], value) then return false end
  end
  return true
end

-- `was` and `is`: effects of both runs on a list, or nil. Changes `list`, the game's, which may have holes. What the
-- game has removed stays so.
local function merge_list(m, list, was, is)
  local added <const>, settled <const> = was and was.added or {}, {}
  for i, v in ipairs(is and is.added or {}) do settled[i] = now_of(m, v) end
  local partner <const>, free <const> = partners(m, added, settled)
  if was and is and is_only(list, added) and #was.removed + #is.removed == 0 then
    for i = 1, math.max(#list, #settled) do list[i] = settled[i] end
    return
  end
  local has_holes <const> = not list_part(list)
  local at
  for j, v in ipairs(settled) do
    local here <const> = partner[j] and place_in(list, added[partner[j]])
    if here then
      list[here], at = v, here
    elseif not partner[j] then
      local key <const> = place_in(is.after, is.added[j])
      if list[key] == nil and (has_holes or key == 1 or list[key - 1] ~= nil) then
        list[key], at = v, key
      elseif not has_holes then
        at = at and type(v) == "function" and at + 1 or #list + 1
        table.insert(list, at, v)
      end
    end
  end
  for _, i in ipairs(free) do take_out(list, added[i], has_holes) end
  local taken <const>, taken_now <const> = was and was.removed or {}, is and is.removed or {}
  for _, v in ipairs(surplus(taken_now, taken)) do take_out(list, v, has_holes) end
  for _, v in ipairs(surplus(taken, taken_now)) do list[#list + 1] = v end
end

-- The game has appended to a list that is else as the file made it: takes out its elements, which go behind those of
-- the text. Returns them, and the length of the text's list.
local function take_appended(old, was, is)
  local a <const>, b <const>, c <const> = list_part(was), list_part(is), list_part(old)
  local more <const> = {}
  if not a or not b or not c or #c <= #a then return more end
  for i, value in ipairs(a) do
    if not same(value, c[i]) then return more end
  end
  for i = #a + 1, #c do more[#more + 1], old[i] = c[i], nil end
  return more, #b
end

-- }==

-- {== Tables and variables =================================================

-- Returns whether the game has removed elements of a list that a file made, or inserted some: then elements have no
-- fixed places. Each is a table or a function.
local function is_moved_list(old, was, is)
  local a <const>, b <const>, c <const> = list_part(was), list_part(is), list_part(old)
  if not a or not b or not c or #a == #c then return false end
  for _, list in ipairs { a, b } do
    for _, value in ipairs(list) do
      if type(value) ~= "table" and type(value) ~= "function" then return false end
    end
  end
  return true
end

local function merge_moved_list(m, old, was, is)
  local list <const>, after <const> = list_part(old), list_part(is)
  m.lists[old] = list
  merge_list(m, list, { added = list_part(was), removed = {} }, { added = after, after = after, removed = {} })
end

local function merge_table(m, file, old, new)
  local image <const> = m.was[old].was -- of another file, when that has declared the class before
  local was <const>, is <const>, list <const> = image.tables[old], file.is.tables[new], m.lists[old]
  local base <const>, done <const> = {}, {}
  local more, length = {}, nil
  if not list then more, length = take_appended(old, was, is) end
  local is_moved <const> = not list and not length and is_moved_list(old, was, is)
  if is_moved then merge_moved_list(m, old, was, is) end
  local is_taken_over <const> = image ~= file.was
  local function merge_entry(key, fresh)
    local former <const>, now <const> = former_of(m, key), now_of(m, key)
    local e <const> = is_taken_over and pairing.find_effect(file.was, old, former) or nil
    local its <const>, live <const> = e and e.after or was[former], e and e.live or rawget(old, former)
    if e then m.is_met[e] = true end
    local value <const>, its_base <const> = choose(m, file, its, live, fresh, old, former)
    done[former], base[now] = true, its_base
    if not same(former, now) and rawget(old, former) ~= nil then old[former] = nil end
    if value ~= nil or rawget(old, now) ~= nil then rawset(old, now, value) end
    if list and is_index(key) then list[key] = value end
  end
  for key, fresh in next, is do
    if is_moved and is_index(key) then
      base[key] = now_of(m, fresh)
    else
      merge_entry(key, fresh)
    end
  end
  for key, value in next, was do
    local live <const> = rawget(old, key)
    if is_taken_over and not done[key] then
      m.left[old] = m.left[old] or {}
      m.left[old][key] = { base = value, live = live }
    end
    if not done[key] and live ~= nil and not (is_moved and is_index(key)) then
      old[key] = nil
    end
  end
  for i, value in ipairs(more) do rawset(old, length + i, value) end
  local meta <const>, its_meta <const> =
    choose(m, file, image.metas[old], getmetatable(old), file.is.metas[new], old, METATABLE)
  setmetatable(old, meta)
  file.tables[old], file.metas[old] = base, its_meta
end

-- `local a` gives no value: the game's stays.
local function merge_cells(m, file)
  local is_old <const> = {}
  file.fresh_cells = {}
  for id, cell in next, file.is.cells do
    local was <const> = file.was.cells and file.was.cells[m.pred[id]]
    if was then
      local _, live <const> = getupvalue(was.f, was.i)
      local value, base = live, nil
      if cell.value ~= nil or same(live, was.value) then
        value, base = choose(m, file, was.value, live, cell.value, m.pred[id], cell.name)
      end
      setupvalue(was.f, was.i, value)
      m.joined[id], is_old[m.pred[id]] = was, true
      file.cells[m.pred[id]] = { f = cell.f, i = cell.i, name = cell.name, value = base } -- once it is joined
    else
      file.cells[id], file.fresh_cells[#file.fresh_cells + 1] = cell, cell
    end
  end
  for id, cell in next, file.was.cells or {} do
    if not is_old[id] and cell.name ~= "_ENV" then m.lost[#m.lost + 1] = { file = file, cell = cell } end
  end
end

-- The variables of a file that made the same again stay, also for functions that others got from its new run.
local function join_remade(m, is_needed)
  for record, map in next, m.remade do
    for new, old in next, is_needed[record.source] and map or {} do
      local i = 1
      while type(new) == "function" and getupvalue(new, i) do
        m.joined[upvalueid(new, i)] = { f = old, i = i }
        i = i + 1
      end
    end
  end
end

-- The new functions share the old variables, as what the game holds does.
local function join_cells(m)
  local functions <const>, sources <const> = {}, {}
  for _, file in ipairs(m.files) do
    for thing in next, file.is.made do
      if type(thing) == "function" then
        functions[#functions + 1] = thing
        sources[getinfo(thing, "S").source] = true
      end
    end
  end
  join_remade(m, sources)
  for _, f in ipairs(functions) do
    local i = 1
    while getupvalue(f, i) do
      local was <const> = m.joined[upvalueid(f, i)]
      if was and not rawequal(was.f, f) then upvaluejoin(f, i, was.f, was.i) end
      i = i + 1
    end
  end
end

-- }==

-- {== Effects ==============================================================

local function put(m, e, value)
  if is_index(e.key) and m.lists[e.holder] then m.lists[e.holder][e.key] = value else set(e, value) end
end

-- A file begins to write a place. Where a later one that does not run again has it, that one's value stays.
local function begin_effect(m, file, e, is_moved)
  local upper, by <const> = find_next(file.record, e.holder, e.key)
  local value = now_of(m, e.after)
  if upper and not m.session.done[by] then
    local above <const> = m.above[upper] or { e.before }
    if is_moved and not m.above[upper] then above[1] = get(e) end -- the run has written into a new table
    m.above[upper], e.before, value = above, upper.before, above[1]
  end
  if upper then upper.before = now_of(m, e.after) end
  put(m, e, value) -- also where an earlier file has just put its own
end

local function merge_effect(m, file, e, was, is_moved)
  if e.key == LIST then
    if m.lists[e.holder] or is_moved then
      m.lists[e.holder] = m.lists[e.holder] or get(e)
      merge_list(m, m.lists[e.holder], was, e)
    end
    return
  end
  local covered <const> = m.above[find_lower(m, file.record, e.holder, e.key) or false]
  if covered then e.before = covered[1] end -- a file that ran had the place then, not the one that is between them
  if counters.find(m.counters, e.holder, e.key) then return end -- it gets its number at the end
  if was then
    local live = was.live
    if was.upper then live = was.upper.before end
    local value, base = choose(m, file, was.after, live, e.after, e.holder, e.key == CELL and e.cell.name or e.key)
    if was.next then was.next.before = value end
    if was.upper then value = was.live end
    put(m, e, value)
    e.after = base
  elseif m.left[e.holder] and m.left[e.holder][former_of(m, e.key)] then -- this file had made the table
    local left <const> = m.left[e.holder][former_of(m, e.key)]
    put(m, e, (choose(m, file, left.base, left.live, e.after, e.holder, e.key)))
  else
    begin_effect(m, file, e, is_moved)
  end
end

-- Takes what a file made out of a table that others have written into, too. What the game has changed stays.
local function clear_table(m, file, t)
  for key, value in next, file.was.tables[t] do
    if same(rawget(t, key), value) then t[key] = nil end
  end
  file.tables[t], file.metas[t], file.is.made[t] = {}, file.was.metas[t], true
end

-- Returns whether the new run has nothing for a list that it made before, and that has handlers or records of others,
-- whose it is from now on.
local function is_shared(m, file, was)
  local t <const> = was.after
  local list <const> = type(t) == "table" and rawequal(was.live, t) and m.succ[t] == nil and file.was.tables[t]
    and m.lists[t]
  for _, value in next, list or {} do
    local is_leaving <const> = is_plain(value) or m.was[value] and m.succ[value] == nil
    if not is_leaving then return true end
  end
  return false
end

-- The new run does not write there any more: what was there before comes back, unless the game has changed it.
local function drop_effect(m, file, was)
  if is_shared(m, file, was) then
    put(m, was, was.live)
    clear_table(m, file, was.after)
    file.is.effects[#file.is.effects + 1] = was
    return
  end
  if was.next then was.next.before = was.before end
  if was.key == LIST then
    if m.lists[was.holder] then merge_list(m, m.lists[was.holder], was, nil) end
  elseif counters.find(m.counters, was.holder, was.key) then
    return
  elseif was.upper then
    put(m, was, was.live)
  elseif not same(was.live, was.after) then
    if is_index(was.key) and m.lists[was.holder] or same(get(was), was.before) then put(m, was, was.live) end
  elseif is_index(was.key) and m.lists[was.holder] then
    put(m, was, was.before)
  end
end

local function merge_effects(m, file)
  local is_met <const> = m.is_met
  for _, e in ipairs(file.is.effects) do
    local was <const>, holder <const> = pairing.former_effect(m, file.was, e)
    local is_moved <const> = not rawequal(holder, e.holder)
    if was then is_met[was], e.jumps = true, was.jumps end
    if e.key == CELL and is_moved then e.cell = was and was.cell or m.joined[e.holder] or e.cell end
    e.holder = holder
    merge_effect(m, file, e, was, is_moved)
  end
  for i = #file.was.effects, 1, -1 do -- lists come last: first it is known what is left in them
    if not is_met[file.was.effects[i]] then drop_effect(m, file, file.was.effects[i]) end
  end
end

-- }==

-- {== The whole ============================================================

-- Objects in the values of the new run stay with them: those of things without a partner, and those that were chosen.
local function adopt(m, file)
  local function adopt_one(value)
    if m.session.is_staged[value] then m.adopted[value] = true end
  end
  for _, entries in next, file.tables do
    for key, value in next, entries do
      adopt_one(key)
      adopt_one(value)
    end
  end
  for _, cell in next, file.cells do
    if cell.value ~= nil then adopt_one(cell.value) end
  end
  for _, e in ipairs(file.is.effects) do
    if e.after ~= nil then adopt_one(e.after) end
    for _, value in ipairs(e.added or {}) do adopt_one(value) end
  end
  if file.is.result ~= nil then adopt_one(file.is.result) end
end

local function merge_file(m, file)
  file.tables, file.metas, file.cells = {}, {}, {}
  for new, entries in next, file.is.tables do
    if m.kept[new] ~= nil then
      merge_table(m, file, m.kept[new], new)
    else
      file.tables[new], file.metas[new] = entries, file.is.metas[new]
    end
  end
  merge_cells(m, file)
  merge_effects(m, file)
end

-- A file has made the same again: the game's values stay, under the keys of before.
local function restore_effects(m, image, is)
  for _, e in ipairs(is.effects) do
    if m.kept[e.key] ~= nil then set(e, nil) end
  end
  for _, e in ipairs(image.effects) do
    if e.key ~= LIST and not e.upper then set(e, e.live) end
  end
end

-- Merges all files of the list `ran`, in the order in which they ran. Returns the replacements: new table -> old one,
-- old function -> new one. References to them are redirected afterwards.
function merge.run(m, ran)
  for _, record in ipairs(ran) do
    local file <const> = m.file_of[record]
    if file then
      merge_file(m, file)
      adopt(m, file)
      file.is.tables, file.is.metas, file.is.cells, file.is.capture = file.tables, file.metas, file.cells, nil
    else
      restore_effects(m, record.image, m.session.done[record])
    end
  end
  join_cells(m)
  for t, list in next, m.lists do places.set_list(t, list) end
  counters.finish(m.counters)
  local map <const> = {}
  for new, old in next, m.kept do map[new] = old end
  for old, new in next, m.replaced do map[old] = new end
  return map
end

-- }==

return merge
