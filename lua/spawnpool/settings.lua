-- The settings of a class and their checks, from the rows in C (src/script/bind/rows.c). A check returns nil, or a text
-- that follows the name of the setting: "must be ...".

local native <const> = ...
local callbacks <const> = native.use "spawnpool.callbacks"
local names <const> = native.use "spawnpool.names"

local debug <const> = native.debug()
local show <const>, hint <const>, text_of <const> = names.show, names.hint, names.text

local settings <const> = {}

local MAX_CURVES <const>, MAX_POINTS <const> = native.MAX_CURVES, native.MAX_POINTS

-- {== Checks ===============================================================

-- Each of these takes a row and returns a check.
local makers <const> = {}

local function in_range(is_integer)
  return function(row)
    return function(value)
      if is_integer(value) and value >= row.low and value <= row.high then return nil end
      return string.format("must be an integer from %d to %d, got %s", row.low, row.high, show(value))
    end
  end
end

makers.count = in_range(function(value) return math.type(value) == "integer" end)
makers.layer = in_range(function(value) return type(value) == "number" and math.tointeger(value) end)

function makers.limit(row)
  local check <const> = makers.count(row)
  return function(value)
    local wrong <const> = value ~= math.huge and check(value) or nil
    return wrong and (string.gsub(wrong, ", got", " (or math.huge: none), got"))
  end
end

function makers.word(row)
  local allowed <const> = {}
  for word in string.gmatch(row.words, "%a+") do allowed[word] = true end
  local list <const> = names.of(allowed)
  return function(value)
    if allowed[value] then return nil end
    local near <const> = type(value) == "string" and hint(value, list) or ""
    return string.format("must be one of '%s', got %s%s", table.concat(list, "', '"), show(value), near)
  end
end

function makers.overflow(row)
  local check <const> = makers.word(row)
  return function(value) return not callbacks.is_callable(value) and check(value) or nil end
end

local function number(value)
  if type(value) == "number" and value == value and math.abs(value) <= 3.4e38 then return nil end
  return string.format("must be a finite number, got %s", show(value))
end

-- Returns a check that reports what `check` reports, and `text` for values that it passes and `fits` does not.
local function also(check, fits, text)
  return function(value)
    local wrong <const> = check(value)
    if wrong or fits(value) then return wrong end
    return string.format("%s, got %s", text, show(value))
  end
end

local not_negative <const> = also(number, function(value) return value >= 0 end, "must not be negative")
local positive <const> = also(number, function(value) return value > 0 end, "must be above 0")
local rate <const> = also(positive, function(value) return value <= 1000 end, "must be at most 1000")

local function of_type(name)
  return function(value)
    if type(value) == name then return nil end
    return string.format("must be a %s, got %s", name, show(value))
  end
end

local checks_of

-- A table whose entries have rows of their own.
function makers.record(row)
  local checks <const>, needed <const> = checks_of(row.words)
  local list <const> = names.of(checks)
  return function(value)
    if type(value) ~= "table" then return string.format("must be a table, got %s", show(value)) end
    for _, key in ipairs(names.of(value)) do
      local check <const> = checks[key]
      if not check then return string.format("has no entry '%s'%s", key, hint(key, list)) end
      local wrong <const> = check(rawget(value, key))
      if wrong then return string.format(".%s %s", key, wrong) end
    end
    for key in next, value do
      if type(key) ~= "string" then return string.format("has no entry %s", show(key)) end
    end
    for _, key in ipairs(needed) do
      if rawget(value, key) == nil then return string.format("needs '%s'", key) end
    end
    return nil
  end
end

-- }==

