-- The size of the frame, and the part of it above the panel.
local spawnpool <const> = require "spawnpool"

local pools <const> = spawnpool.pools

local stage <const> = {
  width = 800, height = 600, -- until the first frame is drawn
  PANEL = 134,
  TOYS = { "Lantern", "Balloon" },
}

---@return number x, number y
function stage.anywhere()
  return stage.width * (0.06 + 0.88 * math.random()), (stage.height - stage.PANEL) * (0.1 + 0.75 * math.random())
end

---@param width number
---@param height number
function stage.resize(width, height)
  stage.width, stage.height = width, height
  local sky <const> = math.max(height - stage.PANEL, 40)
  -- Settings of a class may change at any time; those of Lantern itself override its parent's.
  for _, type in ipairs(stage.TOYS) do
    pools:pool(type).class.bounds = { x = 20, y = 20, w = math.max(width - 40, 40), h = sky - 30, outside = "bounce" }
  end
  pools:pool("Fish").class.bounds = { x = -40, y = 0, w = width + 80, h = height, outside = "wrap" }
end

return stage
