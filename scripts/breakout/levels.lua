-- scripts/breakout/levels.lua
-- The levels: for a column and a row of bricks, the number of a colour, or nil where there is no brick.
local sin <const>, sqrt <const> = math.sin, math.sqrt

-- A picture of digits, one for each colour, in the middle of the field; each is `wide` bricks wide, and 2 high.
local function picture(wide, rows)
  local columns <const> = #rows[1] * wide
  return function(column, row, all)
    local at <const>, line <const> = (column - 1 - (all - columns) // 2) // wide + 1, rows[(row + 1) // 2]
    return line and at >= 1 and tonumber(line:sub(at, at)) or nil
  end
end

return {
  -- A rainbow.
  function(_, row) return row <= 21 and (row - 1) // 3 + 1 or nil end,

  picture(3, {
    "...5.....5...", "...5.....5...", "....5...5....", "...5555555...", "..55.555.55..", "..55.555.55..",
    "5555555555555", "5.555555555.5", "5.555555555.5", "5.5.......5.5", "5.5.......5.5", "...555.555...",
  }),

  -- Waves, one above the other.
  function(column, row)
    local wave <const> = row - 1 - 3 * sin(column * 0.285)
    return wave > 1 and wave < 21 and wave % 4 < 2.7 and math.floor(wave / 4) + 2 or nil
  end,

  picture(3, {
    ".111...111.", "11111.11111", "11311111111", "13311111111", "13111111111", "11111111111",
    ".111111111.", "..1111111..", "...11111...", "....111....", ".....1.....",
  }),

  -- Two targets.
  function(column, row, all)
    local x <const>, y <const> = ((column - 1) % (all // 2) - (all // 2 - 1) / 2) * 1.1, row - 12
    local far <const> = sqrt(x * x + y * y)
    return far < 12 and far % 4 < 2.8 and math.floor(far / 4) * 2 + 2 or nil
  end,

  -- A chess board of all colours.
  function(column, row)
    local x <const>, y <const> = (column - 1) // 4, (row - 1) // 4
    return row <= 20 and (x + y) % 2 == 0 and (x + 2 * y) % 7 + 1 or nil
  end,
}
