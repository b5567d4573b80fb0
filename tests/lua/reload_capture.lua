-- Captures: everything that is reachable from some values, as records that a later change does not touch. Two captures
-- of one program show what happened between them; a capture of a running program and one of a fresh load can be
-- compared.
--
-- A capture is { of, cells }. `of[value]` is the record of a table, function or thread:
--   table     { kind, at = its entries, meta = its metatable }
--   function  { kind, source, first, last = lines, ups = { { name, id }, ... } }; of C: kind "C function", no lines
--   thread    { kind, at = its local variables by name }
-- `cells[id]` is { value, name }: a variable that closures share; `id` is what debug.upvalueid gives.
local capture <const> = {}

-- {== Walks ===================================================================

local is_walked <const> = { table = true, ["function"] = true, thread = true }

local look_into <const> = {}

function look_into.table(value, add)
  for key, entry in next, value do
    if is_walked[type(key)] then add(key) end
    if is_walked[type(entry)] then add(entry) end
  end
  add(debug.getmetatable(value))
end

look_into["function"] = function(value, add)
  for i = 1, 255 do
    local name <const>, held <const> = debug.getupvalue(value, i)
    if not name then break end
    add(held)
  end
end

-- Calls `enter` once for each table, function and thread that can be reached; it says whether that is to be looked
-- into. What is in the set `opaque` is passed over.
function capture.walk(roots, opaque, enter)
  local seen <const>, work <const> = {}, {}
  local function add(value)
    if not is_walked[type(value)] or seen[value] or opaque[value] then return end
    seen[value] = true
    if enter(value) and look_into[type(value)] then work[#work + 1] = value end
  end
  for _, root in ipairs(roots) do add(root) end
  while #work > 0 do
    local value <const> = table.remove(work)
    look_into[type(value)](value, add)
  end
end

-- What exists before a program is loaded: the standard library, this test, spawnpool. It is not looked into, and is
-- equal only to itself. `except`: tables that are looked into nevertheless.
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

local fill <const> = {}

function fill.table(it, value, add)
  local at <const> = {}
  for key, entry in next, value do
    at[key] = entry
    add(key)
    add(entry)
  end
  it.at, it.meta = at, debug.getmetatable(value)
  add(it.meta)
end

fill["function"] = function(it, value, add, cells)
  local info <const> = debug.getinfo(value, "S")
  if info.what == "C" then it.kind = "C function" end
  it.source, it.first, it.last = info.source, info.linedefined, info.lastlinedefined
  it.ups = {}
  for i = 1, it.kind == "function" and 255 or 0 do
    local name <const>, held <const> = debug.getupvalue(value, i)
    if not name then break end
    local id <const> = debug.upvalueid(value, i)
    it.ups[i] = { name = name, id = id }
    cells[id] = cells[id] or { value = held, name = name }
    add(held)
  end
end

function fill.thread(it, value, add)
  it.at = {}
  for level = 0, 99 do
    if not debug.getinfo(value, level, "l") then break end
    for i = 1, 255 do
      local name <const>, held <const> = debug.getlocal(value, level, i)
      if not name then break end
      it.at[("%d.%d %s"):format(level, i, name)] = held
      add(held)
    end
  end
end

-- `opaque`: a set of values that are not looked into.
function capture.take(roots, opaque)
  local of <const>, cells <const>, work <const> = {}, {}, {}
  local function add(value)
    if fill[type(value)] and not of[value] and not opaque[value] then
      of[value] = { kind = type(value) }
      work[#work + 1] = value
    end
  end
  for _, root in ipairs(roots) do add(root) end
  while #work > 0 do
    local value <const> = table.remove(work)
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
