-- Positions of the suns, and the size of the frame.
local spawnpool <const> = require "spawnpool"

local pools <const> = spawnpool.pools

local stage <const> = { width = 800, height = 600 } -- until the first frame is drawn

local LEAST <const> = 9 -- points of the window: smaller letters cannot be read

-- Each seat as fractions of the frame, and the maximum size of the system around it.
local SEATS <const> = {
  { x = 0.22, y = 0.54, size = 1.0 },
  { x = 0.60, y = 0.30, size = 0.8 },
  { x = 0.83, y = 0.64, size = 0.8 },
  { x = 0.51, y = 0.70, size = 0.62 },
}

-- A new sun takes the seat of the previous one.
---@param seat integer
function stage.place_sun(seat)
  local at <const> = SEATS[seat]
  local size <const> = at.size * math.min(stage.width / 800, stage.height / 600)
  return pools:alloc("Sun", 14 + math.random() * 16, stage.width * at.x, stage.height * at.y, size, seat)
end

function stage.place_suns()
  for seat = 1, #SEATS do stage.place_sun(seat) end
end

function stage.end_oldest_sun()
  local oldest
  for sun in pools:pool("Sun"):each() do
    if not oldest or sun.age > oldest.age then oldest = sun end
  end
  if oldest then oldest:recycle() end
end

---@param g spawnpool.Graphics
---@param size number
---@return number size in units of the view, larger in a small window
function stage.readable(g, size) return math.max(size, LEAST / g.scale) end

---@param width number
---@param height number
function stage.resize(width, height)
  stage.width, stage.height = width, height
  -- A setting of a class may change at any time: comets now end at the new edges.
  pools:pool("Comet").class.bounds = { x = -60, y = -60, w = width + 120, h = height + 120, outside = "recycle" }
end

return stage
