-- Marks on the ground that fade. Footprint, Splat and Dent extend it; each has a pool of its own.
local spawnpool <const> = require "spawnpool"

return spawnpool.class("Decal", {
  group = "decals",
  layer = -5,
  over_life = { a = { 0.6, 0.6, 0.45, 0.2, 0 } },
  overflow = "oldest", -- at the limit the faintest one is recycled
})
