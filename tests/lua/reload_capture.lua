-- Captures: everything that is reachable from some values, as records that a later change does not touch. Two captures
-- of one program show what happened between them; a capture of a running program and one of a fresh load can be
-- compared.
--
-- A capture is { of, cells }. `of[value]` is the record of a table, function or thread:
--   table     { kind, at = its entries, meta = its metatable }; of a class: its settings and functions, its parent as
--             the metatable, and its name as `source`
--   function  { kind, source, first, last = lines, ups = { { name, id }, ... } }; of C: kind "C function", no lines
--   thread    { kind, at = its local variables by name }
-- `cells[id]` is { value, name }: a variable that closures share; `id` is what debug.upvalueid gives.
local capture <const> = {}

-- Walks visit ten thousands of values at each edit: they look for nothing by name, and skip what has no parts early.
local type <const>, next <const>, rawequal <const> = type, next, rawequal
local getmetatable <const>, getupvalue <const> = debug.getmetatable, debug.getupvalue
local getinfo <const>, upvalueid <const> = debug.getinfo, debug.upvalueid

local has_parts <const> = { table = true, ["function"] = true, thread = true }

-- {== Walks ===================================================================

local look_into <const> = {}

function look_into.table(value, seen, add)
  for key, entry in next, value do
    if has_parts[type(key)] and not seen[key] then add(key) end
    if has_parts[type(entry)] and not seen[entry] then add(entry) end
  end
  local meta <const> = getmetatable(value)
  if meta and not seen[meta] then add(meta) end
end

look_into["function"] = function(value, seen, add)
  for i = 1, 255 do
    local name <const>, held <const> = getupvalue(value, i)
    if not name then break end
    if has_parts[type(held)] and not seen[held] then add(held) end
  end
end

-- Calls `enter` once for each table, function and thread that can be reached; it says whether that is to be looked
-- into. What is in the set `opaque` is passed over.
function capture.walk(roots, opaque, enter)
  local seen <const>, work <const> = {}, {}
  local count = 0
  local function add(value)
    if opaque[value] then return end
    seen[value] = true
    if enter(value) and type(value) ~= "thread" then
      count = count + 1
      work[count] = value
    end
  end
  look_into.table(roots, seen, add)
  while count > 0 do
    local value <const> = work[count]
    count = count - 1
    look_into[type(value)](value, seen, add)
  end
end

-- Captures the values that exist before a program is loaded: the standard library, this test, spawnpool. They are not
-- entered, and equal only themselves. `except`: tables that are entered nevertheless.
function capture.baseline(except)
  local set <const> = setmetatable({}, { __mode = "k" })
  capture.walk({ _G, debug.getregistry() }, {}, function(value)
    set[value] = true
    return true
  end)
  for _, value in ipairs(except) do set[value] = nil end
  return set
end

-- }==

-- {== Records =================================================================

-- The table in which a class of the library keeps its entries; nil when the value is none.
function capture.class_entries(value)
  local meta <const> = getmetatable(value)
  return meta and rawget(meta, "__name") == "spawnpool.class" and rawget(meta, "__index") or nil
end

local fill <const> = {}

local function fill_class(it, value, entries, add)
  local parent <const> = entries.super
  it.source, it.at = tostring(value), {}
  for key, entry in next, entries do
    if key ~= "super" then
      it.at[key] = entry
      if has_parts[type(entry)] then add(entry) end
    end
  end
  it.meta = capture.class_entries(parent) and parent or nil
  if it.meta then add(parent) end
end

function fill.table(it, value, add)
  local entries <const> = capture.class_entries(value)
  if entries then return fill_class(it, value, entries, add) end
  local at <const>, meta <const> = {}, getmetatable(value)
  for key, entry in next, value do
    at[key] = entry
    if has_parts[type(key)] then add(key) end
    if has_parts[type(entry)] then add(entry) end
  end
  it.at, it.meta = at, meta
  if meta then add(meta) end
end

fill["function"] = function(it, value, add, cells)
  local info <const> = getinfo(value, "S")
  if info.what == "C" then it.kind = "C function" end
  it.source, it.first, it.last = info.source, info.linedefined, info.lastlinedefined
  it.ups = {}
  for i = 1, it.kind == "function" and 255 or 0 do
    local name <const>, held <const> = getupvalue(value, i)
    if not name then break end
    local id <const> = upvalueid(value, i)
    it.ups[i] = { name = name, id = id }
    cells[id] = cells[id] or { value = held, name = name }
    if has_parts[type(held)] then add(held) end
  end
end

function fill.thread(it, value, add)
  it.at = {}
  for level = 0, 99 do
    if not getinfo(value, level, "l") then break end
    for i = 1, 255 do
      local name <const>, held <const> = debug.getlocal(value, level, i)
      if not name then break end
      it.at[("%d.%d %s"):format(level, i, name)] = held
      if has_parts[type(held)] then add(held) end
    end
  end
end

-- `opaque`: a set of values that are not looked into.
function capture.take(roots, opaque)
  local of <const>, cells <const>, work <const> = {}, {}, {}
  local count = 0
  local function add(value)
    if of[value] or opaque[value] then return end
    of[value] = { kind = type(value) }
    count = count + 1
    work[count] = value
  end
  for _, root in ipairs(roots) do
    if has_parts[type(root)] then add(root) end
  end
  while count > 0 do
    local value <const> = work[count]
    count = count - 1
    fill[type(value)](of[value], value, add, cells)
  end
  return { of = of, cells = cells }
end

-- }==

-- Equal bit for bit, as far as a program can tell: 1 is not 1.0, 0.0 is not -0.0, NaN is NaN.
function capture.identical(a, b)
  if a ~= a or b ~= b then return a ~= a and b ~= b end
  return rawequal(a, b) and math.type(a) == math.type(b) and (a ~= 0.0 or 1 / a == 1 / b)
end

return capture
