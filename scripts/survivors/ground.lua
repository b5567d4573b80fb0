-- scripts/survivors/ground.lua
-- A meadow without end: what grows in a square of it follows from the numbers of the square.
local stage <const> = require "stage"

local ground <const> = {}

local SIDE <const> = 82 -- of a square

-- A number from 0 to 1 that belongs to a square.
local function chance(column, row, salt)
  local mixed <const> = (column * 374761393 + row * 668265263 + salt * 974711) & 0x7fffffff
  local again <const> = ((mixed ~ (mixed >> 13)) * 1274126177) & 0x7fffffff
  return (again ~ (again >> 16)) % 4096 / 4096
end

local function draw_square(g, column, row)
  local what <const> = chance(column, row, 1)
  local x <const>, y <const> = (column + chance(column, row, 2)) * SIDE, (row + chance(column, row, 3)) * SIDE
  local size <const> = 0.6 + 0.7 * chance(column, row, 4)
  if what < 0.45 then
    g:color(0.16, 0.36, 0.3, 0.8)
    g:sprite("tuft", x, y, 0, 1.7 * size)
  elseif what < 0.56 then
    g:color(0.26, 0.31, 0.4, 0.85)
    g:sprite("stone", x, y, 0, 1.8 * size)
  elseif what < 0.62 then
    g:color(0.95, 0.75, 0.5, 0.35)
    g:circle(x, y, 2.2 * size)
    g:circle(x + 9, y + 6, 1.6 * size)
  end
end

-- Clearings where the grass is paler, some squares wide each.
local function draw_clearing(g, column, row)
  local pale <const> = chance(column, row, 5)
  if pale < 0.4 then return end
  g:color(0.05, 0.16, 0.13, 0.75 * pale)
  g:sprite("light", (column + 0.5) * SIDE * 3, (row + 0.5) * SIDE * 3, 0, 26 * (0.6 + pale))
end

local function each_square(g, side, margin, draw)
  local left <const>, top <const> = stage.x - stage.half_w - margin, stage.y - stage.half_h - margin
  local right <const>, bottom <const> = stage.x + stage.half_w + margin, stage.y + stage.half_h + margin
  for row = math.floor(top / side), math.floor(bottom / side) do
    for column = math.floor(left / side), math.floor(right / side) do draw(g, column, row) end
  end
end

function ground.draw(g)
  g:color(0.045, 0.088, 0.105)
  g:rect(stage.x - stage.half_w - 2, stage.y - stage.half_h - 2, 2 * stage.half_w + 4, 2 * stage.half_h + 4)
  each_square(g, SIDE * 3, SIDE * 3, draw_clearing)
  each_square(g, SIDE, 30, draw_square)
end

-- The night, over everything: dark where the lamp does not reach.
function ground.draw_shade(g)
  g:color(1, 1, 1)
  g:sprite("shade", g.width / 2, g.height / 2, 0, math.sqrt(g.width ^ 2 + g.height ^ 2) / 16)
end

return ground
