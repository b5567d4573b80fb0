-- Formats values for the console: tables with their entries, in a fixed order, read without metamethods.

local native <const> = ...
local names <const> = native.use "spawnpool.names"

local debug <const> = native.debug()

local shown <const> = {}

local DEEPEST <const> = 3 -- tables inside each other
local ENTRIES <const> = 20 -- entries shown of one table
local LONGEST <const> = 2000 -- bytes of a formatted value

local function key_of(key)
  if type(key) == "string" and key:match "^[%a_][%w_]*$" then return key end
  return "[" .. names.show(key) .. "]"
end

-- Formats the list part first, then the other entries by name.
local function sorted_keys(t)
  local keys <const>, length <const> = {}, rawlen(t)
  for key in next, t do
    if math.type(key) ~= "integer" or key < 1 or key > length then keys[#keys + 1] = key end
  end
  local texts <const> = {}
  for _, key in ipairs(keys) do texts[key] = key_of(key) end
  table.sort(keys, function(a, b) return texts[a] < texts[b] end)
  return keys, texts
end

local show

local function show_entries(t, depth)
  local parts <const>, count = {}, 0
  local function add(prefix, value)
    count = count + 1
    if count <= ENTRIES then parts[count] = prefix .. show(value, depth + 1) end
  end
  for i = 1, rawlen(t) do add("", rawget(t, i)) end
  local keys <const>, texts <const> = sorted_keys(t)
  for _, key in ipairs(keys) do add(texts[key] .. " = ", rawget(t, key)) end
  if count > ENTRIES then parts[ENTRIES + 1] = ("... %d more"):format(count - ENTRIES) end
  return #parts == 0 and "{}" or "{ " .. table.concat(parts, ", ") .. " }"
end

-- Formats tables with a metatable as tostring does.
function show(value, depth)
  if type(value) == "table" and debug.getmetatable(value) == nil then
    if depth > DEEPEST then return "{...}" end
    return show_entries(value, depth)
  end
  if depth > 1 then return names.show(value) end
  return tostring(value)
end

function shown.text(value)
  local text <const> = show(value, 1)
  if #text <= LONGEST then return text end
  return text:sub(1, LONGEST) .. " ..."
end

return shown
