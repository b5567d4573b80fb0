local spawnpool <const> = require "spawnpool"

return spawnpool.class("Glint", {
  prealloc = 4, grow = 4, limit = 16,
  sprite = "row", radius = 100, layer = 21,
  over_life = { a = { 0.9, 0 }, scale = { 1, 1.06 } },
})
