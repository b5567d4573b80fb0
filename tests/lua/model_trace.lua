-- Writes the calls of a random game down as Lua, as they are made: what a hook does stands indented under the call that
-- it runs in. For a stock Lua, with its debug library.
local model <const> = require "model"

local names <const>, heard <const> = {}, {}
local count = 0

-- "Toy_3": one name for each life.
local function name_of(value)
  if math.type(value) == "float" then return ("%.9g"):format(value) end
  if type(value) == "string" then return ("%q"):format(value) end
  if type(value) == "function" then return "fn" end
  if type(value) == "table" then
    local parts <const> = {}
    for key, each in pairs(value) do parts[#parts + 1] = ("%s = %s"):format(key, names[each] or tostring(each)) end
    table.sort(parts)
    return "{ " .. table.concat(parts, ", ") .. " }"
  end
  return names[value] or tostring(value)
end

local function line(text)
  if not model.checking then print(("  "):rep(model.inside) .. text) end
end

local function list(...)
  local parts <const> = {}
  for i = 1, select("#", ...) do parts[i] = name_of((select(i, ...))) end
  return table.concat(parts, ", ")
end

local listen -- to all that a value's metatable holds

local function after(first, ...)
  model.inside = model.inside - 1
  if type(first) == "userdata" and not names[first] then
    count = count + 1
    names[first] = tostring(first):match "^%a+" .. "_" .. count
    line("-- " .. names[first])
    listen(first)
  end
  return first, ...
end

-- Every method that is looked up from now on writes itself down, and every field that is set.
function listen(it, name)
  local mt <const> = debug.getmetatable(it)
  if heard[mt] then return end
  heard[mt] = true
  local index <const>, newindex <const> = mt.__index, mt.__newindex
  local function lookup(object, key)
    if type(index) == "table" then return index[key] end
    return index(object, key)
  end
  mt.__index = function(object, key)
    local value <const> = lookup(object, key)
    if type(value) ~= "function" then return value end
    return function(self, ...)
      line(("%s:%s(%s)"):format(names[self] or name or tostring(self), key, list(...)))
      model.inside = model.inside + 1
      return after(value(self, ...))
    end
  end
  mt.__newindex = function(object, key, value)
    line(("%s.%s = %s"):format(names[object] or name or tostring(object), key, name_of(value)))
    newindex(object, key, value)
  end
end

return function()
  local new <const> = model.new
  function model.new()
    local pools <const> = new()
    listen(pools, "pools")
    return pools
  end
end
