-- scripts/garden/pools/Piece.lua
-- A piece stands in a cell, and glides to it. Pot and Gardener extend it.
local spawnpool <const> = require "spawnpool"

local Piece <const> = spawnpool.class("Piece", { fields = { column = 0, row = 0, is_at_rest = true } })

Piece.CELL, Piece.SPEED = 16, 120 -- points, points per second

-- `pools:alloc("Pot", 0, column, row)`
function Piece:alloc(lifetime, column, row)
  local x <const>, y <const> = (column + 0.5) * self.CELL, (row + 0.5) * self.CELL
  return Piece.super.alloc(self, lifetime, { x = x, y = y, column = column, row = row })
end

-- At least `step` far, and more when the cell is far.
local function toward(from, to, step)
  local most <const> = math.max(step, math.abs(to - from) / 5)
  return from + math.max(-most, math.min(to - from, most))
end

function Piece:update(dt)
  for piece in self:each() do
    local x <const>, y <const> = (piece.column + 0.5) * self.CELL, (piece.row + 0.5) * self.CELL
    piece.x, piece.y = toward(piece.x, x, self.SPEED * dt), toward(piece.y, y, self.SPEED * dt)
    piece.is_at_rest = piece.x == x and piece.y == y
    piece.layer = math.floor(piece.y) -- what is farther down covers what is above
  end
end

return Piece
