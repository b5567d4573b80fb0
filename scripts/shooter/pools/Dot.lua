-- One dot of a letter (see banner.lua): it flies in, rests, and leaves as a spark.
local spawnpool <const> = require "spawnpool"

local Dot <const> = spawnpool.class("Dot", {
  prealloc = 160, grow = 32, limit = 400,
  sprite = "square", radius = 5, layer = 0,
  fields = { goal_x = 0, goal_y = 0 },
})

local pools <const> = spawnpool.pools

function Dot:on_despawn(dot, why)
  if why ~= "expired" or math.random() < 0.4 then return end
  local spark <const> = pools:alloc("Spark", 0.5 + math.random() * 0.4, dot.x, dot.y, math.random() * 6.28, 90)
  if spark then spark.r, spark.g, spark.b = dot.r, dot.g, dot.b end
end

return Dot
