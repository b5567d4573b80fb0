-- Failures that the oracle of reloads reports: a kind, of one word, and a text with the path to it.
local failures <const> = {}

function failures.show(value)
  if type(value) == "function" then
    local info <const> = debug.getinfo(value, "S")
    return info.what == "C" and tostring(value) or ("function of %s:%d"):format(info.short_src, info.linedefined)
  end
  if math.type(value) == "float" then return ("%.17g (float)"):format(value) end
  if type(value) == "table" then return ("table %p"):format(value) end
  return type(value) == "string" and ("%q"):format(value) or tostring(value)
end

local function path_of(item)
  local parts <const> = {}
  while item do
    table.insert(parts, 1, type(item.key) == "string" and item.key or failures.show(item.key))
    item = item.from
  end
  return table.concat(parts, ".")
end

-- `kind` is one word: a failure that is made shorter must stay of the same kind.
function failures.fail(kind, item, format, ...)
  local values <const> = table.pack(...)
  for i = 1, values.n do
    if type(values[i]) ~= "string" or values[i]:find "[%c]" then values[i] = failures.show(values[i]) end
  end
  local text <const> = format:format(table.unpack(values, 1, values.n))
  error({ kind = kind, text = ("%s: %s: %s"):format(kind, item and path_of(item) or "program", text) }, 0)
end

-- A value that no file of the project has made.
function failures.name_of(value)
  return ("something of the game (%s)"):format(failures.show(value))
end

return failures
