-- scripts/garden/pools/Speck.lua
-- Petals, leaves and dust: `sprite` and colour say which.
local spawnpool <const> = require "spawnpool"

return spawnpool.class("Speck", {
  group = "passing",
  prealloc = 64, limit = 256, overflow = "oldest",
  sprite = "petal", radius = 2, layer = 500,
  motion = { drag = 1.5, gravity = 60 },
  over_life = { a = { 1, 1, 0 } },
})
