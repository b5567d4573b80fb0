-- Describes what a reload has changed: "Bullet.alloc", "Bullet.damage 1 -> 2", "gone: Bullet.update".

local native <const> = ...
local names <const> = native.use "spawnpool.names"
local settings <const> = native.use "spawnpool.settings"

local debug <const> = native.debug()

local changes <const> = {}

local MOST_SHOWN <const> = 6

-- Parts of a path that mean nothing to a reader, unless they are added or removed themselves.
local is_silent <const> = { fields = true, methods = true, value = true, super = true }

local function key_text(key)
  return type(key) == "string" and key or ("[%s]"):format(type(key) == "number" and names.show(key) or type(key))
end

local function join(path, key) return path == "" and key_text(key) or ("%s.%s"):format(path, key_text(key)) end

-- Sorts numbers before names. Other keys have no order and no names.
local function sorted_keys(t)
  local list <const> = {}
  for key in next, t do
    if type(key) == "number" or type(key) == "string" then list[#list + 1] = key end
  end
  table.sort(list, function(a, b)
    if type(a) ~= type(b) then return type(a) == "number" end
    return a < b
  end)
  return list
end

local function lines_of(text)
  local lines <const> = {}
  for line in (text .. "\n"):gmatch "(.-)\r?\n" do lines[#lines + 1] = line end
  return lines
end

-- Returns the lines of a function from those of its file.
local function lines_in(f, lines)
  local info <const> = debug.getinfo(f, "S")
  return table.concat(lines, "\n", math.min(info.linedefined, #lines + 1), math.min(info.lastlinedefined, #lines))
end

-- Returns the lines of a function from its text, in which lines end in "\n".
function changes.code_of(f, text) return lines_in(f, lines_of(text)) end

local compare

-- Describes a value briefly; a table of fields by their names.
local function contents(key, value, tables)
  local copy <const> = is_silent[key] and type(value) == "table" and tables[value]
  local list <const> = copy and sorted_keys(copy.entries) or {}
  return #list > 0 and (" (%s)"):format(table.concat(list, ", ", 1, math.min(#list, MOST_SHOWN))) or ""
end

local function compare_entries(out, path, entries, new, seen)
  for _, key in ipairs(sorted_keys(new)) do
    if entries[key] == nil then
      out[#out + 1] = "new: " .. join(path, key) .. contents(key, new[key], seen.new.tables)
    else
      compare(out, is_silent[key] and path or join(path, key), entries[key], new[key], seen)
    end
  end
  for _, key in ipairs(sorted_keys(entries)) do
    if new[key] == nil then
      out[#out + 1] = "gone: " .. join(path, key) .. contents(key, entries[key], seen.old.tables)
    end
  end
end

local function is_scalar(value)
  local kind <const> = type(value)
  return kind == "number" or kind == "string" or kind == "boolean"
end

function compare(out, path, old, new, seen)
  if rawequal(old, new) and native.is_same(old, new) then return end
  local name <const> = path == "" and "what it returns" or path
  local was <const>, is <const> = seen.old.tables[old], seen.new.tables[new]
  if seen.old.is_function[old] and seen.new.is_function[new] then
    if lines_in(old, seen.old_lines) ~= lines_in(new, seen.new_lines) then out[#out + 1] = name end
  elseif was and is then
    if seen[new] then return end
    seen[new] = true
    compare_entries(out, path, was.entries, is.entries, seen)
  elseif is_scalar(old) and is_scalar(new) then
    if native.is_same(old, new) then return end
    out[#out + 1] = ("%s %s -> %s"):format(name, names.show(old), names.show(new))
  elseif type(old) ~= type(new) or type(old) == "function" and not native.is_alike(old, new) then
    out[#out + 1] = name
  end
end

local function globals_of(effects)
  local globals <const> = {}
  for _, effect in ipairs(effects) do
    if effect.thing == _G then globals[effect.key] = effect.value end
  end
  return globals
end

-- File-locals by name, without those that share a name.
local function compare_locals(out, old, new, seen)
  for _, name in ipairs(sorted_keys(new.by_name)) do
    local before <const>, after <const> = old.cells[old.by_name[name]], new.cells[new.by_name[name]]
    if before and after and not seen[after.base] and type(after.base) ~= "table" then
      compare(out, name, before.base, after.base, seen)
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
local function constants_of(lines)
  local constants <const>, is_known <const> = {}, {}
  for _, line in ipairs(lines) do
    local name <const>, value <const> = constant_in(line)
    if name then
      if is_known[name] then constants[name] = nil else constants[name] = value end
      is_known[name] = true
    end
  end
  return constants
end

local function compare_constants(out, seen)
  local old <const>, new <const> = constants_of(seen.old_lines), constants_of(seen.new_lines)
  for _, name in ipairs(sorted_keys(new)) do
    if old[name] ~= nil then compare(out, name, old[name], new[name], seen) end
  end
end

-- Counts the entries that have another value of the same kind.
local function count_scalars(old, new)
  local count = 0
  for key, value in pairs(new) do
    local is_edited <const> = is_scalar(value) and type(old[key]) == type(value) and not native.is_same(value, old[key])
    count = count + (is_edited and 1 or 0)
  end
  return count
end

-- Counts the changes of a class that live objects do not see: a default of a plain field, or of a look.
local function count_defaults(old, new, seen)
  local fields_before <const>, fields <const> = seen.old.tables[old.fields], seen.new.tables[new.fields]
  local looks_before <const>, looks <const> = {}, {}
  for name in pairs(settings.initial) do looks_before[name], looks[name] = old[name], new[name] end
  local count <const> = count_scalars(looks_before, looks)
  if not fields_before or not fields then return count end
  return count + count_scalars(fields_before.entries, fields.entries)
end

-- Compares the classes that a file declares, and adds those that change for live objects to `touched`. A file that runs
-- for the first time has no image of an earlier run.
local function compare_classes(out, touched, old, new, seen)
  for _, name in ipairs(sorted_keys(new.stores)) do
    local before <const>, from <const> = old and old.stores[name], #out
    local unseen = 0
    if before then
      compare_entries(out, name, before, new.stores[name], seen)
      unseen = count_defaults(before, new.stores[name], seen)
    else
      out[#out + 1] = "new: " .. name
    end
    if #out - from > unseen then touched.classes[name] = true end
  end
end

local function compare_file(out, old, new, seen)
  compare(out, "", old.result, new.result, seen)
  compare_entries(out, "", globals_of(old.effects), globals_of(new.effects), seen)
  compare_locals(out, old, new, seen)
  compare_constants(out, seen)
end

-- Lists the changes of the files with new texts; `session` has run them, and has not merged them yet. The second result
-- has the classes, by name, and the other files that live objects run with the changes.
function changes.of(session, texts)
  local out <const>, touched <const> = {}, { classes = {}, files = {} }
  for _, record in ipairs(session.order) do
    local old <const>, new <const> = record.image, session.done[record]
    if texts[record] and not old then compare_classes(out, touched, nil, new) end
    if texts[record] and old then
      local seen <const> = {
        old = old, new = new, old_lines = lines_of(record.text), new_lines = lines_of(texts[record]),
      }
      compare_classes(out, touched, old, new, seen)
      local from <const> = #out
      compare_file(out, old, new, seen)
      if #out > from and not record.main then touched.files[record] = true end
    end
  end
  return out, touched
end

function changes.text(list)
  if #list == 0 then return "nothing that others see" end
  local shown <const> = table.concat(list, ", ", 1, math.min(#list, MOST_SHOWN))
  return #list > MOST_SHOWN and ("%s and %d more"):format(shown, #list - MOST_SHOWN) or shown
end

return changes
