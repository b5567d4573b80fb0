-- The size of the sky, and functions for positions in it. It is always about 600 high: the camera scales it into the
-- window, and a wide window shows more of its sides. The first frame sets the real size.
local spawnpool <const> = require "spawnpool"

local HEIGHT <const>, LEAST_WIDTH <const> = 600, 560

local stage <const> = {
  width = 800, height = HEIGHT,
  unit = 1, -- points of the window per unit of the sky
  text = 1, -- the same for letters, which stay readable in small windows
}

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
local function set_bounds()
  spawnpool.class("Projectile").bounds = stage.around(30)
  spawnpool.class("Enemy").bounds = stage.around(150)
end

-- Takes over the size of the window, and points the camera; returns whether the sky has another size now.
---@param g spawnpool.Graphics
---@return boolean
function stage.fit(g)
  local unit <const> = math.min(g.height / HEIGHT, g.width / LEAST_WIDTH)
  local width <const>, height <const> = g.width / unit, g.height / unit
  stage.unit, stage.text = unit, math.max(unit, 0.7)
  g:camera(width / 2, height / 2, unit)
  if math.abs(width - stage.width) < 0.5 and math.abs(height - stage.height) < 0.5 then return false end
  stage.width, stage.height = width, height
  set_bounds()
  return true
end

return stage
