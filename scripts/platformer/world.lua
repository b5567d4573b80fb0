-- scripts/platformer/world.lua
-- Builds the room: its tiles and its objects.
local spawnpool <const> = require "spawnpool"
local rooms <const> = require "rooms"

local pools <const> = spawnpool.pools
local world <const> = { number = 0, room = rooms[1], back_x = 0, back_y = 0 }

local SIZE <const>, COLUMNS <const>, ROWS <const> = 8, 40, 20
local EARTH <const>, INNER <const>, BRICK <const>, THORN <const>, GRASS <const> = 1, 17, 20, 36, 37 -- frames
local MARKS <const> = "oLcg=|X@^" -- what rooms have besides tiles; the first seven are objects:
local KINDS <const> = { "Drop", "Lamp", "Crab", "Gull", "Plank", "Lift", "Light" }
local RAISED <const> = { Lamp = 8, Crab = 4 } -- points: they are higher than a tile

-- Beyond its edges a room goes on as it is there.
local function letter(rows, column, row)
  column, row = math.max(1, math.min(column, COLUMNS)), math.max(1, math.min(row, ROWS))
  return rows[row]:sub(column, column)
end

local function bit(rows, column, row, value) return letter(rows, column, row):find "[#B]" and value or 0 end

-- Returns the frame of the sheet for a tile: it depends on the tiles around, and for some on chance.
local function frame_of(rows, column, row)
  local at <const>, chance <const> = letter(rows, column, row), (column * 7 + row * 11 + column * row) % 5
  local around <const> = bit(rows, column, row - 1, 1) + bit(rows, column + 1, row, 2)
    + bit(rows, column, row + 1, 4) + bit(rows, column - 1, row, 8)
  if at == "#" then return around == 15 and chance < 3 and INNER + chance or EARTH + around end
  if at == "B" then return BRICK + around end
  if at == "^" then return THORN end
  return chance < 3 and row < ROWS and letter(rows, column, row + 1) == "#" and GRASS + chance or 0
end

local function build(rows)
  local frames <const> = {}
  for row = 1, #rows do
    frames[row] = {}
    for column = 1, COLUMNS do frames[row][column] = frame_of(rows, column, row) end
  end
  local letters <const> = {}
  for mark in MARKS:gmatch "." do letters[mark] = 0 end
  world.tiles = spawnpool.tiles { size = SIZE, rows = rows, solid = "#B", letters = letters }
  world.shown = spawnpool.tiles { sheet = "tiles", size = SIZE, rows = frames }
end

-- Sets a room up.
function world.enter(number)
  world.number, world.room = number, rooms[number]
  pools:recycle_all { group = "room" }
  build(world.room.rows)
  for i, kind in ipairs(KINDS) do
    for x, y in world.tiles:each(MARKS:sub(i, i)) do pools:alloc(kind, 0, x, y - (RAISED[kind] or 0)) end
  end
  local x <const>, y <const> = world.tiles:each "@"()
  world.back_x, world.back_y = x, y - 2 -- the hero is higher than a tile
end

return world
