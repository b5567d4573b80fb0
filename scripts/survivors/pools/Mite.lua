-- scripts/survivors/pools/Mite.lua
local spawnpool <const> = require "spawnpool"

local Mite <const> = spawnpool.class("Mite", {
  extends = "Enemy",
  prealloc = 2048,
  sprite = "mite", radius = 11, scale = 1.4, r = 0.78, g = 0.58, b = 1,
  fields = { health = 8 },
})

Mite.speed = 74

return Mite
