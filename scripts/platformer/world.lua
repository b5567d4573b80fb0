-- scripts/platformer/world.lua
-- The room: its tiles, and what lives in it.
local spawnpool <const> = require "spawnpool"
local rooms <const> = require "rooms"

local pools <const> = spawnpool.pools
local world <const> = { number = 0, room = rooms[1], start_x = 0, start_y = 0 }

local SIZE <const>, COLUMNS <const>, ROWS <const> = 8, 40, 20
local EARTH <const>, INNER <const>, BRICK <const>, THORN <const>, GRASS <const> = 1, 17, 20, 36, 37 -- frames of the sheet
local NOTHING <const> = 42 -- the empty frame
local KINDS <const> = { o = "Drop", L = "Lamp", c = "Crab", g = "Gull", ["="] = "Plank", ["|"] = "Lift", X = "Light" }

-- {== Tiles ==================================================================

-- Beyond its edges a room goes on as it is there.
local function letter(rows, column, row)
  column, row = math.max(1, math.min(column, COLUMNS)), math.max(1, math.min(row, ROWS))
  return rows[row]:sub(column, column)
end

local function is_solid(rows, column, row) return letter(rows, column, row):find "[#B]" ~= nil end

-- Bits for the neighbours that are solid too: above, right, below, left.
local function neighbours(rows, column, row)
  return (is_solid(rows, column, row - 1) and 1 or 0) + (is_solid(rows, column + 1, row) and 2 or 0)
    + (is_solid(rows, column, row + 1) and 4 or 0) + (is_solid(rows, column - 1, row) and 8 or 0)
end

-- Which frame of the sheet a tile shows: it depends on its neighbours, and for some on chance.
local function frame_of(rows, column, row)
  local at <const>, chance <const> = letter(rows, column, row), (column * 7 + row * 11 + column * row) % 5
  local around <const> = neighbours(rows, column, row)
  if at == "#" then return around == 15 and chance < 3 and INNER + chance or EARTH + around end
  if at == "B" then return BRICK + around end
  if at == "^" then return THORN end
  local grows <const> = chance < 3 and row < ROWS and letter(rows, column, row + 1) == "#"
  return grows and GRASS + chance or NOTHING
end

local function build(map)
  local rows <const>, frames <const> = {}, {}
  for row in map:gmatch "[^\n]+" do rows[#rows + 1] = row end
  while #rows < ROWS do table.insert(rows, 1, ("."):rep(COLUMNS)) end
  for row = 1, #rows do
    frames[row] = {}
    for column = 1, COLUMNS do frames[row][column] = frame_of(rows, column, row) end
  end
  local letters <const> = { ["@"] = 0, ["^"] = 0 }
  for mark in pairs(KINDS) do letters[mark] = 0 end
  world.tiles = spawnpool.tiles { size = SIZE, rows = rows, solid = "#B", letters = letters }
  world.shown = spawnpool.tiles { sheet = "tiles", size = SIZE, rows = frames }
end

-- }==

-- Sets a room up; false when there is no such room.
---@param number integer
function world.enter(number)
  world.number, world.room = number, rooms[number]
  pools:recycle_all { group = "room" }
  build(world.room.map)
  for mark, kind in pairs(KINDS) do
    for x, y in world.tiles:each(mark) do pools:alloc(kind, 0, x, y) end
  end
  world.start_x, world.start_y = world.tiles:each "@"()
end

-- Whether there are thorns.
---@return boolean
function world.is_deadly(x, y) return world.tiles:at(x, y) == "^" end

return world
