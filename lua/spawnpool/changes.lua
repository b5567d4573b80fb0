-- Describes what a reload has changed: "Bullet.alloc", "Bullet.damage 1 -> 2", "gone: Bullet.update"; and what it threw
-- away.

local native <const> = ...
local classes <const> = native.use "spawnpool.class"
local files <const> = native.use "spawnpool.files"
local names <const> = native.use "spawnpool.names"
local lines <const> = native.use "spawnpool.lines"
local places <const> = native.use "spawnpool.places"
local settings <const> = native.use "spawnpool.settings"

local debug <const> = native.debug()
local same <const>, NOTHING <const> = native.same, places.NOTHING
local is_plain <const>, sorted_keys <const> = places.is_plain, places.sorted_keys

local changes <const> = {}

local MOST_SHOWN <const> = 6

-- A value in one line.
local function show(value) return (string.gsub(names.show(value), "\n", "\\n")) end

-- Parts of a path that mean nothing to a reader, unless they are added or removed themselves.
local is_silent <const> = { fields = true, methods = true, value = true, super = true }

local function key_text(key)
  return type(key) == "string" and key or string.format("[%s]", is_plain(key) and show(key) or type(key))
end

local function join(path, key) return path == "" and key_text(key) or string.format("%s.%s", path, key_text(key)) end

-- The name of an entry of a table that others see, which may have none.
local function entry_of(name, key)
  return string.find(name, " ") and string.format("%s in %s", key_text(key), name) or join(name, key)
end

local function plural(count, what) return string.format("%d %s", count, count == 1 and what[1] or what[2]) end

