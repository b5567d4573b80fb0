-- Where the air goes: a field of streams. What is spawned at a place gets the stream there as an acceleration that the
-- drag of its class balances, so it drifts along, and comes back to that after a blast.
local spawnpool <const> = require "spawnpool"

local pools <const> = spawnpool.pools
local wind <const> = { speed = 120 } -- points per second, on the average, of what is near

-- The stream at a place: along x and y, as parts of the speed of the wind. Waves over waves: they make the bands that
-- leaves fly in.
---@return number along, number down
function wind.at(x, y)
  local time <const> = pools.time
  local long <const> = math.sin(x * 0.0031 + y * 0.0083 - time * 0.45)
  local short <const> = math.sin(x * 0.0094 - y * 0.0061 + long * 1.7 + time * 0.3)
  return 1 + 0.42 * long + 0.22 * short, 0.34 * short - 0.26 * long
end

return wind
