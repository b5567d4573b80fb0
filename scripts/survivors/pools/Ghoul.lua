-- scripts/survivors/pools/Ghoul.lua
local spawnpool <const> = require "spawnpool"

local Ghoul <const> = spawnpool.class("Ghoul", {
  extends = "Enemy",
  prealloc = 1024,
  sprite = "ghoul", radius = 14, scale = 1.35, layer = 3, r = 0.5, g = 1, b = 0.9,
  fields = { health = 22 },
})

Ghoul.speed = 60
Ghoul.damage = 9
Ghoul.value = 3

return Ghoul
