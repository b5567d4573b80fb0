-- The lines of texts, and what differs between two.

local native <const> = ...

local debug <const> = native.debug()

local lines <const> = {}

local CELLS_MOST <const> = 40000 -- a comparison of texts that would take more sees one change

function lines.of(text)
  local list <const> = {}
  for line in string.gmatch(text .. "\n", "(.-)\r?\n") do list[#list + 1] = line end
  return list
end

-- Returns the lines of a function from those of its file, as a text.
function lines.of_function(f, list)
  local info <const> = debug.getinfo(f, "S")
  return table.concat(list, "\n", math.min(info.linedefined, #list + 1), math.min(info.lastlinedefined, #list))
end

-- length[i][j]: of the longest common part of a from i and b from j.
local function common_lengths(a, b, from, a_to, b_to)
  local length <const> = {}
  for i = a_to + 1, from, -1 do
    length[i] = { [b_to + 1] = 0 }
    for j = b_to, from, -1 do
      length[i][j] = i > a_to and 0 or a[i] == b[j] and length[i + 1][j + 1] + 1
        or math.max(length[i + 1][j], length[i][j + 1])
    end
  end
  return length
end

-- Returns what differs between two texts: a list of { from, to, now_from, now_to }, ranges of lines that may be empty.
function lines.hunks(before, now)
  local a <const>, b <const> = lines.of(before), lines.of(now)
  local from, a_to, b_to = 1, #a, #b
  while from <= a_to and from <= b_to and a[from] == b[from] do from = from + 1 end
  while a_to >= from and b_to >= from and a[a_to] == b[b_to] do a_to, b_to = a_to - 1, b_to - 1 end
  if (a_to - from + 1) * (b_to - from + 1) > CELLS_MOST then return { { from, a_to, from, b_to } } end
  local length <const>, hunks <const> = common_lengths(a, b, from, a_to, b_to), {}
  local i, j = from, from
  while i <= a_to or j <= b_to do
    local i0 <const>, j0 <const> = i, j
    while (i <= a_to or j <= b_to) and not (i <= a_to and j <= b_to and a[i] == b[j]) do
      if j > b_to or i <= a_to and length[i + 1][j] >= length[i][j + 1] then i = i + 1 else j = j + 1 end
    end
    if i > i0 or j > j0 then hunks[#hunks + 1] = { i0, i - 1, j0, j - 1 } end
    while i <= a_to and j <= b_to and a[i] == b[j] do i, j = i + 1, j + 1 end
  end
  return hunks
end

return lines
