-- Flattens a class and its parents into one description, from which C creates a pool.

local native <const> = ...
local names <const> = native.use "spawnpool.names"
local settings <const> = native.use "spawnpool.settings"

local description <const> = {}

-- {== Classes of the host ==================================================

-- A game may declare a class of such a name: its settings and fields replace the defaults here, one by one. A voice is
-- an object: it plays a sound for as long as it lives.
local voice <const> = {
  name = "Voice",
  settings = {
    limit = 32, overflow = "oldest", visible = false,
    fields = { sound = "", volume = 1.0, pan = 0.0, loop = false },
  },
}

-- Returns the record of such a class, as class.lua has records; nil when the host has none of this name.
local function of_host(name) return name == voice.name and native.has_sound() and voice or nil end

-- Returns the error of a field that C reads: its default has another type, or it is a kind without a plain value; or
-- nil.
local function check_field(name, field, kind, default)
  local record <const> = of_host(name)
  local first
  if record then first = record.settings.fields[field] end
  local is_plain <const> = kind == nil or kind == "keep" or kind == "live"
  if first == nil or is_plain and type(default) == type(first) then return nil end
  return string.format("class '%s': field '%s' is built in and holds a %s", name, field, type(first))
end

-- }==

local function gather_fields(record, out)
  for _, name in ipairs(names.of(record.settings.fields or {})) do
    local kind <const>, default <const> = settings.field_of(rawget(record.settings.fields, name))
    local wrong <const> = check_field(record.name, name, kind, default)
    if wrong then error(wrong, 0) end
    local entry = out.by_name[name]
    if not entry then
      entry = { name = name }
      out.by_name[name] = entry
      out.fields[#out.fields + 1] = entry
    end
    entry.kind, entry.default = kind, default
  end
end

-- Adds the settings of one class. Tables that it was given may have changed since it was declared, so they are checked
-- again; raises an error.
local function add(record, out)
  for key, value in next, record.settings do
    local plain <const>, wrong <const> = settings.plain(key, value)
    if wrong then error(string.format("class '%s': %s", record.name, wrong), 0) end
    out.settings[key] = plain
  end
  gather_fields(record, out)
  for name, method in next, record.settings.methods or {} do out.methods[name] = method end
end

-- Collects the settings of a chain of classes, parents first, so that children override them.
local function gather(record, out)
  if not record then return out end
  gather(record.parent, out)
  local defaults <const> = of_host(record.name)
  if defaults then add(defaults, out) end
  add(record, out)
  return out
end

local function own_functions(class, base)
  local found <const> = {}
  for name in next, settings.functions do
    local f <const> = class[name]
    if f ~= base[name] then found[name] = f end
  end
  return found
end

function description.empty()
  return { settings = {}, fields = {}, by_name = {}, functions = {}, methods = {} }
end

-- Describes a built-in class of the host that is not declared; nil when there is none.
function description.of_builtin(name)
  local record <const> = of_host(name)
  if not record then return nil end
  local out <const> = description.empty()
  add(record, out)
  return out
end

local scaled <const> = {} -- type -> true: its objects use scale_x or scale_y

-- Gives every description of a type the fields scale_x and scale_y from now on.
function description.scale(name, on) scaled[name] = on end
function description.is_scaled(name) return scaled[name] end

-- Adds these two fields, last of all, when a class sets or bends one of them, or an object was given one.
function description.add_scales(name, out)
  local set <const>, bent <const> = out.settings, out.settings.over_life or {}
  if not (scaled[name] or set.scale_x or set.scale_y or bent.scale_x or bent.scale_y) then return out end
  for _, field in ipairs { "scale_x", "scale_y" } do
    out.fields[#out.fields + 1] = { name = field, kind = "float", default = set[field] or 1.0 }
  end
  return out
end

-- Describes the record of a class, or returns nil and the error. `base` is `super` of a class without `extends`.
function description.of(record, base)
  local out <const> = gather(record, description.empty())
  if out.settings.animation then
    for _, name in ipairs { "animation", "frame" } do
      if out.by_name[name] or out.methods[name] then
        return nil, string.format("class '%s': '%s' is built in, for its animation: choose another name", record.name,
          name)
      end
      out.fields[#out.fields + 1] = { name = name, kind = name, default = 0 }
    end
  end
  description.add_scales(record.name, out)
  if #out.fields > native.MAX_FIELDS then
    return nil, string.format("class '%s' has %d own fields; at most %d fit", record.name, #out.fields,
      native.MAX_FIELDS)
  end
  for method in next, out.methods do
    if out.by_name[method] then
      return nil, string.format("class '%s': '%s' is both a field and a method", record.name, method)
    end
  end
  out.class = record.class
  out.functions = own_functions(record.class, base)
  if type(out.settings.overflow) ~= "string" then out.functions.overflow = out.settings.overflow end
  return out
end

return description
