-- A child of its snowball. Its position follows the lifetime too: far from the ball when that is high up.
local spawnpool <const> = require "spawnpool"

return spawnpool.class("Shadow", {
  prealloc = 16, grow = 8, limit = 64,
  sprite = "glow", radius = 7, layer = 1, r = 0.08, g = 0.1, b = 0.22, a = 0.7,
  over_life = { x = { 2, 12, 16, 12, 2 }, y = { 3, 22, 30, 22, 3 } },
  on_parent_end = "recycle",
})
