-- A puzzle: a click turns a lamp and its neighbours. Put all of them out.
--
--   click   turn     r   another puzzle
local spawnpool <const> = require "spawnpool"

local pools <const>, storage <const> = spawnpool.pools, spawnpool.storage
local SIDE <const>, CELL <const>, TOP <const> = 5, 80, 60 -- lamps in a row; units
local W <const> = SIDE * CELL

spawnpool.class("Lamp", { sprite = "circle", radius = 30, fields = { on = false, column = 0, row = 0 } })
spawnpool.class("Spark", { sprite = "spark", radius = 8, over_life = { a = { 1, 0 } }, motion = { drag = 2 } })

local game <const> = { title = "Lamps", width = W, height = W + TOP }
local lamps <const>, NEAR <const> = {}, { { 0, 0 }, { 1, 0 }, { -1, 0 }, { 0, 1 }, { 0, -1 } }
local moves, lit, solved = 0, 0, storage.load "solved" or 0

local function lamp_at(column, row)
  local is_in <const> = column >= 1 and column <= SIDE and row >= 1 and row <= SIDE
  return is_in and lamps[(row - 1) * SIDE + column] or nil
end

local function show(lamp)
  lamp.r, lamp.g, lamp.b = 0.25, 0.28, 0.36
  if lamp.on then lamp.r, lamp.g, lamp.b = 1, 0.85, 0.4 end
end

local function turn(column, row)
  for _, step in ipairs(NEAR) do
    local lamp <const> = lamp_at(column + step[1], row + step[2])
    if lamp then
      lamp.on = not lamp.on
      lit = lit + (lamp.on and 1 or -1)
      show(lamp)
    end
  end
end

-- A puzzle that was made by turns can be solved by turns.
local function shuffle()
  repeat
    for _ = 1, 12 do turn(math.random(SIDE), math.random(SIDE)) end
  until lit > 0
  moves = 0
end

function game.load()
  for row = 1, SIDE do
    for column = 1, SIDE do
      local lamp <const> = pools:alloc("Lamp", 0, (column - 0.5) * CELL, TOP + (row - 0.5) * CELL)
      lamp.column, lamp.row = column, row
      lamps[#lamps + 1] = lamp
      show(lamp)
    end
  end
  shuffle()
end

local function celebrate()
  solved = solved + 1
  storage.save("solved", solved)
  for i = 1, 60 do
    local spark <const> = pools:alloc("Spark", 1.2, W / 2, TOP + W / 2)
    if spark then spark:launch(i * 0.105, math.random(80, 320)) end
  end
end

function game.mouse_pressed(x, y)
  local lamp <const> = pools:pool("Lamp"):nearest(x, y)
  if lit == 0 then return shuffle() end
  if not lamp or y < TOP then return end
  turn(lamp.column, lamp.row)
  moves = moves + 1
  if lit == 0 then celebrate() end
end

function game.draw(g)
  local text <const> = lit == 0 and ("solved in %d moves: click for another"):format(moves)
  g:text(W / 2, 20, text or ("%d moves, %d solved"):format(moves, solved), 18, "center")
end

function game.key_pressed(key)
  if key == "r" then shuffle() end
end

return game
