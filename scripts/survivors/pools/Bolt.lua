-- scripts/survivors/pools/Bolt.lua
-- Flies straight; `left` is how many creatures it still hurts, `last` the one that it hurt last.
local spawnpool <const> = require "spawnpool"

return spawnpool.class("Bolt", {
  group = "world",
  prealloc = 256, grow = 64, limit = 512,
  sprite = "bolt", radius = 9, scale = 2.2, layer = 8, r = 1, g = 0.85, b = 0.45,
  fields = { left = 1, last = spawnpool.ref },
})
