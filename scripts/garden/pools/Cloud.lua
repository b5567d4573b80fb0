-- scripts/garden/pools/Cloud.lua
-- The shadow of a cloud.
local spawnpool <const> = require "spawnpool"

return spawnpool.class("Cloud", {
  group = "garden",
  grow = 2,
  sprite = "cloud", radius = 64, layer = 700, vx = 7, vy = 1,
  bounds = { x = -70, y = -30, w = 460, h = 240, outside = "wrap" },
})
