-- The size of the scene, and the part of it above the panel. It is always about 600 high: the camera scales it into the
-- window.
local spawnpool <const> = require "spawnpool"

local pools <const> = spawnpool.pools

local HEIGHT <const>, LEAST_WIDTH <const> = 600, 640

local stage <const> = {
  width = 800, height = HEIGHT, -- until the first frame is drawn
  unit = 1, -- points of the window per unit of the scene
  PANEL = 134,
  TOYS = { "Lantern", "Balloon" },
}

---@return number x, number y
function stage.anywhere()
  return stage.width * (0.06 + 0.88 * math.random()), (stage.height - stage.PANEL) * (0.1 + 0.75 * math.random())
end

-- Settings of a class may change at any time; those of Lantern itself override its parent's.
local function set_bounds()
  local width <const>, height <const> = stage.width, stage.height
  local sky <const> = height - stage.PANEL
  for _, type in ipairs(stage.TOYS) do
    pools:pool(type).class.bounds = { x = 20, y = 20, w = width - 40, h = sky - 30, outside = "bounce" }
  end
  pools:pool("Fish").class.bounds = { x = -40, y = 0, w = width + 80, h = height, outside = "wrap" }
end

-- Takes over the size of the window, and points the camera; returns whether the scene has another size now.
---@param g spawnpool.Graphics
---@return boolean
function stage.fit(g)
  local unit <const> = math.min(g.height / HEIGHT, g.width / LEAST_WIDTH)
  local width <const>, height <const> = g.width / unit, g.height / unit
  stage.unit = unit
  g:camera(width / 2, height / 2, unit)
  if math.abs(width - stage.width) < 0.5 and math.abs(height - stage.height) < 0.5 then return false end
  stage.width, stage.height = width, height
  set_bounds()
  return true
end

return stage
