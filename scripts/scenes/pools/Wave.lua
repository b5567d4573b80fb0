local spawnpool <const> = require "spawnpool"

return spawnpool.class("Wave", {
  prealloc = 32, grow = 16, limit = 96, overflow = "oldest",
  sprite = "wave", layer = 6,
  over_life = { a = { 0.9, 0.35, 0 }, scale = { 0.2, 0.8, 1 } },
})
