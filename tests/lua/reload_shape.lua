-- The shape of a file: all that its class or module says, as one text, functions by their bytecode. Two shapes tell
-- which version of a file is in force. `expected` gets the shape of a text without the library: it runs the text with a
-- `spawnpool` that only writes down what is declared.
local spawnpool <const> = require "spawnpool"

local shape <const> = {}
local PATIENCE <const> = 1000000 -- instructions that a text may run at file scope

local function is_class_file(file)
  return file:match "^pools/(%w+)%.lua$"
end

-- {== Values as text ==========================================================

local describe

local function describe_table(t, inside)
  if inside[t] then return "a table around it" end
  inside[t] = true
  local parts <const> = {}
  for key, value in pairs(t) do
    if key ~= "super" then parts[#parts + 1] = ("%s = %s"):format(key, describe(value, inside)) end
  end
  table.sort(parts)
  inside[t] = nil
  return "{" .. table.concat(parts, ", ") .. "}"
end

function describe(value, inside)
  if type(value) == "table" then return describe_table(value, inside) end
  if type(value) ~= "function" then return ("%s %s"):format(math.type(value) or type(value), value) end
  local ok <const>, code <const> = pcall(string.dump, value, true)
  return ok and code or "a function in C"
end

-- }==

-- {== What is in force ========================================================

function shape.value_of(file)
  local class <const> = is_class_file(file)
  if class then return spawnpool.class(class) end
  return package.loaded[file:match "^(%w+)%.lua$"]
end

function shape.in_force(file)
  return describe(shape.value_of(file), {})
end

-- }==

-- {== What a text would be ====================================================

-- The file reads other modules; what it does to a copy stays there.
local function copy_of(value)
  if type(value) ~= "table" then return value end
  local copy <const> = {}
  for key, inner in pairs(value) do copy[key] = copy_of(inner) end
  return copy
end

-- A `spawnpool` whose classes are plain tables in `declared`. A class declared again keeps its functions.
local function recorder(declared)
  local function class(name, definition)
    local it <const> = declared[name] or { super = { alloc = error, recycle = error } }
    for key, value in pairs(definition and it or {}) do
      if type(value) ~= "function" and key ~= "super" then it[key] = nil end
    end
    for key, value in pairs(definition or {}) do it[key] = value end
    declared[name] = it
    return it
  end
  return setmetatable({ class = class }, { __index = spawnpool })
end

local function environment(declared)
  local fake <const> = recorder(declared)
  local function fake_require(name)
    if name == "spawnpool" then return fake end
    local ok <const>, value <const> = pcall(require, name)
    if not ok then error(value, 2) end
    return copy_of(value)
  end
  return setmetatable({ require = fake_require }, { __index = _G })
end

-- Runs a chunk that may loop.
local function run(chunk)
  local body <const> = coroutine.create(chunk)
  debug.sethook(body, function() error("it does not come back", 2) end, "", PATIENCE)
  return coroutine.resume(body)
end

-- What the class or module would be as a table, or nil and why there is none.
function shape.expected_value(file, text)
  local declared <const> = {}
  local chunk <const>, message <const> = load(text, "@" .. file, "t", environment(declared))
  if not chunk then return nil, message end
  local ok <const>, result <const> = run(chunk)
  if not ok then return nil, tostring(result) end
  local class <const> = is_class_file(file)
  if class then return declared[class], "declares no class of its name" end
  return result, "returns nothing"
end

-- The text's shape, or nil and why it can have none.
function shape.expected(file, text)
  local value <const>, why <const> = shape.expected_value(file, text)
  if value == nil then return nil, why end
  return describe(value, {})
end

local function count_functions(t)
  local count = 0
  for key, value in pairs(t) do
    if type(value) == "function" then count = count + 1 end
  end
  return count
end

-- Whether a text would give its class or module functions later, while it is in use: what is in force is then its own
-- doing. An edit brings that about when it puts one function into another.
function shape.changes_itself(file, text)
  local value <const> = shape.expected_value(file, text)
  if type(value) ~= "table" then return false end
  local _, written <const> = text:gsub("function%s+%w+[.:]%w", "")
  return written ~= count_functions(value)
end

-- A function that says whether a field may change its value when one text takes the place of another.
function shape.changed_fields(file, old_text, new_text)
  local old <const>, new <const> = shape.expected_value(file, old_text), shape.expected_value(file, new_text)
  if not is_class_file(file) or not old or not new then
    return function() return false end
  end
  if old.extends ~= new.extends or type(new.fields or {}) ~= "table" then
    return function() return true end
  end
  return function(field)
    local before <const>, after <const> = (old.fields or {})[field], (new.fields or {})[field]
    return describe(before, {}) ~= describe(after, {})
  end
end

-- }==

return shape
