-- Cases as text: a script that is written down step by step, read again, and made shorter.
local shrink <const> = require "shrink"

local scripts <const> = {}

local MOST_TRIALS <const> = 500 -- of each round that makes a case shorter

-- {== Text ===================================================================

local function quoted(text)
  if not text then return "false" end
  if not text:find "%c" then return ("%q"):format(text) end
  local level = ""
  while text:find("]" .. level .. "]", 1, true) do level = level .. "=" end
  return ("[%s[\n%s]%s]"):format(level, text, level)
end

local function print_files(files, indent)
  local names <const>, lines <const> = {}, {}
  for name in pairs(files) do names[#names + 1] = name end
  table.sort(names)
  for i, name in ipairs(names) do lines[i] = ("%s  [%q] = %s,\n"):format(indent, name, quoted(files[name])) end
  return table.concat(lines)
end

function scripts.head(case)
  local names <const> = {}
  for i, name in ipairs(case.names) do names[i] = ("%q"):format(name) end
  return ("return {\n  names = { %s },\n  files = {\n%s  },\n  steps = {\n"):format(table.concat(names, ", "),
    print_files(case.files, "  "))
end

function scripts.step(one)
  if one.act then return ("    { act = %s },\n"):format(quoted(one.act)) end
  return ("    { files = {\n%s    } },\n"):format(print_files(one.files, "    "))
end

scripts.TAIL = "  },\n}\n"

-- A case as Lua text.
function scripts.text(case)
  local parts <const> = { scripts.head(case) }
  for _, one in ipairs(case.steps) do parts[#parts + 1] = scripts.step(one) end
  parts[#parts + 1] = scripts.TAIL
  return table.concat(parts)
end

-- The case of a text, which may have been broken off after a step.
function scripts.read(text)
  local chunk <const> = load(text, "=case", "t", {}) or assert(load(text .. scripts.TAIL, "=case", "t", {}))
  return chunk()
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

-- A case without the parts (file .. "\n" .. text) that are not in `kept`.
local function with_parts(case, kept)
  local function cut(files)
    local new <const> = {}
    for name, text in pairs(files) do
      local parts <const> = {}
      for _, part in ipairs(text and parts_of(text) or {}) do
        if kept[name .. "\n" .. part] then parts[#parts + 1] = part end
      end
      new[name] = text and table.concat(parts)
    end
    return new
  end
  local steps <const> = {}
  for i, one in ipairs(case.steps) do steps[i] = one.files and { files = cut(one.files) } or one end
  return { names = case.names, files = cut(case.files), steps = steps }
end

local function all_parts(case)
  local list <const>, seen <const> = {}, {}
  local function add(files)
    for name, text in pairs(files) do
      for _, part in ipairs(text and parts_of(text) or {}) do
        local key <const> = name .. "\n" .. part
        if not seen[key] then list[#list + 1], seen[key] = key, true end
      end
    end
  end
  add(case.files)
  for _, one in ipairs(case.steps) do add(one.files or {}) end
  table.sort(list)
  return list
end

local function set_of(list)
  local set <const> = {}
  for _, entry in ipairs(list) do set[entry] = true end
  return set
end

-- A shorter case, of which `fails(case)` still says that it fails.
function scripts.shrink(case, fails)
  for _ = 1, 2 do
    local steps <const> = shrink(case.steps, function(list)
      return fails { names = case.names, files = case.files, steps = list }
    end, MOST_TRIALS)
    case = { names = case.names, files = case.files, steps = steps }
    local long <const> = case
    local parts <const> = shrink(all_parts(long), function(list)
      return fails(with_parts(long, set_of(list)))
    end, MOST_TRIALS)
    local whole <const> = with_parts(long, set_of(parts))
    case = { files = whole.files, steps = whole.steps, names = shrink(whole.names, function(names)
      return fails { names = names, files = whole.files, steps = whole.steps }
    end, MOST_TRIALS) }
  end
  return case
end

-- }==

return scripts
