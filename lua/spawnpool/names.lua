-- Names, and suggestions for misspelled ones; the names of files and modules. Values of the game are read without
-- metamethods.

local native <const> = ...

local names <const> = {}

-- Returns the string keys of some tables, sorted, so independent of their order of creation.
function names.of(...)
  local list <const> = {}
  for _, t in ipairs { ... } do
    for name in next, t do
      if type(name) == "string" then list[#list + 1] = name end
    end
  end
  table.sort(list)
  return list
end

-- Returns the candidate nearest to `name` (case is ignored) and its edit distance; nil if none is near. They must
-- have a letter in common. Of equally near candidates, the one nearer in case is preferred. `most` limits the distance.
function names.nearest(name, candidates, most)
  local best, least = nil, math.min(#name, math.max(1, #name // 3) + 1, (most or #name) + 1)
  if #name > 60 then return nil end
  local distance <const>, lower <const> = native.distance, string.lower(name)
  for _, candidate in ipairs(candidates) do
    if math.abs(#name - #candidate) <= least then -- each letter more or less is an edit
      local edits <const> = distance(lower, string.lower(candidate))
      local is_same <const> = edits == least and best and distance(name, candidate) < distance(name, best)
      if edits < least or is_same then best, least = candidate, edits end
    end
  end
  return best, least
end

-- " (did you mean 'x'?)", or nothing.
function names.hint(name, candidates)
  local near <const> = names.nearest(names.text(name), candidates)
  return near and string.format(" (did you mean '%s'?)", near) or ""
end

-- Describes a value, with strings in quotes.
function names.show(value) return native.show(value) end

-- Describes a value, with strings unquoted.
function names.text(value) return type(value) == "string" and value or native.show(value) end

-- {== Files ================================================================

-- Limits the walk of a wrong folder ("/").
local DEEPEST <const> = 16
local MOST <const> = 20000 -- files and folders

local function add_files(list, path, below, depth)
  if list.seen >= MOST then return end
  local files <const>, folders <const> = native.list(path)
  list.seen = list.seen + #files + #folders
  table.sort(files)
  table.sort(folders)
  for _, name in ipairs(files) do
    if string.match(name, "%.lua$") then list[#list + 1] = below .. name end
  end
  for _, name in ipairs(folders) do
    if depth < DEEPEST then
      add_files(list, path .. "/" .. name, below .. name .. "/", depth + 1)
    else
      list.rest = list.rest or string.format("%s lies more than %d folders deep", below .. name, DEEPEST)
    end
  end
end

-- Returns their paths relative to the folder, in order, without those that begin with a dot; links to folders are not
-- followed. The second result says why the list may be incomplete, or is nil.
function names.lua_files(path)
  local list <const> = { seen = 0 }
  add_files(list, path, "", 0)
  if list.seen >= MOST then list.rest = string.format("there are more than %d files and folders", MOST) end
  return list, list.rest
end

-- Returns the modules that a game in a sandbox could require.
function names.modules()
  local path <const> = native.folder()
  local list <const> = { "spawnpool" }
  for _, file in ipairs(path and names.lua_files(path) or {}) do
    local name <const> = string.gsub(string.gsub(string.sub(file, 1, -5), "/init$", ""), "/", ".")
    if name ~= "main" and not string.match(name, "^pools%.") then list[#list + 1] = name end
  end
  return list
end

-- }==

return names