-- {== Settings =============================================================

-- The built-in float fields, which can follow the lifetime.
local curved <const> = {}

local function points(value)
  if type(value) ~= "table" or rawlen(value) < 2 or rawlen(value) > MAX_POINTS then
    return string.format("must list 2 to %d numbers, got %s", MAX_POINTS, show(value))
  end
  for i = 1, rawlen(value) do
    local wrong <const> = number(rawget(value, i))
    if wrong then return wrong end
  end
  return nil
end

local function over_life(value)
  if type(value) ~= "table" then return string.format("must be a table of field = {from, to}, got %s", show(value)) end
  local list <const> = names.of(value)
  if #list > MAX_CURVES then return string.format("has %d entries; at most %d fit", #list, MAX_CURVES) end
  for _, name in ipairs(list) do
    if not curved[name] then
      return string.format("has no entry '%s'%s: built-in number fields can follow a life", name,
        hint(name, names.of(curved)))
    end
    local wrong <const> = points(rawget(value, name))
    if wrong then return string.format(".%s %s", name, wrong) end
  end
  return nil
end

-- Returns the error of the name of a sound: a file in the folder sounds/ of the game, without its ending.
local function sound_name(value)
  if type(value) == "string" and string.match(value, "^[^./\\%z][^/\\%z]*$") and #value <= 200 then return nil end
  return string.format("must be the name of a file in sounds/ without its ending, got %s", show(value))
end

function makers.sound(row)
  local sounds <const> = makers.record(row)
  return function(value) return (type(value) == "table" and sounds or sound_name)(value) end
end

local FRAMES_MOST <const> = 64

local function is_frame(value) return math.type(value) == "integer" and value >= 1 and value <= 65535 end

local function frames(value)
  if math.type(value) == "integer" and value >= 1 and value <= FRAMES_MOST then return nil end
  local list <const> = type(value) == "table" and value or {}
  for i = 1, math.min(rawlen(list), FRAMES_MOST) do
    if not is_frame(rawget(list, i)) then
      return string.format("must list frames, from 1, got %s", show(rawget(list, i)))
    end
  end
  if rawlen(list) >= 1 and rawlen(list) <= FRAMES_MOST then return nil end
  return string.format("must list 1 to %d frames, or be their number, got %s", FRAMES_MOST, show(value))
end

function makers.animation(row)
  local animation <const> = makers.record(row)
  return function(value)
    if value == false or type(value) == "string" and value ~= "" and value ~= "default" then return nil end
    if type(value) == "table" then return animation(value) end
    return string.format("must be the name of an animation of the sheet, or {frames=, fps=, loop=}, got %s",
      show(value))
  end
end

local function path(value)
  if type(value) == "string" and string.find(value, "?", 1, true) and not string.find(value, "\0", 1, true) then
    return nil
  end
  return string.format("must be a file name with a '?' for the type, like \"pools/?.lua\", got %s", show(value))
end

local function step(value)
  if type(value) == "number" and value >= 1e-6 and value <= 1e3 then return nil end
  return string.format("must be seconds per tick, from 1e-6 to 1000, got %s", show(value))
end

local function seed(value)
  if type(value) == "number" and value - value == 0 then return nil end
  return string.format("must be a finite number, got %s", show(value))
end

-- }==

