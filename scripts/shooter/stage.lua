-- The size of the frame, and functions for positions in it. The first frame sets the real size.
local spawnpool <const> = require "spawnpool"

local stage <const> = { width = 800, height = 600 }

---@param x number
---@param y number
---@param margin number how far outside still counts as inside
function stage.has(x, y, margin)
  return x > -margin and x < stage.width + margin and y > -margin and y < stage.height + margin
end

-- Clamps a number between two others.
---@param v number
---@param least number
---@param most number
---@return number
function stage.clamp(v, least, most)
  return v < least and least or v > most and most or v
end

-- Returns the frame plus a margin, as the bounds of a class.
---@param margin number
---@return spawnpool.Bounds
function stage.around(margin)
  return {
    x = -margin, y = -margin, w = stage.width + 2 * margin, h = stage.height + 2 * margin, outside = "recycle",
  }
end

-- Settings of a class may change at any time: classes that extend it follow.
---@param width number
---@param height number
function stage.resize(width, height)
  stage.width, stage.height = width, height
  spawnpool.class("Projectile").bounds = stage.around(30)
  spawnpool.class("Enemy").bounds = stage.around(150)
end

return stage
