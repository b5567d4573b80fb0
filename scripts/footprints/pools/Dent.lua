-- The mark of a fallen walker.
local spawnpool <const> = require "spawnpool"

return spawnpool.class("Dent", {
  extends = "Decal",
  prealloc = 8, grow = 8, limit = 48,
  sprite = "splat", radius = 24, r = 0.14, g = 0.18, b = 0.36,
})