-- {== Fields and methods ===================================================

local Kind <const> = { __name = "spawnpool.field", __metatable = "spawnpool.field" }

local function is_kind(value) return debug.getmetatable(value) == Kind end

local function kind(name)
  return function(value) return setmetatable({ kind = name, value = value }, Kind) end
end

settings.kinds = { keep = kind "keep", live = kind "live", any = kind "any", ref = kind "ref" () }

---@param make fun(object: any): any
function settings.kinds.fresh(make)
  if type(make) ~= "function" then error(string.format("fresh needs a function, got %s", show(make)), 2) end
  return kind "fresh" (make)
end

-- Names that every object has: an own field or method may not use them.
local reserved <const> = { scale_x = true, scale_y = true }
for _, list in ipairs { native.members "object" } do
  for _, name in ipairs(list) do reserved[name] = true end
end

local EXACT <const> = 1 << 53 -- number fields are doubles
local storable <const> = { number = true, boolean = true, string = true }

local function check_own_name(name)
  if type(name) ~= "string" then return string.format("names are strings, got %s", show(name)) end
  if string.find(name, "\0", 1, true) then return string.format("%s has a zero byte in it", show(name)) end
  if reserved[name] then return string.format("'%s' is built in: choose another name", name) end
  return nil
end

local function check_field(name, value)
  local wrong <const> = check_own_name(name)
  if wrong then return wrong end
  local what <const> = is_kind(value) and rawget(value, "kind")
  if what == "any" or what == "fresh" or what == "ref" then return nil end
  if what then value = rawget(value, "value") end
  if math.type(value) == "integer" and (value >= EXACT or value <= -EXACT) then
    return string.format("'%s' is an integer beyond 2^53, which a number field cannot hold exactly: %d", name, value)
  end
  if storable[type(value)] then return nil end
  return string.format("'%s' holds a number, boolean or string, got a %s (any(v) and fresh(fn) hold others)", name,
    type(value))
end

function settings.check_fields(fields)
  if type(fields) ~= "table" then return string.format("must be a table of name = default, got %s", show(fields)) end
  for name, value in next, fields do
    local wrong <const> = check_field(name, value)
    if wrong then return "field " .. wrong end
  end
  return nil
end

function settings.check_methods(methods)
  if type(methods) ~= "table" then return string.format("must be a table of functions, got %s", show(methods)) end
  for name, value in next, methods do
    local wrong = check_own_name(name)
    if not wrong and not callbacks.is_callable(value) then
      wrong = string.format("'%s' must be a function, got %s", name, show(value))
    end
    if wrong then return "method " .. wrong end
  end
  return nil
end

-- Own fields and those of all parents (records of class.lua), each name once.
function settings.check_field_count(name, fields, parent)
  local seen <const> = {}
  local total = 0
  while fields or parent do
    for field in pairs(fields or {}) do
      if not seen[field] then total = total + 1 end
      seen[field] = true
    end
    fields, parent = parent and parent.settings.fields, parent and parent.parent
  end
  if total <= native.MAX_FIELDS then return nil end
  return string.format("class '%s' has %d own fields; at most %d fit", name, total, native.MAX_FIELDS)
end

-- Returns a name that is both a field and a method in these settings, or nil.
function settings.clash_in(line)
  local fields <const>, methods <const> = {}, {}
  for _, part in ipairs(line) do
    for name in pairs(part.fields or {}) do fields[name] = true end
    for name in pairs(part.methods or {}) do methods[name] = true end
  end
  for _, name in ipairs(names.of(methods)) do
    if fields[name] then return name end
  end
  return nil
end

-- Returns the kind and first value of a field in the form that C needs.
function settings.field_of(value)
  if not is_kind(value) then return nil, value end
  return rawget(value, "kind"), rawget(value, "value")
end

-- }==
-- {== Classes ==============================================================

-- Checks that no row changes.
local simple <const> = {
  number = number, not_negative = not_negative, positive = positive, rate = rate, frames = frames,
  string = of_type "string", boolean = of_type "boolean", over_life = over_life, sound_name = sound_name,
  fields = settings.check_fields, methods = settings.check_methods, path = path, step = step, seed = seed,
  any = function() return nil end, -- existing classes are not known here
}

-- Returns name -> check for the rows of an owner, and the names of those without a default.
function checks_of(owner)
  local checks <const>, needed <const> = {}, {}
  for _, row in ipairs(native.rows(owner)) do
    checks[row.name] = simple[row.check] or makers[row.check](row)
    if not row.standard then needed[#needed + 1] = row.name end
  end
  return checks, needed
end

-- Every setting of a class, with its check.
local checks <const> = checks_of "Definition"
settings.checks, settings.check_group = checks, checks.group

-- Returns the names of an owner's rows as keys.
function settings.names_of(owner)
  local set <const> = {}
  for _, row in ipairs(native.rows(owner)) do set[row.name] = true end
  return set
end

settings.functions = settings.names_of "Hooks" -- those that a pool calls

-- Settings that are the first values of fields of objects.
settings.first = {}
for _, row in ipairs(native.rows "Object") do settings.first[row.name] = row.check and true end
for name in next, settings.first do curved[name] = checks[name] == number or nil end

local read_by_name <const> = { extends = true, group = true, fields = true, methods = true }

-- Returns the value of a setting for C, or nil and the current error. A table is copied into plain ones and checked
-- again: the class's own may have changed, and metatables are ignored. nil: a limit that is none, an animation that is
-- not the parent's, what C does not read.
function settings.plain(key, value)
  if read_by_name[key] or value == math.huge or key == "animation" and not value then return nil end
  if type(value) ~= "table" or key == "overflow" then return value end
  local wrong <const> = checks[key](value)
  if wrong then return nil, string.format("%s%s%s", key, string.sub(wrong, 1, 1) == "." and "" or " ", wrong) end
  local copy <const> = {}
  for _, name in ipairs(names.of(value)) do
    local entry <const> = rawget(value, name)
    copy[name] = type(entry) == "table" and table.move(entry, 1, rawlen(entry), 1, {}) or entry
  end
  if key == "animation" and math.type(copy.frames) == "integer" then -- the first so many
    local list <const> = {}
    for i = 1, copy.frames do list[i] = i end
    copy.frames = list
  end
  return copy
end

local function unknown_key(name, key)
  local near <const> = hint(key, names.of(checks, settings.functions))
  return string.format("class '%s' has no setting '%s'%s", name, text_of(key), near)
end

-- Returns the error of one setting of a class, or nil.
local function check_setting(name, key, value)
  local wrong <const> = checks[key](value)
  if not wrong then return nil end
  if string.find(wrong, "^field ") or string.find(wrong, "^method ") then
    return string.format("class '%s': %s", name, wrong)
  end
  return string.format("class '%s': %s%s%s", name, key, string.sub(wrong, 1, 1) == "." and "" or " ", wrong)
end

local hooks <const> = names.of(settings.functions)

-- A function whose name is nearly that of a hook is a mistake, not a helper. Returns the error, or false.
local function slip_of(key)
  local is_hook <const> = string.sub(key, 1, 3) == "on_"
  local near <const>, edits <const> = names.nearest(key, hooks, not is_hook and 1 or nil)
  if near and edits <= 1 and not string.match(key, "%d$") or is_hook then
    return string.format("has no hook '%s'%s", key, near and string.format(" (did you mean '%s'?)", near) or "")
  end
  return false
end

-- Each reload meets the same names again; a program that generates names must not fill the memory.
local slips, slip_count = {}, 0
local SLIPS_MOST <const> = 1000

local function check_function(name, key)
  if type(key) ~= "string" then return nil end
  if slips[key] == nil then
    if slip_count == SLIPS_MOST then slips, slip_count = {}, 0 end
    slips[key], slip_count = slip_of(key), slip_count + 1
  end
  return slips[key] and string.format("class '%s' %s", name, slips[key]) or nil
end

function settings.check_entry(name, key, value)
  if checks[key] then return check_setting(name, key, value) end
  if settings.functions[key] then
    return not callbacks.is_callable(value) and string.format("class '%s': %s must be a function, got %s", name, key,
      show(value)) or nil
  end
  if type(value) == "function" then return check_function(name, key) end
  return unknown_key(name, key)
end

function settings.check_definition(name, definition)
  for key, value in next, definition do
    local wrong <const> = settings.check_entry(name, key, value)
    if wrong then error(wrong, 0) end
  end
end

local option_rows <const>, option_checks <const> = native.rows "Options", checks_of "Options"

-- Returns the options of spawnpool.new in the order of their rows, or nil and an error. A seed becomes an integer:
-- without its fraction or, where it is too large, its bits.
function settings.options(options)
  local values <const> = {}
  for key in next, options do
    if not option_checks[key] then
      return nil, string.format("unknown option '%s'%s", text_of(key), hint(key, names.of(option_checks)))
    end
  end
  for i, row in ipairs(option_rows) do
    local value = rawget(options, row.name)
    local wrong <const> = value ~= nil and option_checks[row.name](value)
    if wrong then return nil, string.format("option '%s' %s", row.name, wrong) end
    if row.name == "seed" and math.type(value) == "float" then
      value = math.tointeger(value < 0 and math.ceil(value) or math.floor(value)) or string.unpack("<i8",
        string.pack("<d", value))
    end
    values[i] = value
  end
  return values
end

-- }==

return settings
