-- scripts/fireworks/stage.lua
-- The size of the world: always 720 high, and as wide as the window is for that. The camera scales it into the window.
local spawnpool <const> = require "spawnpool"

local HEIGHT <const> = 720

local stage <const> = {
  width = 1280, height = HEIGHT,
  horizon = 596, -- y of the water's edge
  unit = 1, -- points of the window per unit of the world
}

-- Sparks end where they leave the sky: at the water, or far outside.
local function bound_sparks()
  spawnpool.class("Spark").bounds = {
    x = -400, y = -1200, w = stage.width + 800, h = stage.horizon + 1200, outside = "recycle",
  }
end

-- Takes over the size of the window; returns whether it has changed.
---@param g spawnpool.Graphics
---@return boolean
function stage.fit(g)
  local width <const> = HEIGHT * g.width / g.height
  stage.unit = g.height / HEIGHT
  if math.abs(width - stage.width) < 0.5 then return false end
  stage.width = width
  bound_sparks()
  return true
end

bound_sparks()
return stage
