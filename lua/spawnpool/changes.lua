-- Describes what a reload has changed: "Bullet.alloc", "Bullet.damage 1 -> 2", "gone: Bullet.update"; and what it threw
-- away.

local native <const> = ...
local classes <const> = native.use "spawnpool.class"
local files <const> = native.use "spawnpool.files"
local names <const> = native.use "spawnpool.names"
local pairing <const> = native.use "spawnpool.pairing"
local places <const> = native.use "spawnpool.places"
local settings <const> = native.use "spawnpool.settings"
local lines <const> = files.lines

local debug <const> = native.debug()
local same <const>, LIST <const>, CELL <const> = native.same, places.LIST, places.CELL
local is_plain <const>, sorted_keys <const> = places.is_plain, places.sorted_keys

local changes <const> = {}

local MOST_SHOWN <const> = 6

-- Parts of a path that mean nothing to a reader, unless they are added or removed themselves.
local is_silent <const> = { fields = true, methods = true, value = true, super = true }

local function key_text(key)
  return type(key) == "string" and key or ("[%s]"):format(is_plain(key) and names.show(key) or type(key))
end

local function join(path, key) return path == "" and key_text(key) or ("%s.%s"):format(path, key_text(key)) end

-- The name of an entry of a table that others see, which may have none.
local function entry_of(name, key)
  return name:find " " and ("%s in %s"):format(key_text(key), name) or join(name, key)
end

local function plural(count, what) return ("%d %s"):format(count, count == 1 and what[1] or what[2]) end

-- {== Contents =============================================================

local compare

-- Describes a value briefly; a table of fields by their names.
local function contents(key, value, tables)
  local entries <const> = is_silent[key] and type(value) == "table" and tables[value]
  local list <const> = entries and sorted_keys(entries) or {}
  return #list > 0 and (" (%s)"):format(table.concat(list, ", ", 1, math.min(#list, MOST_SHOWN))) or ""
end

local function compare_entries(out, path, entries, new, file)
  for _, key in ipairs(sorted_keys(new)) do
    if entries[key] == nil then
      out[#out + 1] = "new: " .. join(path, key) .. contents(key, new[key], file.is.tables)
    elseif not file.noise[key] or not is_plain(new[key]) then
      compare(out, is_silent[key] and path or join(path, key), entries[key], new[key], file)
    end
  end
  for _, key in ipairs(sorted_keys(entries)) do
    if new[key] == nil then
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
    compare_entries(out, path, was, is, file)
  elseif is_plain(old) and is_plain(new) then
    out[#out + 1] = ("%s %s -> %s"):format(name, names.show(old), names.show(new))
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
    if is_seen and type(after.value) ~= "table" and not file.noise[name] then
      compare(out, name, before.value, after.value, file)
    end
  end
end

-- Returns the name and the number or boolean of a line of the form `local NAME <const> = 5`.
local function constant_in(line)
  local name <const>, text <const>, rest <const> = line:match "^%s*local%s+([%w_]+)%s*<const>%s*=%s*(%-?[%w.]+)%s*(.*)$"
  if not name or (rest ~= "" and rest:sub(1, 2) ~= "--") then return nil end
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
  return owner and "a table of " .. owner.path:match "[^/]*$" or nil
end

local ENTRIES <const> = { "entry", "entries" }

local function describe_effect(out, e, was, file)
  local name <const> = e.key ~= CELL and not rawequal(e.holder, classes.roots()[1]) and name_of(e.holder)
  if not name then return end
  if e.key == LIST then
    local more <const> = #e.added - #(was and was.added or {})
    if more ~= 0 then
      out[#out + 1] = ("%s %s %s"):format(plural(math.abs(more), ENTRIES), more > 0 and "more in" or "fewer in", name)
    end
  elseif not was then
    out[#out + 1] = "new: " .. entry_of(name, e.key)
  elseif was.after ~= nil and e.after ~= nil then
    compare(out, entry_of(name, e.key), was.after, e.after, file)
  end
end

local function compare_effects(out, m, file)
  local is_met <const>, from <const> = {}, #out
  for _, e in ipairs(file.is.effects) do
    local was <const> = pairing.former_effect(m, file.was, e)
    if was then is_met[was] = true end
    describe_effect(out, e, was, file)
  end
  for _, was in ipairs(file.was.effects) do
    local name <const> = not is_met[was] and was.key ~= CELL and not rawequal(was.holder, classes.roots()[1])
      and name_of(was.holder)
    if name then
      out[#out + 1] = was.key == LIST and ("%s fewer in %s"):format(plural(#was.added, ENTRIES), name)
        or "gone: " .. entry_of(name, was.key)
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
function changes.of(m, texts)
  local out <const>, touched <const> = {}, { classes = {}, files = {} }
  for _, file in ipairs(m.files) do
    if texts[file.record] then
      file.is_met, file.noise = {}, {}
      for _, names_of in next, m.noise do
        for name in next, names_of do file.noise[name] = true end
      end
      file.old_lines, file.new_lines = m.lines_before[file.record.source], m.lines[file.record.source]
      file.was.tables, file.was.made = file.was.tables or {}, file.was.made or {}
      file.was.cells = file.was.cells or {}
      compare_classes(out, touched, m, file)
      local from <const> = #out
      if file.was.capture or file.was.metas then
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
    local was <const> = image.tables[live]
    local count <const> = count_entries(live)
    return count > 0 and (not was or count_entries(was) ~= count) and plural(count, ENTRIES) or nil
  end
  return is_plain(live) and not same(live, base) and names.show(live) or nil
end

-- Returns the only new variable of the file of that type, or nil.
local function renamed(file, kind)
  local found
  for _, cell in next, file.fresh_cells do
    if type(cell.value) == kind then
      if found then return nil end
      found = cell.name
    end
  end
  return found
end

-- Returns a line for each variable that the edit took from the game with what it held.
function changes.lost(m)
  local out <const> = {}
  for _, it in ipairs(m.lost) do
    local cell <const>, file <const> = it.cell, it.file
    local _, live <const> = debug.getupvalue(cell.f, cell.i)
    local size <const> = m.is_edited[file.record] and size_of(live, cell.value, file.was)
    if size then
      local name <const> = renamed(file, type(live))
      out[#out + 1] = ("file-local `%s`, %s, is gone%s"):format(cell.name, size,
        name and ("; `%s` is new: renamed?"):format(name) or "")
    end
  end
  table.sort(out)
  return out
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
      local code <const> = lines.of_function(f, m.lines_before[source])
      if not is_told[f] and not table.concat(m.lines[source], "\n"):find(code, 1, true) then
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
  return #list > MOST_SHOWN and ("%s and %d more"):format(shown, #list - MOST_SHOWN) or shown
end

return changes
