-- The ship of a player. It comes from a pool like everything else; ship.lua flies it.
local spawnpool <const> = require "spawnpool"

return spawnpool.class("Ship", {
  prealloc = 1, grow = 1, limit = 2,
  sprite = "ship", radius = 7, scale = 5, layer = 7, angle = -math.pi / 2,
  sound = { spawn = "ready", recycle = "lost" },
})
