-- A puzzle: a click turns a lamp and its neighbours. Put all of them out.
--
--   click   turn     r   another puzzle
local spawnpool <const> = require "spawnpool"

local pools <const>, storage <const> = spawnpool.pools, spawnpool.storage
local SIDE <const>, CELL <const>, TOP <const> = 5, 80, 60 -- lamps in a row; units
local W <const> = SIDE * CELL

spawnpool.class("Lamp", { sprite = "circle", radius = 30, fields = { on = false } })
spawnpool.class("Spark", { sprite = "spark", radius = 8, over_life = { a = { 1, 0 } }, motion = { drag = 2 } })

local game <const> = { title = "Lamps", width = W, height = W + TOP }
local lamps <const> = pools:pool "Lamp"
local moves, lit, solved = 0, 0, storage.load "solved" or 0
local function place(i) return (i % SIDE + 0.5) * CELL, TOP + (i // SIDE + 0.5) * CELL end

local function show(lamp)
  lamp.r, lamp.g, lamp.b = lamp.on and 1 or 0.25, lamp.on and 0.85 or 0.28, lamp.on and 0.4 or 0.36
end

-- Turns the lamp at a place, and those that are not farther away than the next cell.
local function turn(x, y)
  for lamp in lamps:within(x, y, CELL) do
    lamp.on = not lamp.on
    lit = lit + (lamp.on and 1 or -1)
    show(lamp)
  end
end

-- A puzzle that was made by turns can be solved by turns.
local function shuffle()
  moves = 0
  repeat turn(place(math.random(SIDE * SIDE) - 1)) until lit > 9
end

function game.load()
  for i = 0, SIDE * SIDE - 1 do show(pools:alloc("Lamp", 0, place(i))) end
  shuffle()
end

function game.mouse_pressed(x, y)
  if lit == 0 then return shuffle() end
  local lamp <const> = lamps:nearest(x, y)
  turn(lamp.x, lamp.y)
  moves = moves + 1
  if lit > 0 then return end
  solved = solved + 1
  storage.save("solved", solved)
  for i = 1, 60 do pools:alloc("Spark", 1.2, W / 2, TOP + W / 2):launch(i * 0.105, math.random(80, 320)) end
end

function game.draw(g)
  local text <const> = lit == 0 and "solved in %d moves: click for another" or "%d moves, %d solved"
  g:text(W / 2, 20, text:format(moves, solved), 18, "center")
end

function game.key_pressed(key) if key == "r" then shuffle() end end

return game
