-- Lists the members of a value, for completion in the console and for hints of errors. Tables are read raw, so that no
-- code of the game runs.

local native <const> = ...
local classes <const> = native.use "spawnpool.class"

local debug <const> = native.debug()

local members <const> = {}

local DEEPEST <const> = 20 -- tables whose __index chain is followed

-- The owners of fields that are no entries of a table.
local OWNERS <const> = { manager = "Manager", pool = "Pool" }

local function index_of(value)
  local meta <const> = debug.getmetatable(value)
  return type(meta) == "table" and rawget(meta, "__index") or nil
end

-- All entries of a table, and of those on its __index chain.
local function entries(value)
  local found <const> = {}
  for _ = 1, DEEPEST do
    if type(value) ~= "table" then break end
    local is_class <const> = classes.is_class(value)
    for key, entry in next, is_class and index_of(value) or value do
      if found[key] == nil then found[key] = entry end
    end
    value = is_class and found.super or index_of(value)
    if is_class then found.super = nil end
  end
  return found
end

local function is_name(key) return type(key) == "string" and string.match(key, "^[%a_][%w_]*$") ~= nil end

local function names_in(found, functions_only)
  local list <const> = {}
  for key, entry in next, found do
    if is_name(key) and (not functions_only or type(entry) == "function") then list[#list + 1] = key end
  end
  return list
end

local function joined(...)
  local out <const> = {}
  for _, list in ipairs { ... } do table.move(list, 1, #list, #out + 1, out) end
  return out
end

-- Returns the names that may follow a "manager", a "pool" or an "object", of this pool or of any; with `methods_only`
-- those that may be called on it.
function members.names_of_kind(kind, methods_only, pool)
  local fields <const>, methods <const> = native.members(kind, pool)
  if methods_only then return methods end
  for _, row in ipairs(OWNERS[kind] and native.rows(OWNERS[kind]) or {}) do fields[#fields + 1] = row.name end
  return joined(fields, methods)
end

-- Returns the same names for a value.
function members.names(value, methods_only)
  if type(value) == "string" then return names_in(string) end
  if type(value) == "table" then return names_in(entries(value), methods_only) end
  local kind <const> = native.kind(value)
  if not kind then return {} end
  return members.names_of_kind(kind, methods_only, kind == "object" and value.pool or nil)
end

-- Returns value[key], nil when it is unknown.
function members.get(value, key)
  if type(value) == "table" then return entries(value)[key] end
  if type(value) == "string" then return string[key] end
  if not native.kind(value) then return nil end
  local done <const>, got <const> = pcall(function() return value[key] end)
  if done then return got end
  return nil
end

return members
