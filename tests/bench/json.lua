-- Lua values as JSON text, keys sorted so that two files can be compared line by line; and such text as values.

local json <const> = {}

local function quote(text)
  return '"' .. text:gsub('[%c"\\]', function(c)
    return ("\\u%04x"):format(c:byte())
  end) .. '"'
end

local function encode(value, indent)
  if type(value) == "string" then return quote(value) end
  if type(value) == "number" then
    local finite <const> = value == value and math.abs(value) < math.huge
    return finite and ("%.6g"):format(value) or "null"
  end
  if type(value) ~= "table" then return tostring(value) end
  local inner <const>, parts <const> = indent .. " ", {}
  if #value > 0 then
    for i, item in ipairs(value) do parts[i] = encode(item, inner) end
    local flat <const> = type(value[1]) ~= "table"
    if flat then return "[" .. table.concat(parts, ", ") .. "]" end
    return "[\n" .. inner .. table.concat(parts, ",\n" .. inner) .. "\n" .. indent .. "]"
  end
  local keys <const> = {}
  for key in pairs(value) do keys[#keys + 1] = key end
  table.sort(keys)
  for i, key in ipairs(keys) do parts[i] = quote(key) .. ": " .. encode(value[key], inner) end
  return "{" .. table.concat(parts, ", ") .. "}"
end

function json.encode(value)
  return encode(value, "")
end

-- {== Reading ================================================================

local read_value -- text, position -> value, position after it

local ESCAPES <const> = { b = "\b", f = "\f", n = "\n", r = "\r", t = "\t" }

-- Where the text ends: at the first quote without a backslash before it.
local function find_end(text, at)
  repeat
    at = text:find('[\\"]', at)
    if not at or text:sub(at, at) == '"' then return at end
    at = at + 2
  until false
end

local function read_text(text, at)
  local last <const> = assert(find_end(text, at), "a text has no end")
  local plain <const> = text:sub(at, last - 1):gsub("\\(.)(%x?%x?%x?%x?)", function(c, digits)
    return c == "u" and utf8.char(tonumber(digits, 16)) or (ESCAPES[c] or c) .. digits
  end)
  return plain, last + 1
end

-- The position of what comes next, and its first character.
local function skip(text, at)
  at = text:find("%S", at) or #text + 1
  return at, text:sub(at, at)
end

-- Calls item(position), which returns the position after the item, until `close` comes.
local function read_list(text, at, close, item)
  local c
  at, c = skip(text, at)
  if c == close then return at + 1 end
  repeat
    at, c = skip(text, item(at))
    at = at + 1
  until c ~= ","
  assert(c == close, "a comma or an end is missing")
  return at
end

local function read_array(text, at)
  local list <const> = {}
  return list, read_list(text, at, "]", function(from)
    local value <const>, after <const> = read_value(text, from)
    list[#list + 1] = value
    return after
  end)
end

local function read_object(text, at)
  local object <const> = {}
  return object, read_list(text, at, "}", function(from)
    local key <const>, colon <const> = read_value(text, from)
    local value <const>, after <const> = read_value(text, assert(text:match("^%s*:()", colon), "no colon"))
    object[key] = value
    return after
  end)
end

local WORDS <const> = { ["true"] = true, ["false"] = false }

function read_value(text, at)
  local c
  at, c = skip(text, at)
  if c == '"' then return read_text(text, at + 1) end
  if c == "[" then return read_array(text, at + 1) end
  if c == "{" then return read_object(text, at + 1) end
  local word <const> = text:match("^[%w.+-]+", at) or ""
  local value = tonumber(word)
  if value == nil then value = WORDS[word] end
  assert(value ~= nil or word == "null", "no value: " .. text:sub(at, at + 20))
  return value, at + #word
end

-- null becomes nil. Raises an error when `text` is no JSON.
function json.decode(text)
  local value <const> = read_value(text, 1)
  return value
end

-- }==

return json
