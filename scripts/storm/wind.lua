-- The wind: a field of streams. A sprite gets the stream at its position as an acceleration that the drag of its class
-- balances, so it drifts along, and returns to that speed after a blast.
local spawnpool <const> = require "spawnpool"

local pools <const> = spawnpool.pools
local wind <const> = { speed = 120 } -- points per second, the average of near sprites

-- Returns the stream at a position, along x and y, as fractions of the wind's speed. Superposed waves form the bands in
-- which leaves fly.
---@return number along, number down
function wind.at(x, y)
  local time <const> = pools.time
  local long <const> = math.sin(x * 0.0031 + y * 0.0083 - time * 0.45)
  local short <const> = math.sin(x * 0.0094 - y * 0.0061 + long * 1.7 + time * 0.3)
  return 1 + 0.42 * long + 0.22 * short, 0.34 * short - 0.26 * long
end

return wind
