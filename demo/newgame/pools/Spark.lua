-- Small, many, and short-lived: the pool reuses them, so a thousand a second make no garbage.
local spawnpool <const> = require "spawnpool"

local Spark <const> = spawnpool.class("Spark", {
  prealloc = 256, grow = 128,
  sprite = "spark", radius = 7, layer = 1,
  motion = { gravity = 60, drag = 1.5 },
  over_life = { a = { 0.9, 0 }, scale = { 1, 0.2 } },
})

---@param lifetime? number
---@param x number
---@param y number
---@param angle number
function Spark:alloc(lifetime, x, y, angle)
  local spark <const>, why = Spark.super.alloc(self, lifetime, x, y, angle)
  if not spark then return nil, why end
  local speed <const> = math.random(20, 160)
  spark:launch(angle, speed)
  return spark
end

return Spark
