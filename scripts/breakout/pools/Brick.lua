-- scripts/breakout/pools/Brick.lua
local spawnpool <const> = require "spawnpool"

return spawnpool.class("Brick", {
  prealloc = 1056, grow = 32,
  sprite = "brick", radius = 10, layer = 2,
  fields = { row = 1 },
})
