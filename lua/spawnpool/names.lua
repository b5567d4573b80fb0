-- Names, and suggestions for misspelled ones. Values of the game are read without metamethods.

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
  local distance <const>, lower <const> = native.distance, name:lower()
  for _, candidate in ipairs(candidates) do
    if math.abs(#name - #candidate) <= least then -- each letter more or less is an edit
      local edits <const> = distance(lower, candidate:lower())
      local is_same <const> = edits == least and best and distance(name, candidate) < distance(name, best)
      if edits < least or is_same then best, least = candidate, edits end
    end
  end
  return best, least
end

-- " (did you mean 'x'?)", or nothing.
function names.hint(name, candidates)
  local near <const> = names.nearest(names.text(name), candidates)
  return near and (" (did you mean '%s'?)"):format(near) or ""
end

-- Describes a value, with strings in quotes.
function names.show(value) return native.show(value) end

-- Describes a value, with strings unquoted.
function names.text(value) return type(value) == "string" and value or native.show(value) end

return names
