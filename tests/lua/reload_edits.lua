-- Edits as a tired author makes them, and as no author makes them: each takes a text and gives another, with words that
-- say what was done. `random(n)` gives 0 to n - 1.
local edits <const> = {}

local LINES <const> = { "while true do end", 'error("x")', "error({})", "return", "local x <const> = nil .. 1" }
local NUMBERS <const> = { "0", "1", "-1", "0.5", "1e9", "1e400", "nil", "'text'" }

local function pick(random, list)
  return list[random(#list) + 1]
end

-- The lines of a text, each with its end.
local function lines_of(text)
  local lines <const> = {}
  for line in text:gmatch "[^\n]*\n?" do
    if line ~= "" then lines[#lines + 1] = line end
  end
  return lines
end

-- {== One edit ================================================================

local kinds <const> = {}

function kinds.flip(text, random)
  local at <const> = random(#text) + 1
  local byte <const> = text:byte(at) ~ (1 << random(8))
  return text:sub(1, at - 1) .. string.char(byte) .. text:sub(at + 1), ("byte %d is %d"):format(at, byte)
end

function kinds.cut(text, random)
  local length <const> = random(#text)
  return text:sub(1, length), ("cut after byte %d"):format(length)
end

function kinds.delete(text, random)
  local lines <const> = lines_of(text)
  local at <const> = random(#lines) + 1
  table.remove(lines, at)
  return table.concat(lines), ("line %d deleted"):format(at)
end

function kinds.duplicate(text, random)
  local lines <const> = lines_of(text)
  local at <const> = random(#lines) + 1
  table.insert(lines, at, lines[at])
  return table.concat(lines), ("line %d twice"):format(at)
end

function kinds.swap(text, random)
  local lines <const> = lines_of(text)
  local a <const>, b <const> = random(#lines) + 1, random(#lines) + 1
  lines[a], lines[b] = lines[b], lines[a]
  return table.concat(lines), ("lines %d and %d swapped"):format(a, b)
end

function kinds.insert(text, random)
  local lines <const> = lines_of(text)
  local at <const>, line <const> = random(#lines) + 1, pick(random, LINES)
  table.insert(lines, at, line .. "\n")
  return table.concat(lines), ("line %d is new: %s"):format(at, line)
end

function kinds.number(text, random)
  local places <const> = {}
  for from, digits, past in text:gmatch "()%f[%w]([%d.]*%d)()" do places[#places + 1] = { from, digits, past } end
  if #places == 0 then return text, "no number to change" end
  local place <const> = pick(random, places)
  local digits <const> = random(2) == 0 and pick(random, NUMBERS) or ("%g"):format((tonumber(place[2]) or 1) * 2)
  return text:sub(1, place[1] - 1) .. digits .. text:sub(place[3]),
    ("%s at byte %d is %s"):format(place[2], place[1], digits)
end

-- }==

local names <const> = {}
for name in pairs(kinds) do names[#names + 1] = name end
table.sort(names)

-- The text cut off after so many bytes.
function edits.cut(text, length)
  return text:sub(1, length), ("cut after byte %d"):format(length)
end

-- A text that differs from this one by one to three edits.
function edits.random(text, random)
  local result, said <const> = text, {}
  repeat
    if #result > 0 then
      result, said[#said + 1] = kinds[pick(random, names)](result, random)
    end
  until result ~= text and (#said >= 3 or random(3) > 0) or result == ""
  return result, table.concat(said, ", ")
end

return edits
