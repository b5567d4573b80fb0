-- The wave that runs out of an explosion.
local spawnpool <const> = require "spawnpool"

return spawnpool.class("Ring", {
  prealloc = 16, grow = 8, limit = 64, overflow = "oldest",
  sprite = "wave", scale = 0, layer = 3,
})
