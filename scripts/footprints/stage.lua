-- The clearing: ground, fire and trees, and the walkable positions.
local spawnpool <const> = require "spawnpool"

local pools <const> = spawnpool.pools

local stage <const> = {
  width = 800, height = 600, -- until the first frame is drawn
  LIST = 212, -- width of the list at the right
}

local FLAKES <const> = 150
local FIRE_X <const>, FIRE_Y <const> = 0.4, 0.5

-- Positions of trees as fractions of the frame, with their radius: around the clearing, not in it.
local TREES <const> = {
  { 0.03, 0.30, 46 }, { 0.09, 0.93, 58 }, { 0.30, 1.00, 40 }, { 0.55, 0.99, 54 }, { 0.68, 0.90, 34 },
  { 0.22, 0.02, 40 }, { 0.48, -0.01, 50 }, { 0.62, 0.07, 36 }, { -0.01, 0.64, 40 }, { 0.71, 0.30, 30 },
}

---@return number x, number y
function stage.anywhere()
  return 50 + (stage.width - stage.LIST - 110) * math.random(), stage.height * (0.17 + 0.68 * math.random())
end

-- Returns a position just outside, at the left or at the top.
---@return number x, number y
function stage.edge()
  if math.random() < 0.5 then return -20, stage.height * (0.2 + 0.6 * math.random()) end
  return 60 + (stage.width - stage.LIST - 120) * math.random(), -20
end

function stage.build()
  local width <const>, height <const> = stage.width, stage.height
  pools:alloc("Ground", 0, width / 2, height / 2)
  pools:alloc("Fire", 0, width * FIRE_X, height * FIRE_Y)
  for _, tree in ipairs(TREES) do pools:alloc("Tree", 0, width * tree[1], height * tree[2], tree[3]) end
  for _ = 1, FLAKES do pools:alloc("Flake", 0, width * math.random(), height * math.random()) end
end

---@param width number
---@param height number
function stage.resize(width, height)
  stage.width, stage.height = width, height
  -- Settings of a class may change at any time: flakes now wrap at the new edges.
  pools:pool("Flake").class.bounds = { x = -8, y = -8, w = width + 16, h = height + 16, outside = "wrap" }
end

return stage
