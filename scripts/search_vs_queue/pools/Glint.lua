-- A new sample at the end of a bar.
local spawnpool <const> = require "spawnpool"

return spawnpool.class("Glint", {
  prealloc = 4, grow = 4, limit = 32, overflow = "oldest",
  sprite = "glow", radius = 60, layer = 1,
  over_life = { a = { 0.9, 0.4, 0 }, scale = { 0.3, 1 } },
})
