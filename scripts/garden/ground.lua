-- scripts/garden/ground.lua
-- Draws the ground: lawn, paving, beds and hedges, and the shadows of pots and gardener.
local spawnpool <const> = require "spawnpool"
local rules <const> = require "rules"

local pools <const>, cell <const> = spawnpool.pools, rules.cell
local ground <const> = {}

local CELL <const> = 16
local PAVED <const>, LAWN <const> = 17, 21 -- frames of the sheet: 16 hedges, 4 slabs, 2 times 4 kinds of lawn
local KINDS <const> = { 1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 3, 4 } -- the plain kind is the common one

-- A choice that looks random, the same for a cell in each frame.
local function kind_of(column, row) return KINDS[(column * 7 + row * 13 + (column ~ row) * column) % #KINDS + 1] end

-- Bits for the neighbours that are hedges: north, east, south, west.
local function neighbours(column, row)
  return (cell(column, row - 1) == "#" and 1 or 0) + (cell(column + 1, row) == "#" and 2 or 0)
    + (cell(column, row + 1) == "#" and 4 or 0) + (cell(column - 1, row) == "#" and 8 or 0)
end

local function draw_cell(g, column, row)
  local at <const>, x <const>, y <const> = cell(column, row), (column + 0.5) * CELL, (row + 0.5) * CELL
  local is_paved <const> = at == "." or at == "x"
  local first <const> = is_paved and PAVED or LAWN + (column + row) % 2 * 4
  g:sprite("ground", x, y, 0, 1, 1, first + kind_of(column, row) - 1)
  if at == "x" then g:sprite("bed", x, y, 0, 1, 1, 1 + math.floor(pools.time * 2 + column) % 2) end
  if at == "#" then g:sprite("ground", x, y, 0, 1, 1, 1 + neighbours(column, row)) end
  if is_paved and cell(column, row - 1) == "#" then g:sprite("shade", x, y) end
end

function ground.draw(g)
  for row = 0, rules.ROWS - 1 do
    for column = 0, rules.COLUMNS - 1 do draw_cell(g, column, row) end
  end
  for piece in pools:each { class = "Piece" } do g:sprite("shadow", piece.x, piece.y) end
end

-- Over all: shadows of clouds, and butterflies.
function ground.draw_air(g)
  local time <const> = pools.time
  for i = 0, 2 do
    g:sprite("cloud", (time * 7 + i * 150) % 460 - 70, i * 60 + 20, 0, 8)
    local x <const>, y <const> = 160 + 150 * math.sin(time * 0.31 + i * 2), 90 + 80 * math.sin(time * 0.47 + i * 5)
    g:sprite("butterfly", x, y + 3 * math.sin(time * 7 + i), 0, 0.5, 0.5, 1 + math.floor(time * 9 + i) % 2)
  end
end

return ground
