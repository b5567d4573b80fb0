-- Which of 10 000 circles touch which of 10 000 others, microseconds for all: sparse, about 5 000 pairs. The peer is a
-- grid of cells in Lua tables, made again each frame.

local measure = require "measure"

local COUNT <const>, WORLD <const>, RADIUS <const> = 10000, 2000, 4

local function circles(seed)
  local list <const> = {}
  local x = seed
  local function random()
    x = (x * 16807) % 2147483647 -- the same circles for everybody
    return x / 2147483647 * WORLD
  end
  for i = 1, COUNT do list[i] = { x = random(), y = random(), radius = RADIUS } end
  return list
end

local shots <const>, foes <const> = circles(1), circles(2)

local function touch(a, b)
  local dx <const>, dy <const>, reach <const> = a.x - b.x, a.y - b.y, a.radius + b.radius
  return dx * dx + dy * dy < reach * reach
end

local function grid()
  local CELL <const> = 4 * RADIUS
  local columns <const> = WORLD // CELL + 1
  local cells <const> = {}
  for i = 1, COUNT do
    local foe <const> = foes[i]
    local at <const> = foe.y // CELL * columns + foe.x // CELL
    local cell = cells[at]
    if not cell then
      cell = {}
      cells[at] = cell
    end
    cell[#cell + 1] = foe
  end
  local pairs_found = 0
  for i = 1, COUNT do
    local a <const> = shots[i]
    local left <const>, right <const> = (a.x - 2 * RADIUS) // CELL, (a.x + 2 * RADIUS) // CELL
    for row = (a.y - 2 * RADIUS) // CELL, (a.y + 2 * RADIUS) // CELL do
      for column = left, right do
        local cell <const> = cells[row * columns + column]
        for k = 1, cell and #cell or 0 do
          if touch(a, cell[k]) then pairs_found = pairs_found + 1 end
        end
      end
    end
  end
  return pairs_found
end

-- Returns what finds the pairs of objects that have this box, or are circles.
local function pools_with(box)
  local spawnpool <const> = require "spawnpool"
  local pools <const> = spawnpool.pools
  for name, list in pairs { Shot = shots, Foe = foes } do
    spawnpool.class(name, { prealloc = COUNT, radius = RADIUS, box = box })
    for _, it in ipairs(list) do pools:alloc(name, 0, it.x, it.y) end
  end
  local shot_pool <const>, foe_pool <const> = pools:pool "Shot", pools:pool "Foe"
  local pairs_found = 0
  local function count() pairs_found = pairs_found + 1 end
  return function()
    pairs_found = 0
    shot_pool:overlaps(foe_pool, count)
    return pairs_found
  end
end

-- Boxes of the same size find a quarter more pairs: those whose corners touch.
local BOX <const> = arg[1] == "boxes" and { w = 2 * RADIUS, h = 2 * RADIUS } or nil
local find <const> = arg[1] == "grid" and grid or pools_with(BOX)
local found <const> = find()
assert(found > 4000 and found < 7000, found)
measure.report("overlaps", measure.least(20, find) * 1e6)
