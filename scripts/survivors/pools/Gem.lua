-- scripts/survivors/pools/Gem.lua
-- Experience, left by a creature. When there are too many, the oldest goes.
local spawnpool <const> = require "spawnpool"

return spawnpool.class("Gem", {
  group = "world",
  prealloc = 900, limit = 900, overflow = "oldest",
  sprite = "gem", radius = 7, layer = 1, r = 0.45, g = 0.8, b = 1,
  fields = { value = 1 },
})
