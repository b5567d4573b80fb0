-- Lua values as JSON text, keys sorted so that two files can be compared line by line; and such text as values again.

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

-- The value of a text that json.encode made. No string in it contains a quote, so that strings can be set aside while
-- the brackets and colons become those of a table in Lua. null becomes nil. Raises an error for any other text.
function json.decode(text)
  local strings <const> = {}
  local code <const> = text:gsub('"([^"]*)"', function(inner)
    strings[#strings + 1] = '"' .. inner:gsub("\\u(%x%x%x%x)", "\\u{%1}") .. '"'
    return ("\1%d\1"):format(#strings)
  end):gsub("%[", "{"):gsub("%]", "}"):gsub("(\1%d+\1):", "[%1]="):gsub("null", "nil")
    :gsub("\1(%d+)\1", function(number) return strings[tonumber(number)] end)
  return assert(load("return " .. code, "=json", "t", {}))()
end

return json
