-- The size of the frame, and the static scenery in it: sky, hills, a wood and a tree. The sprites of the storm fly
-- between them.
local spawnpool <const> = require "spawnpool"

local pools <const> = spawnpool.pools

local MARGIN <const> = 40 -- how far outside the frame sprites fly before they wrap

local stage <const> = { width = 800, height = 600, unit = 1 } -- unit: the size of what is written

-- Each piece: its layer, its centre as fractions of the frame, and half its width as a fraction of a scene that covers
-- the frame, or its height.
local PIECES <const> = {
  { sprite = "sky", layer = -100, half = 0.502 },
  { sprite = "ridge", layer = -60, x = 0.5, y = 0.80, half = 0.53 },
  { sprite = "wood", layer = -20, x = 0.5, y = 0.925, half = 0.55 },
  { sprite = "tree", layer = 20, x = 0.19, y = 0.62, tall = 0.42 },
}

function stage.dress()
  local span <const> = math.max(stage.width, stage.height * 16 / 9)
  pools:recycle_all "Scenery"
  for _, piece in ipairs(PIECES) do
    local it <const> = pools:alloc("Scenery", 0, stage.width * (piece.x or 0.5), stage.height * (piece.y or 0.5))
    it.sprite, it.layer = piece.sprite, piece.layer
    it.radius = piece.tall and piece.tall * stage.height or piece.half * span
  end
end

---@return spawnpool.Bounds
function stage.around()
  return {
    x = -MARGIN, y = -MARGIN, w = stage.width + 2 * MARGIN, h = stage.height + 2 * MARGIN, outside = "wrap",
  }
end

-- Returns a position in the frame or just outside.
---@return number x, number y
function stage.anywhere()
  return math.random() * (stage.width + 2 * MARGIN) - MARGIN, math.random() * (stage.height + 2 * MARGIN) - MARGIN
end

-- Settings of a class may change at any time: classes that extend it follow.
---@param width number
---@param height number
function stage.resize(width, height)
  stage.width, stage.height = width, height
  stage.unit = math.max(math.min(width / 800, height / 600), 0.75)
  spawnpool.class("Airborne").bounds = stage.around()
  stage.dress()
end

return stage
