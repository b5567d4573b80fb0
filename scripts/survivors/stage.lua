-- scripts/survivors/stage.lua
-- What part of the world is seen: 620 of its units from top to bottom, in a window of any size.
local stage <const> = { x = 0, y = 0, unit = 1, half_w = 550, half_h = 310 }

local HEIGHT <const> = 620

-- Shows the place of the hero in the middle.
---@param g spawnpool.Graphics
function stage.follow(g, x, y)
  stage.unit = g.height / HEIGHT
  stage.half_w, stage.half_h = g.width / stage.unit / 2, HEIGHT / 2
  stage.x, stage.y = x, y
  g:camera(x, y, stage.unit)
end

return stage
