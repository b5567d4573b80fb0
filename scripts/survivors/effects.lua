-- scripts/survivors/effects.lua
-- Sparks, rings of light and sounds of hits.
local spawnpool <const> = require "spawnpool"

local pools <const> = spawnpool.pools
local effects <const> = {}

local QUIET <const> = 0.05 -- seconds between two sounds of hits

local heard = 0

---@param count integer
function effects.sparks(x, y, count, r, g, b)
  for _ = 1, count do
    local spark <const> = pools:alloc("Spark", 0.25 + 0.35 * math.random(), x, y)
    if spark then
      spark:launch(math.random() * 6.28, 50 + 190 * math.random())
      spark.r, spark.g, spark.b = r, g, b
    end
  end
end

function effects.nova(x, y, radius, r, g, b)
  local wave <const> = pools:alloc("Wave", 0.5, x, y)
  if wave then wave.radius, wave.r, wave.g, wave.b = radius * 1.15, r, g, b end
  local glow <const> = pools:alloc("Glow", 0.4, x, y)
  if glow then glow.radius, glow.r, glow.g, glow.b = radius * 1.3, r, g, b end
end

function effects.hit()
  if pools.time - heard < QUIET and pools.time >= heard then return end
  heard = pools.time
  spawnpool.audio.play("hit", { volume = 0.45 })
end

return effects
