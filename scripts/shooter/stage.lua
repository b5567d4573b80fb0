-- The size of the picture, and questions about places in it. The first picture tells the real size.
local stage <const> = { width = 800, height = 600 }

---@param x number
---@param y number
---@param margin number how far outside still counts as inside
function stage.has(x, y, margin)
  return x > -margin and x < stage.width + margin and y > -margin and y < stage.height + margin
end

-- Keeps a number between two others.
---@param v number
---@param least number
---@param most number
---@return number
function stage.clamp(v, least, most)
  return v < least and least or v > most and most or v
end

return stage
