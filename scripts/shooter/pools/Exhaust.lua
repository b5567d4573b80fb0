-- The trail of an engine.
local spawnpool <const> = require "spawnpool"

return spawnpool.class("Exhaust", {
  prealloc = 192, grow = 32, limit = 400, overflow = "oldest",
  sprite = "spark", radius = 9, layer = 1,
  over_life = { a = { 0.55, 0 }, scale = { 1, 0.4 } },
})
