-- scripts/survivors/pools/Spark.lua
local spawnpool <const> = require "spawnpool"

return spawnpool.class("Spark", {
  group = "world",
  prealloc = 2048, grow = 256, limit = 3000, overflow = "oldest",
  sprite = "light", radius = 5, layer = 7,
  motion = { drag = 4 },
  over_life = { a = { 1, 0.9, 0 }, scale = { 1.3, 0.5 } },
})
