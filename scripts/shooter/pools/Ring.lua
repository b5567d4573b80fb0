-- The shock wave of an explosion.
local spawnpool <const> = require "spawnpool"

return spawnpool.class("Ring", {
  prealloc = 16, grow = 8, limit = 64, overflow = "oldest",
  sprite = "wave", layer = 3,
  over_life = { a = { 0.8, 0 }, scale = { 0, 0.44, 0.75, 0.94, 1 } },
})
