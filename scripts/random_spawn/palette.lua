-- Colours that look well together on the dark window.
local palette <const> = {}

local colours <const> = {
  { 0.96, 0.45, 0.42 }, -- coral
  { 0.98, 0.72, 0.38 }, -- apricot
  { 0.62, 0.84, 0.52 }, -- leaf
  { 0.36, 0.80, 0.78 }, -- lagoon
  { 0.47, 0.60, 0.97 }, -- cornflower
  { 0.76, 0.56, 0.95 }, -- lilac
}

-- Gives an object the colour of that number, or a random one.
---@param object spawnpool.Object
---@param number? integer
function palette.dye(object, number)
  local colour <const> = colours[number and (number - 1) % #colours + 1 or math.random(#colours)]
  object.r, object.g, object.b = colour[1], colour[2], colour[3]
end

return palette
