-- Classes: the Lua tables that subclass a pool. A class is known by its name for as long as the program runs; its
-- table is empty, and every access goes through a store behind it, so that each change is noticed, checked, and carried
-- to the pools that live by it. C asks `describe` for one flat description of a type.

local native <const> = ...

local classes <const> = { module = {} }
local records <const> = {} -- name -> { name, class, store, parent, settings }
local record_of <const> = setmetatable({}, { __mode = "k" }) -- class -> record
local loading <const> = {} -- paths of the class files that are running, innermost last; and name -> true

local Base <const> = { alloc = native.alloc, recycle = native.recycle } -- what `super` is in a class without `extends`

local MAX_COUNT <const> = 1 << 24
local MAX_FIELDS <const> = 48

-- {== Names ================================================================

-- Edit distance with transpositions: "recyle" and "on_spwan" are one edit away.
local function distance(a, b)
  local before, last = {}, {}
  for j = 0, #b do last[j] = j end
  for i = 1, #a do
    local row <const> = { [0] = i }
    for j = 1, #b do
      local same <const> = a:byte(i) == b:byte(j)
      row[j] = math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (same and 0 or 1))
      if i > 1 and j > 1 and a:byte(i) == b:byte(j - 1) and a:byte(i - 1) == b:byte(j) then
        row[j] = math.min(row[j], before[j - 2] + 1)
      end
    end
    before, last = last, row
  end
  return last[#b]
end

-- The name in `candidates` nearest to `name`, when it is near enough to be meant: they must have a letter in common.
local function nearest(name, candidates)
  local best, least = nil, math.min(#name, math.max(1, #name // 3) + 1)
  table.sort(candidates) -- the same answer whatever order they came in
  for _, candidate in ipairs(candidates) do
    local d <const> = distance(name:lower(), candidate:lower())
    if d < least then best, least = candidate, d end
  end
  return best, least
end

local function did_you_mean(name, candidates)
  local near <const> = nearest(name, candidates)
  return near and (" (did you mean '%s'?)"):format(near) or ""
end

local function keys_of(...)
  local names = {}
  for _, t in ipairs { ... } do
    for name in pairs(t) do names[#names + 1] = name end
  end
  return names
end

-- }==

-- {== Checks ===============================================================

local function show(value)
  return type(value) == "string" and ("'%s'"):format(value) or tostring(value)
end

local function count(low)
  return function(value)
    if math.type(value) == "integer" and value >= low and value <= MAX_COUNT then return nil end
    return ("must be an integer from %d to %d, got %s"):format(low, MAX_COUNT, show(value))
  end
end

local function limit(value)
  if value == math.huge then return nil end
  local wrong <const> = count(0)(value)
  return wrong and wrong:gsub(", got", " (or math.huge: none), got")
end

local function one_of(...)
  local allowed <const> = {}
  for _, name in ipairs { ... } do allowed[name] = true end
  local names <const> = keys_of(allowed)
  table.sort(names)
  return function(value)
    if allowed[value] then return nil end
    local near <const> = type(value) == "string" and did_you_mean(value, names) or ""
    return ("must be one of '%s', got %s%s"):format(table.concat(names, "', '"), show(value), near)
  end
end

local known_overflow <const> = one_of("refuse", "oldest", "grow", "error")

local function overflow(value)
  if type(value) == "function" then return nil end
  return known_overflow(value)
end

local function number(value)
  if type(value) == "number" and value == value and math.abs(value) <= 3.4e38 then return nil end
  return ("must be a finite number, got %s"):format(show(value))
end

local function layer(value)
  if math.tointeger(value) and type(value) == "number" and value >= -32768 and value <= 32767 then return nil end
  return ("must be an integer from -32768 to 32767, got %s"):format(show(value))
end

local function of_type(name)
  return function(value)
    if type(value) == name then return nil end
    return ("must be a %s, got %s"):format(name, show(value))
  end
end

-- Built-in fields that a class may give a first value.
local initial <const> = {
  x = number, y = number, vx = number, vy = number, ax = number, ay = number, angle = number, spin = number,
  scale = number, r = number, g = number, b = number, a = number, radius = number,
  layer = layer, sprite = of_type "string", visible = of_type "boolean",
}

local settings <const> = {
  prealloc = count(0), grow = count(1), limit = limit, idle_limit = limit,
  overflow = overflow, order = one_of("fifo", "lifo"),
}

local functions <const> = {
  alloc = true, recycle = true, on_create = true, on_spawn = true, on_despawn = true, on_reject = true,
  on_destroy = true, update = true,
}

-- Names of objects that an own field may not take.
local reserved <const> = {
  type = true, pool = true, id = true, age = true, lifetime = true, remaining = true, alive = true, pinned = true,
  recycle = true,
}

-- }==

-- {== Fields ===============================================================

local Kind <const> = { __name = "spawnpool.field" }

function classes.module.keep(value)
  return setmetatable({ kind = "keep", value = value }, Kind)
end

local storable <const> = { number = true, boolean = true, string = true }
local EXACT <const> = 1 << 53 -- number fields are doubles

local function check_field(name, value)
  if type(name) ~= "string" then return ("field names are strings, got %s"):format(show(name)) end
  if initial[name] or reserved[name] then return ("field '%s' is built in: choose another name"):format(name) end
  if getmetatable(value) == Kind then value = value.value end
  if math.type(value) == "integer" and (value >= EXACT or value <= -EXACT) then
    return ("field '%s' is an integer beyond 2^53, which a number field cannot hold exactly: %d"):format(name, value)
  end
  if storable[type(value)] then return nil end
  return ("field '%s' holds a number, boolean or string, got a %s"):format(name, type(value))
end

local function check_fields(fields)
  if type(fields) ~= "table" then return ("must be a table of name = default, got %s"):format(show(fields)) end
  for name, value in pairs(fields) do
    local wrong <const> = check_field(name, value)
    if wrong then return wrong end
  end
  return nil
end

-- Own fields and those of all parents, the same name once.
local function check_field_count(name, fields, parent)
  local names <const> = {}
  local total = 0
  while fields or parent do
    for field in pairs(fields or {}) do
      if not names[field] then total = total + 1 end
      names[field] = true
    end
    fields, parent = parent and parent.settings.fields, parent and parent.parent
  end
  if total <= MAX_FIELDS then return nil end
  return ("class '%s' has %d own fields; at most %d fit"):format(name, total, MAX_FIELDS)
end

-- }==

-- {== Declaring ============================================================

local function file_of(name, path)
  return (path:gsub("%?", (name:gsub("%%", "%%%%"))))
end

local function find_file(name, path)
  if not path or not name:match "^[%w_%-]+$" then return nil end
  local file <const> = file_of(name, path)
  return native.load(file), file
end

-- An error that does not say where it comes from (the call that raised was a tail call) gets the file's name.
local function run_file(chunk, name, path, file)
  loading[#loading + 1], loading[name] = path, true
  local done <const>, result <const> = pcall(chunk, name)
  loading[#loading], loading[name] = nil, nil
  if done then return result end
  if type(result) == "string" and not result:find(file, 1, true) then error(file .. ": " .. result, 0) end
  error(result, 0)
end

-- Declares the class of a type from its file, when there is one. Returns its record, or nil and what is wrong.
local function load_class(name, path)
  local chunk <const>, file <const> = find_file(name, path)
  if not chunk then return nil end
  if loading[name] then
    return nil, ("class '%s' is needed before its file, %s, has declared it"):format(name, file)
  end
  local result <const> = run_file(chunk, name, path, file)
  if records[name] then return records[name] end
  local declared <const> = record_of[result]
  return nil, ("%s declares %s, not class '%s': a class file is named after its class"):format(file,
    declared and ("class '%s'"):format(declared.name) or "no class", name)
end

local function find_parent(name, child)
  if records[name] then return records[name] end
  local parent <const>, wrong <const> = load_class(name, loading[#loading] or native.path())
  if parent then return parent end
  error(wrong or ("class '%s' extends '%s', which nobody declares%s"):format(child, name,
    did_you_mean(name, keys_of(records))), 0)
end

-- `extends` is a name or a class; the whole line of parents must not lead back to the class itself.
local function check_parent(name, extends)
  if extends == nil then return nil end
  local parent = record_of[extends]
  if not parent and type(extends) ~= "string" then
    error(("class '%s': extends must be the name of a class, got %s"):format(name, show(extends)), 0)
  end
  if extends == name then error(("class '%s' extends itself"):format(name), 0) end
  parent = parent or find_parent(extends, name)
  local at = parent
  while at do
    if at.name == name then error(("class '%s' extends itself, through '%s'"):format(name, parent.name), 0) end
    at = at.parent
  end
  return parent
end

local known <const> = { extends = true, group = true, fields = true }

local function unknown_key(name, key)
  local names <const> = keys_of(initial, settings, functions, known)
  return ("class '%s' has no setting '%s'%s"):format(name, tostring(key), did_you_mean(tostring(key), names))
end

-- What is wrong with one setting of a class, or nil.
local function check_setting(name, key, value)
  local check <const> = initial[key] or settings[key]
  local wrong
  if check then
    wrong = check(value)
  elseif key == "fields" then
    wrong = check_fields(value)
  elseif key == "group" then
    wrong = of_type "string" (value)
  end
  if wrong and key == "fields" and wrong:sub(1, 5) == "field" then return ("class '%s': %s"):format(name, wrong) end
  return wrong and ("class '%s': %s %s"):format(name, key, wrong)
end

-- A function that is nearly a hook is a slip, not a helper.
local function check_function(name, key)
  if functions[key] then return nil end
  local near <const>, edits <const> = nearest(tostring(key), keys_of(functions))
  if near and edits <= 1 and not tostring(key):match "%d$" or tostring(key):sub(1, 3) == "on_" then
    local hint <const> = near and (" (did you mean '%s'?)"):format(near) or ""
    return ("class '%s' has no hook '%s'%s"):format(name, tostring(key), hint)
  end
  return nil
end

local function is_setting(key)
  return initial[key] or settings[key] or known[key]
end

local function check_entry(name, key, value)
  if is_setting(key) then return check_setting(name, key, value) end
  if functions[key] and type(value) ~= "function" then
    return ("class '%s': %s must be a function, got %s"):format(name, key, show(value))
  end
  if type(value) == "function" then return check_function(name, key) end
  return unknown_key(name, key)
end

local function check_definition(name, definition)
  for key, value in pairs(definition) do
    local wrong <const> = check_entry(name, key, value)
    if wrong then error(wrong, 0) end
  end
end

-- The record itself and all that descend from it, by name.
local function affected_by(record)
  local names <const> = {}
  for name, other in pairs(records) do
    local at = other
    while at do
      if at == record then names[name] = true end
      at = at.parent
    end
  end
  return names
end

-- After the class exists: constants of its own are welcome, slips are not.
local function check_assignment(record, key, value)
  if key == "super" or key == "extends" then
    return ("class '%s': %s is set by spawnpool.class"):format(record.name, key)
  end
  if value == nil then return nil end
  if is_setting(key) or functions[key] or type(value) == "function" then
    return check_entry(record.name, key, value)
      or (key == "fields" and check_field_count(record.name, value, record.parent) or nil)
  end
  local near <const>, edits <const> = nearest(tostring(key), keys_of(initial, settings, functions, known))
  if type(key) == "string" and #key > 3 and near and edits == 1 then
    return ("class '%s' has no setting '%s' (did you mean '%s'?)"):format(record.name, key, near)
  end
  return nil
end

local Class <const> = { __name = "spawnpool.class" }

local function new_record(name)
  local store <const> = {}
  local meta <const> = {
    __name = Class.__name,
    __metatable = Class.__name,
    __index = store,
    __tostring = function() return ("class %s"):format(name) end,
    __pairs = function() return next, store, nil end,
  }
  local record <const> = { name = name, store = store, settings = {} }
  function meta.__newindex(_, key, value)
    local wrong <const> = check_assignment(record, key, value)
    if wrong then error(wrong, 2) end
    store[key] = value
    if is_setting(key) then record.settings[key] = value end
    if is_setting(key) or functions[key] then
      native.changed(affected_by(record), is_setting(key) ~= nil)
    end
  end
  record.class = setmetatable({}, meta)
  record_of[record.class] = record
  return record
end

local function set_parent(record, parent)
  record.parent = parent
  record.store.super = parent and parent.class or Base
  setmetatable(record.store, { __index = parent and parent.class or Base })
end

local function apply_definition(record, definition)
  for key in pairs(record.settings) do record.store[key] = nil end
  record.settings = {}
  for key, value in pairs(definition) do
    record.store[key] = value
    if is_setting(key) then record.settings[key] = value end
  end
end

local function declare(name, definition)
  if type(name) ~= "string" or name == "" or #name > 200 or name:find "\0" then
    error(("a class needs a name of 1 to 200 characters, got %s"):format(show(name)), 0)
  end
  if definition == nil and records[name] then return records[name].class end
  if definition ~= nil and type(definition) ~= "table" then
    error(("class '%s': the definition must be a table, got %s"):format(name, show(definition)), 0)
  end
  definition = definition or {}
  check_definition(name, definition)
  local parent <const> = check_parent(name, definition.extends)
  local too_many <const> = check_field_count(name, definition.fields, parent)
  if too_many then error(too_many, 0) end
  local record <const> = records[name] or new_record(name)
  set_parent(record, parent)
  apply_definition(record, definition)
  records[name] = record
  native.changed(affected_by(record), true)
  return record.class
end

---@param name string
---@param definition? table
function classes.module.class(name, definition)
  local done <const>, result <const> = pcall(declare, name, definition)
  if not done then error(result, 2) end
  return result
end

-- }==

-- {== What C asks ==========================================================

-- The settings of a line of classes, the nearest first; own fields of parents come before those of children.
local function gather(record, out)
  if not record then return out end
  gather(record.parent, out)
  for key, value in pairs(record.settings) do
    if settings[key] then
      out.settings[key] = value ~= math.huge and value or nil
    elseif initial[key] then
      out.initial[key] = value
    end
  end
  local names <const> = keys_of(record.settings.fields or {})
  table.sort(names)
  for _, name in ipairs(names) do
    local value <const> = record.settings.fields[name]
    local entry = out.by_name[name]
    if not entry then
      entry = { name = name }
      out.by_name[name] = entry
      out.fields[#out.fields + 1] = entry
    end
    entry.default, entry.keep = value, false
    if getmetatable(value) == Kind then entry.default, entry.keep = value.value, true end
  end
  return out
end

local function own_functions(class)
  local found <const> = {}
  for name in pairs(functions) do
    local f <const> = class[name]
    if f ~= Base[name] then found[name] = f end
  end
  return found
end

local function warn_unknown(name, path)
  local near <const> = did_you_mean(name, keys_of(records))
  local where <const> = path and (" (no class of that name, no %s)"):format(file_of(name, path))
    or " (no class of that name)"
  return ("unknown type '%s'%s%s"):format(name, where, near)
end

-- The flat description of a type, or nil and what is wrong with it.
function classes.describe(name, path, strict)
  local out <const> = { settings = {}, initial = {}, fields = {}, by_name = {}, functions = {} }
  local record, wrong = records[name], nil
  if not record then record, wrong = load_class(name, path) end
  if wrong then return nil, wrong end
  if not record then
    if strict then return nil, warn_unknown(name, path) end
    native.warn(warn_unknown(name, path) .. ": it gets the generic pool")
    return out
  end
  gather(record, out)
  if #out.fields > MAX_FIELDS then
    return nil, ("class '%s' has %d own fields; at most %d fit"):format(name, #out.fields, MAX_FIELDS)
  end
  out.class = record.class
  out.functions = own_functions(record.class)
  if type(out.settings.overflow) == "function" then out.functions.overflow = out.settings.overflow end
  return out
end

function classes.is_a(name, class)
  local wanted <const> = record_of[class] and record_of[class].name or class
  local at = records[name]
  while at do
    if at.name == wanted then return true end
    at = at.parent
  end
  return name == wanted
end

function classes.in_group(name, group)
  local record <const> = records[name]
  return record ~= nil and record.class.group == group
end

function classes.unknown_field(type_name, key, names)
  return ("%s has no field '%s'%s"):format(type_name, key, did_you_mean(key, names))
end

function classes.unknown_option(key)
  local names <const> = { "unknown", "misuse", "path", "seed", "step" }
  return ("unknown option '%s'%s"):format(tostring(key), did_you_mean(tostring(key), names))
end

-- }==

return classes
