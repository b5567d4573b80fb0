-- Thrown by a blast in a random direction, and pulled down again.
local spawnpool <const> = require "spawnpool"

local Spark <const> = spawnpool.class("Spark", {
  prealloc = 512, grow = 128, limit = 4096, overflow = "oldest",
  sprite = "ember", radius = 5, layer = 45,
  motion = { gravity = 180, drag = 2.2 },
  over_life = { a = { 1, 0.9, 0 }, g = { 0.9, 0.6, 0.25 }, b = { 0.6, 0.25, 0.1 }, scale = { 1.2, 0.4 } },
})

function Spark:alloc(lifetime, x, y)
  local spark <const>, why = Spark.super.alloc(self, lifetime, x, y)
  if not spark then return nil, why end
  local angle <const>, speed <const> = math.random() * 6.28, 120 + 620 * math.random()
  spark.vx, spark.vy = speed * math.cos(angle), speed * math.sin(angle)
  return spark
end

return Spark
