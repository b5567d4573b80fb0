-- The colors of the game: red, green and blue, 0 to 1 each. Any file may require this one; it reloads like all others.
local colors <const> = {
  list = {
    { 1.0, 0.45, 0.35 },
    { 1.0, 0.8, 0.3 },
    { 0.4, 0.85, 0.55 },
    { 0.4, 0.7, 1.0 },
  },
}

local turned = 0

---@return number red, number green, number blue
function colors.any()
  local color <const> = colors.list[math.random(#colors.list)]
  return color[1 + turned % 3], color[1 + (turned + 1) % 3], color[1 + (turned + 2) % 3]
end

-- Rotates the colors: red becomes green, green blue, and blue red.
function colors.turn() turned = turned + 1 end

return colors
