-- The light where a lane looked; it lasts half a second.
local spawnpool <const> = require "spawnpool"

return spawnpool.class("Look", {
  prealloc = 96, grow = 32, limit = 256, overflow = "oldest",
  sprite = "glow", radius = 22, layer = 1,
  over_life = { a = { 0.9, 0.25, 0 }, scale = { 1, 0.5 } },
})
