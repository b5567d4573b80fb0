-- Classes that a host adds to the library. A game may declare a class of such a name: its settings and fields replace
-- the defaults here, one by one.

local native <const> = ...

local builtin <const> = {}

-- A voice is an object: it plays a sound for as long as it lives.
local voice <const> = {
  name = "Voice",
  settings = {
    limit = 32, overflow = "oldest", visible = false,
    fields = { sound = "", volume = 1.0, pan = 0.0, loop = false },
  },
}

-- Returns the record of a class with its defaults, as class.lua has records; nil when the host has no such class.
function builtin.find(name)
  return name == voice.name and native.has_sound() and voice or nil
end

-- Returns the error of a field that C reads: its default has another type, or it is a kind without a plain value; or
-- nil.
function builtin.check_field(name, field, kind, default)
  local record <const> = builtin.find(name)
  local first
  if record then first = record.settings.fields[field] end
  local is_plain <const> = kind == nil or kind == "keep" or kind == "live"
  if first == nil or is_plain and type(default) == type(first) then return nil end
  return ("class '%s': field '%s' is built in and holds a %s"):format(name, field, type(first))
end

return builtin
