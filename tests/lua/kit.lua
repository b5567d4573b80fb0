-- Shared parts of the specs: managers, logs, invariants, and which line an error blames.
local spec <const> = require "spec"
local spawnpool <const> = require "spawnpool"

local kit <const> = {}

-- One tick of a test manager: a power of two, so that times can be compared exactly.
kit.STEP = 1 / 64

-- A manager with that step, closed at the end of the state at the latest.
function kit.new(options)
  local all <const> = { step = kit.STEP }
  for key, value in pairs(options or {}) do all[key] = value end
  return spawnpool.new(all)
end

function kit.tick(pools, ticks)
  for _ = 1, ticks or 1 do pools:update(kit.STEP) end
end

-- Returns the definitions of number fields: f3 = 3, f4 = 4.
function kit.fields(first, last)
  local fields <const> = {}
  for i = first, last do fields["f" .. i] = i end
  return fields
end

-- A list of words and the function that adds one, "spawn 1": log "spawn", object.id.
function kit.log()
  local words <const> = {}
  local function add(...)
    local parts <const> = table.pack(...)
    for i = 1, parts.n do parts[i] = tostring(parts[i]) end
    words[#words + 1] = table.concat(parts, " ")
  end
  -- Returns the entries since the last call, as "a 1, b 2".
  local function take()
    local text <const> = table.concat(words, ", ")
    for i = #words, 1, -1 do words[i] = nil end
    return text
  end
  return add, take
end

-- Collects what the library warns about while `fn` runs.
function kit.warnings(fn)
  local said <const>, before <const> = {}, warn
  _G.warn = function(text) said[#said + 1] = text end
  local ok <const>, message <const> = pcall(fn)
  _G.warn = before
  if not ok then error(message, 0) end
  return said
end

-- Rows { code, text, values }: the code, a statement or an expression, must raise an error that names its line and has
-- `text` in it. "$" at the end of the text is the end of the error. The code is run with each of `values` as its
-- variable V, or once; its other variables are those of `variables`.
function kit.refuses(variables, rows)
  for _, row in ipairs(rows) do
    local code <const>, want <const>, values <const> = row[1], row[2], row[3] or { n = 1 }
    local chunk <const> = load("\n\nlocal _ = " .. code, "=row", "t", variables)
      or assert(load("\n\n" .. code, "=row", "t", variables))
    for i = 1, values.n or #values do
      variables.V = values[i]
      local ok <const>, message <const> = pcall(chunk)
      local found <const> = not ok and (tostring(message) .. "$"):find(want, 1, true)
      if not found or not message:find "^row:3: " then
        local outcome <const> = ok and "no error" or tostring(message)
        error(("%s with %s: %s, expected %q at its line"):format(code, values[i], outcome, want), 2)
      end
    end
  end
end

-- A test with a manager of its own, and with `definition` a class Cube, which `body(pools, Cube)` gets.
function kit.test(name, definition, body)
  if not body then definition, body = nil, definition end
  spec.test(name, function()
    local pools <const> = kit.new()
    body(pools, definition and spawnpool.class("Cube", definition))
    -- A repeatable state collects when it wants to.
    spec.equal(spec.is_slow or collectgarbage "isrunning", true, "the collector is running")
  end, 2)
end

local function heap()
  collectgarbage()
  collectgarbage()
  return collectgarbage "count" * 1024
end

-- Lua's heap stays as large as it is after 20 rounds.
function kit.leaves_no_memory(round)
  for _ = 1, 20 do round() end
  local before <const> = heap()
  for _ = 1, 40 do round() end
  local grown <const> = heap() - before
  spec.equal(grown < 8192, true, "grew by " .. grown)
end

-- A table that the library keeps in the registry, known by one of its keys.
function kit.kept(key)
  for _, value in pairs(debug.getregistry()) do
    if type(value) == "table" and rawget(value, key) then return value end
  end
  error("the library keeps no table with " .. key)
end

-- Returns the keys of one set that another set lacks, as one text.
function kit.only_in(names, others)
  local list <const> = {}
  for name in pairs(names) do
    if not others[name] then list[#list + 1] = name end
  end
  table.sort(list)
  return table.concat(list, ", ")
end

return kit
