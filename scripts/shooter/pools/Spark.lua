-- A glowing splinter. It slows down, fades, and stops at the end of its life, without code.
local spawnpool <const> = require "spawnpool"

local Spark <const> = spawnpool.class("Spark", {
  prealloc = 768, grow = 64, limit = 1024, overflow = "oldest",
  sprite = "streak", radius = 11, layer = 8,
  over_life = { a = { 1, 1, 0.9, 0.45, 0 }, scale = { 1, 0.4 } },
})

-- An override may have its own arguments: `speed` is not one of the library's.
---@param speed number
function Spark:alloc(lifetime, x, y, angle, speed)
  local spark <const>, why = Spark.super.alloc(self, lifetime, x, y, angle)
  if not spark then return nil, why end
  local vx <const>, vy <const> = math.cos(angle) * speed, math.sin(angle) * speed
  spark.vx, spark.vy = vx, vy
  spark.ax, spark.ay = -vx / lifetime, -vy / lifetime
  return spark
end

return Spark
