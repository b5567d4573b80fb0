-- Places of the game's state: { holder, key }, an entry of a table, its METATABLE, or all its integer keys as one LIST;
-- { key = CELL, cell = { f, i, name } }, a variable of a function.

local native <const> = ...

local debug <const> = native.debug()
local getupvalue <const>, setupvalue <const> = debug.getupvalue, debug.setupvalue
local rawget <const>, rawset <const>, next <const> = rawget, rawset, next

local METATABLE <const>, LIST <const>, CELL <const> = native.places()
local places <const> = { METATABLE = METATABLE, LIST = LIST, CELL = CELL }

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

-- Returns the integer keys of a table with their values.
local function indices(t)
  local part <const> = {}
  for key, value in next, t do
    if is_index(key) then part[key] = value end
  end
  return part
end
places.indices = indices

-- Returns the same where they are a list, without holes; else nil.
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
function places.get(place)
  local key <const> = place.key
  if key == CELL then return (select(2, getupvalue(place.cell.f, place.cell.i))) end
  if key == METATABLE then return debug.getmetatable(place.holder) end
  if key == LIST then return indices(place.holder) end
  return rawget(place.holder, key)
end

function places.set_list(t, part)
  for key in next, t do
    if is_index(key) and part[key] == nil then t[key] = nil end
  end
  for key, value in next, part do rawset(t, key, value) end
end

function places.set(place, value)
  local holder <const>, key <const> = place.holder, place.key
  if key == CELL then
    setupvalue(place.cell.f, place.cell.i, value)
  elseif key == METATABLE then
    debug.setmetatable(holder, value)
  elseif key == LIST then
    places.set_list(holder, value)
  elseif value ~= nil or rawget(holder, key) ~= nil then
    rawset(holder, key, value)
  end
end

return places
