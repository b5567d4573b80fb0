-- Places of the game's state, as native.changes lists them: a thing and a key. The thing is a table, and the key that
-- of an entry or METATABLE; or a function, and the key the number of a variable.

local native <const> = ...

local debug <const> = native.debug()
local getupvalue <const>, setupvalue <const> = debug.getupvalue, debug.setupvalue
local rawget <const>, rawset <const>, next <const> = rawget, rawset, next

local METATABLE <const>, NOTHING <const> = native.places()
local places <const> = { METATABLE = METATABLE, NOTHING = NOTHING }

function places.is_plain(value)
  local kind <const> = type(value)
  return kind == "number" or kind == "string" or kind == "boolean"
end

local function by_type_and_value(a, b)
  if type(a) ~= type(b) then return type(a) < type(b) end
  if type(a) == "boolean" then return b and not a end
  return a < b
end

-- Returns the keys of a table that have an order, in it; and the others.
function places.sorted_keys(t)
  local keys <const>, others <const> = {}, {}
  for key in next, t do
    local list <const> = places.is_plain(key) and keys or others
    list[#list + 1] = key
  end
  table.sort(keys, by_type_and_value)
  return keys, others
end

local function is_index(key) return math.type(key) == "integer" and key >= 1 end
places.is_index = is_index

-- Returns the integer keys of a table where they are a list, without holes; else nil.
function places.list_part(t)
  local list <const> = {}
  local n = 0
  for key in next, t do
    if is_index(key) then n = n + 1 end
  end
  for i = 1, n do
    list[i] = rawget(t, i)
    if list[i] == nil then return nil end
  end
  return list
end

-- Returns the elements of list a that list b lacks.
function places.surplus(a, b)
  local count <const>, list <const> = {}, {}
  for _, v in ipairs(b) do
    if v == v then count[v] = (count[v] or 0) + 1 end
  end
  for _, v in ipairs(a) do
    if (count[v] or 0) > 0 then count[v] = count[v] - 1 else list[#list + 1] = v end
  end
  return list
end

-- Returns what a place holds.
function places.get(thing, key)
  if type(thing) == "function" then return (select(2, getupvalue(thing, key))) end
  if rawequal(key, METATABLE) then return debug.getmetatable(thing) end
  return rawget(thing, key)
end

function places.set(thing, key, value)
  if type(thing) == "function" then
    setupvalue(thing, key, value)
  elseif rawequal(key, METATABLE) then
    debug.setmetatable(thing, value)
  elseif value ~= nil or rawget(thing, key) ~= nil then
    rawset(thing, key, value)
  end
end

-- Makes these the elements of a table.
function places.set_list(t, list)
  for key in next, t do
    if is_index(key) and list[key] == nil then t[key] = nil end
  end
  for i, value in next, list do rawset(t, i, value) end
end

return places
