-- scripts/garden/words.lua
-- Letters with a shadow, and the wooden board that they stand on.
local words <const> = { GOLD = { 1, 0.84, 0.37 } }

function words.write(g, x, y, text, align, color)
  g:color(0.16, 0.12, 0.21)
  g:text(x + 1, y + 1, text, 10, align)
  g:color(table.unpack(color or { 1, 0.97, 0.88 }))
  g:text(x, y, text, 10, align)
end

-- Two lines on a board.
function words.board(g, y, head, line)
  g:color(1, 1, 1)
  g:sprite("board", 160, y + 20, 0, 10)
  words.write(g, 160, y + 8, head, "center", words.GOLD)
  words.write(g, 160, y + 22, line, "center")
end

return words