-- {== Contents =============================================================

local compare

-- Describes a value briefly; a table of fields by their names.
local function contents(key, value, tables)
  local entries <const> = is_silent[key] and type(value) == "table" and tables[value]
  local list <const> = entries and sorted_keys(entries) or {}
  return #list > 0 and string.format(" (%s)", table.concat(list, ", ", 1, math.min(#list, MOST_SHOWN))) or ""
end

-- `now`: the new table itself, in which another file may have put what is gone from this one.
local function compare_entries(out, path, entries, new, file, now)
  for _, key in ipairs(sorted_keys(new)) do
    if entries[key] == nil then
      out[#out + 1] = "new: " .. join(path, key) .. contents(key, new[key], file.is.tables)
    else
      compare(out, is_silent[key] and path or join(path, key), entries[key], new[key], file)
    end
  end
  for _, key in ipairs(sorted_keys(entries)) do
    if new[key] == nil and not (now and rawget(now, key) ~= nil) then
      out[#out + 1] = "gone: " .. join(path, key) .. contents(key, entries[key], file.was.tables)
    end
  end
end

local function is_own(image, f, record)
  return image.made[f] and debug.getinfo(f, "S").source == record.source
end

function compare(out, path, old, new, file)
  if same(old, new) then return end
  local name <const> = path == "" and "what it returns" or path
  local was <const>, is <const> = file.was.tables[old], file.is.tables[new]
  if was and is then
    if file.is_met[new] or classes.is_class(new) then return end
    file.is_met[new] = true
    compare_entries(out, path, was, is, file, new)
  elseif is_plain(old) and is_plain(new) then
    out[#out + 1] = string.format("%s %s -> %s", name, show(old), show(new))
  elseif type(old) ~= type(new) then
    out[#out + 1] = name
  elseif type(old) == "function" then
    local own <const> = is_own(file.was, old, file.record) and is_own(file.is, new, file.record)
    local code_of <const> = lines.of_function
    if own and code_of(old, file.old_lines) ~= code_of(new, file.new_lines) then out[#out + 1] = name end
  end
end

-- Variables by name, without those that share a name.
local function by_name(cells)
  local list <const> = {}
  for _, cell in next, cells do
    if cell.name ~= "_ENV" then list[cell.name] = list[cell.name] == nil and cell or false end
  end
  return list
end

local function compare_locals(out, file)
  local old <const>, new <const> = by_name(file.was.cells), by_name(file.is.cells)
  for _, name in ipairs(sorted_keys(new)) do
    local before <const>, after <const> = old[name], new[name]
    local is_seen <const> = before and after and before.value ~= nil and after.value ~= nil
    if is_seen and type(after.value) ~= "table" then
      compare(out, name, before.value, after.value, file)
    end
  end
end

-- Returns the name and the number or boolean of a line of the form `local NAME <const> = 5`.
local function constant_in(line)
  local name <const>, text <const>, rest <const> = string.match(line,
    "^%s*local%s+([%w_]+)%s*<const>%s*=%s*(%-?[%w.]+)%s*(.*)$")
  if not name or (rest ~= "" and string.sub(rest, 1, 2) ~= "--") then return nil end
  if text == "true" or text == "false" then return name, text == "true" end
  return name, tonumber(text)
end

-- Such constants are not variables of the running program, so they are found in the text. Names that occur twice are
-- left out.
local function constants_of(text_lines)
  local constants <const>, is_known <const> = {}, {}
  for _, line in ipairs(text_lines) do
    local name <const>, value <const> = constant_in(line)
    if name then
      if is_known[name] then constants[name] = nil else constants[name] = value end
      is_known[name] = true
    end
  end
  return constants
end

local function compare_constants(out, file)
  local old <const>, new <const> = constants_of(file.old_lines), constants_of(file.new_lines)
  for _, name in ipairs(sorted_keys(new)) do
    if old[name] ~= nil then compare(out, name, old[name], new[name], file) end
  end
end

-- }==

-- {== Effects ==============================================================

-- Returns the name of a table that others see, or nil: of the globals "", of a library or a module, of a table in that.
local function name_of(holder)
  if rawequal(holder, _G) then return "" end
  local class <const> = classes.name_of_store(holder)
  if class then return class end
  for _, module in ipairs(sorted_keys(files.loaded)) do
    if rawequal(files.loaded[module], holder) then return module end
  end
  for _, module in ipairs(sorted_keys(files.loaded)) do
    local result <const> = files.loaded[module]
    local is_named <const> = type(result) == "table" and rawlen(result) == 0 and not rawequal(result, _G)
    for key, value in next, is_named and result or {} do
      if type(key) == "string" and rawequal(value, holder) then return join(module, key) end
    end
  end
  local owner <const> = files.owner_of(holder)
  return owner and "a table of " .. string.match(owner.path, "[^/]*$") or nil
end

local ENTRIES <const> = { "entry", "entries" }

local function is_shown(holder)
  return type(holder) == "table" and not rawequal(holder, classes.roots()[1])
end

local function value_of(value) return value ~= NOTHING and value or nil end

local function describe_list(out, name, more)
  if more == 0 then return end
  out[#out + 1] = string.format("%s %s %s", plural(math.abs(more), ENTRIES), more > 0 and "more in" or "fewer in", name)
end

local function describe_effect(out, name, e, was, file)
  describe_list(out, name, #e.list - #was.list)
  for key, value in next, e.keys do
    local before <const>, after <const> = value_of(was.keys[key]), value_of(value)
    if was.keys[key] == nil and value_of(e.before[key]) == nil then
      out[#out + 1] = "new: " .. entry_of(name, key)
    elseif before ~= nil and after ~= nil then
      compare(out, entry_of(name, key), before, after, file)
    end
  end
end

local NONE <const> = { keys = {}, list = {} }

local function compare_effects(out, m, file)
  local is_met <const>, from <const> = {}, #out
  for thing, e in next, file.writes do
    local holder <const> = m.pred[thing] or thing
    local name <const> = is_shown(holder) and name_of(holder)
    is_met[holder] = true
    if name then describe_effect(out, name, e, file.wrote[holder] or NONE, file) end
  end
  for thing, was in next, file.wrote do
    local name <const> = is_shown(thing) and name_of(thing)
    local now <const> = file.writes[m.succ[thing] or thing]
    if name and not is_met[thing] then describe_list(out, name, -#was.list) end
    for key in next, name and was.keys or {} do
      local is_there <const> = now and now.keys[key] ~= nil or places.get(m.succ[thing] or thing, key) ~= nil
      local is_moved <const> = m.moves[thing] and m.moves[thing][key]
      if not is_there and not is_moved then out[#out + 1] = "gone: " .. entry_of(name, key) end
    end
  end
  local part <const> = table.move(out, from + 1, #out, 1, {})
  table.sort(part)
  table.move(part, 1, #part, from + 1, out)
end

-- }==

-- {== Classes ==============================================================

-- Counts the entries that have another value of the same kind.
local function count_scalars(old, new)
  local count = 0
  for key, value in pairs(new) do
    local is_edited <const> = is_plain(value) and type(old[key]) == type(value) and not same(value, old[key])
    count = count + (is_edited and 1 or 0)
  end
  return count
end

-- Counts the changes of a class that live objects do not see: a default of a plain field, or of a look.
local function count_defaults(old, new, file)
  local fields_before <const>, fields <const> = file.was.tables[old.fields], file.is.tables[new.fields]
  local looks_before <const>, looks <const> = {}, {}
  for name in pairs(settings.first) do looks_before[name], looks[name] = old[name], new[name] end
  local count <const> = count_scalars(looks_before, looks)
  return fields_before and fields and count + count_scalars(fields_before, fields) or count
end

-- Compares the classes that a file declares, and adds those that change for live objects to `touched`.
local function compare_classes(out, touched, m, file)
  local records <const> = classes.roots()[1]
  for _, name in ipairs(sorted_keys(file.record.declares)) do
    local record <const> = records[name]
    local is <const> = record and file.is.tables[record.store]
    local old <const> = record and m.pred[record.store]
    local was <const>, from <const> = old and file.was.tables[old], #out
    if is and was then
      compare_entries(out, name, was, is, file)
      if #out - from > count_defaults(was, is, file) then touched.classes[name] = true end
    elseif is then
      out[#out + 1] = "new: " .. name
      touched.classes[name] = old and true or nil
    end
  end
end

-- Lists the changes of the edited files; they have run, and are not merged yet. The second result has the classes, by
-- name, and the other files that live objects run with the changes.
function changes.of(m, try)
  local out <const>, touched <const> = {}, { classes = {}, files = {} }
  for _, file in ipairs(m.files) do
    local text <const> = try.texts[file.record]
    if text then
      file.is_met = {}
      file.old_lines, file.new_lines = lines.of(file.record.text or ""), lines.of(text)
      file.was.tables, file.was.made = file.was.tables or {}, file.was.made or {}
      file.was.cells = file.was.cells or {}
      compare_classes(out, touched, m, file)
      local from <const> = #out
      if file.record.image then
        compare(out, "", file.was.result, file.is.result, file)
        compare_effects(out, m, file)
        compare_locals(out, file)
        compare_constants(out, file)
      end
      if #out > from and not file.record.main then touched.files[file.record] = true end
    end
  end
  return out, touched
end

-- }==

-- {== Losses ===============================================================

local function count_entries(t)
  local count = 0
  for _ in next, t do count = count + 1 end
  return count
end

-- Returns the size of what the game has made of a value, as text; nil when that is nothing.
local function size_of(live, base, image)
  if type(live) == "table" then
    local was <const> = image.tables and image.tables[live]
    local count <const> = count_entries(live)
    return count > 0 and (not was or count_entries(was) ~= count) and plural(count, ENTRIES) or nil
  end
  return is_plain(live) and not same(live, base) and show(live) or nil
end

-- Returns the only new variable of the file of that type, or nil.
local function renamed(m, file, kind)
  local found
  for id, cell in next, file.is.cells do
    if m.pred[id] == nil and cell.name ~= "_ENV" and type(cell.value) == kind then
      if found then return nil end
      found = cell.name
    end
  end
  return found
end

local function add_lost_variables(out, m, file)
  local is_there <const> = {}
  for _, cell in next, file.is.cells do is_there[cell.name] = true end
  for id, cell in next, file.was.cells or {} do
    local is_moved <const> = m.moves[cell.f] and m.moves[cell.f][cell.i]
    local is_ghost <const> = file.was.ghosts and file.was.ghosts[cell.f]
    local is_lost <const> = m.succ[id] == nil and cell.name ~= "_ENV" and not is_moved and not is_ghost
    local is_kept <const> = file.defined and file.defined.declared[cell.name] and not is_there[cell.name]
    local _, live <const> = debug.getupvalue(cell.f, cell.i)
    local size <const> = is_lost and not is_kept and size_of(live, cell.value, file.was)
    if size then
      local name <const> = not is_there[cell.name] and renamed(m, file, type(live))
      out[#out + 1] = string.format("file-local `%s`, %s, is gone%s", cell.name, size,
        name and string.format("; `%s` is new: renamed?", name) or "")
    end
  end
end

-- Returns a line for each place of which the edit threw away what the game had there, or that stayed the game's
-- although the files give it another value now.
function changes.lost(m, try, report)
  local out <const> = {}
  for _, file in ipairs(m.files) do
    if try.texts[file.record] and file.record.image and not m.is_return then add_lost_variables(out, m, file) end
  end
  for _, it in ipairs(m.lost) do
    if type(it.thing) == "table" and it.is_dropped and is_plain(it.live) and not m.is_return then
      local name <const> = name_of(it.thing)
      local entry <const> = name and entry_of(name, it.key) or key_text(it.key)
      for i = #report.changed, 1, -1 do -- it is told once
        if report.changed[i] == "gone: " .. entry then table.remove(report.changed, i) end
      end
      out[#out + 1] = string.format("`%s`, %s, is gone", entry, show(it.live))
    end
  end
  local stayed <const> = {}
  for _, it in ipairs(m.stayed) do
    local key <const> = type(it[1]) == "function" and debug.getupvalue(it[1], it[2]) or it[2]
    if is_plain(it[3]) and not rawequal(key, places.METATABLE) then
      stayed[#stayed + 1] = string.format("%s stays %s", key_text(key), show(it[3]))
    end
  end
  table.sort(out)
  table.sort(stayed)
  if stayed[1] then
    out[#out + 1] = "the game's: " .. table.concat(stayed, ", ", 1, math.min(#stayed, MOST_SHOWN))
      .. (#stayed > MOST_SHOWN and string.format(" and %d more", #stayed - MOST_SHOWN) or "")
  end
  return out
end

-- Counts the functions that go on in code which the edit has changed: closures that the game made, and nameless ones
-- that nothing tells apart.
function changes.old_code(m, try)
  local count = 0
  for _, f in ipairs(next(try.sources) and native.functions_of(try.whole, try.sources) or {}) do
    local source <const> = debug.getinfo(f, "S").source
    local file <const> = m.of_source[source]
    if file and file.matched and m.was[f] == nil and files.owner_of(f) == nil then
      local info <const> = debug.getinfo(f, "S")
      local list <const> = file.matched.before.by_lines[string.format("%d:%d", info.linedefined, info.lastlinedefined)]
      local former <const> = list and list[1]
      local now <const> = former and file.matched.now[former]
      if former and info.linedefined > 0 and not (now and now.text == former.text) then count = count + 1 end
    end
  end
  for _, file in ipairs(m.files) do
    for _, former in ipairs(file.matched and file.matched.old or {}) do
      local is_open <const> = not former.name and not file.matched.now[former]
      for _, now in ipairs(is_open and file.matched.new or {}) do
        if not now.name and not file.matched.former[now] and (now.outer == 0) == (former.outer == 0) then
          count = count + 1
          break
        end
      end
    end
  end
  return count
end

local is_told <const> = setmetatable({}, { __mode = "k" }) -- functions of old loops that have been told

-- Counts the coroutines that go on in code which the edit has changed. `stacks` has the functions of edited files on
-- the stack of each.
function changes.old_loops(m, stacks)
  local count = 0
  for _, stack in ipairs(stacks) do
    local is_old = false
    for _, f in ipairs(stack) do
      local source <const> = debug.getinfo(f, "S").source
      local file <const> = m.of_source[source]
      local code <const> = file and file.old_lines and lines.of_function(f, file.old_lines)
      if code and not is_told[f] and not string.find(table.concat(file.new_lines, "\n"), code, 1, true) then
        is_told[f], is_old = true, true
      end
    end
    if is_old then count = count + 1 end
  end
  return count
end

-- }==

function changes.text(list)
  if #list == 0 then return "nothing visible elsewhere" end
  local shown <const> = table.concat(list, ", ", 1, math.min(#list, MOST_SHOWN))
  return #list > MOST_SHOWN and string.format("%s and %d more", shown, #list - MOST_SHOWN) or shown
end

return changes
