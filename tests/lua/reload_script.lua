-- Cases as text: a script that is written down step by step, read again, and made shorter.
local shrink <const> = require "shrink"

local scripts <const> = {}

local MOST_TRIALS <const> = 500 -- of each round that makes a case shorter

-- {== Text ===================================================================

-- A value as Lua; texts of several lines stand as they are, to be read.
local function literal(value, indent)
  if type(value) ~= "table" then
    if type(value) ~= "string" or not value:find "%c" then return ("%q"):format(value) end
    local level = ""
    while value:find("]" .. level .. "]", 1, true) do level = level .. "=" end
    return ("[%s[\n%s]%s]"):format(level, value, level)
  end
  local keys <const>, lines <const> = {}, {}
  for key in pairs(value) do keys[#keys + 1] = key end
  table.sort(keys)
  for i, key in ipairs(keys) do
    lines[i] = ("%s  [%q] = %s,\n"):format(indent, key, literal(value[key], indent .. "  "))
  end
  return ("{\n%s%s}"):format(table.concat(lines), indent)
end

-- The lines of a script: a project, and the steps that follow.
function scripts.head(case) return ("case %s\n"):format(literal({ names = case.names, files = case.files }, "")) end

function scripts.step(one) return ("step %s\n"):format(literal(one, "")) end

-- A case as Lua text.
function scripts.text(case)
  local parts <const> = { scripts.head(case) }
  for _, one in ipairs(case.steps) do parts[#parts + 1] = scripts.step(one) end
  return table.concat(parts)
end

-- The case of a text.
function scripts.read(text)
  local case <const> = { steps = {} }
  local function head(it) case.names, case.files = it.names, it.files end
  local function step(one) case.steps[#case.steps + 1] = one end
  assert(load(text, "=case", "t", { case = head, step = step }))()
  return case
end

-- }==

-- {== Shorter =================================================================

-- The parts of a text that can be left out: each begins in the first column.
local function parts_of(text)
  local parts <const> = {}
  for line in text:gmatch "[^\n]*\n?" do
    if line:find "^[%s})]" or line:find "^end" and #parts > 0 then
      parts[#parts] = (parts[#parts] or "") .. line
    elseif line ~= "" then
      parts[#parts + 1] = line
    end
  end
  return parts
end

-- A case without the parts (file .. "\n" .. text) of which `keeps` says no.
local function with_parts(case, keeps)
  local function cut(files)
    local new <const> = {}
    for name, text in pairs(files) do
      local parts <const> = {}
      for _, part in ipairs(text and parts_of(text) or {}) do
        if keeps(name .. "\n" .. part) then parts[#parts + 1] = part end
      end
      new[name] = text and table.concat(parts)
    end
    return new
  end
  local steps <const> = {}
  for i, one in ipairs(case.steps) do
    steps[i] = one.files and { files = cut(one.files), is_damaged = one.is_damaged } or one
  end
  return { names = case.names, files = cut(case.files), steps = steps }
end

local function set_of(list)
  local set <const> = {}
  for _, entry in ipairs(list) do set[entry] = true end
  return set
end

local function all_parts(case)
  local set <const>, list <const> = {}, {}
  with_parts(case, function(part)
    if not set[part] then set[part], list[#list + 1] = true, part end
  end)
  table.sort(list)
  return list
end

-- A shorter case, of which `fails(case)` still says that it fails.
function scripts.shrink(case, fails)
  for _ = 1, 2 do
    local steps <const> = shrink(case.steps, function(list)
      return fails { names = case.names, files = case.files, steps = list }
    end, MOST_TRIALS)
    case = { names = case.names, files = case.files, steps = steps }
    local long <const> = case
    local function only(list)
      local set <const> = set_of(list)
      return with_parts(long, function(part) return set[part] end)
    end
    local whole <const> = only(shrink(all_parts(long), function(list) return fails(only(list)) end, MOST_TRIALS))
    case = { files = whole.files, steps = whole.steps, names = shrink(whole.names, function(names)
      return fails { names = names, files = whole.files, steps = whole.steps }
    end, MOST_TRIALS) }
  end
  return case
end

-- }==

return scripts
