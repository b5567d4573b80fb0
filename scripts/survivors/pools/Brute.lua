-- scripts/survivors/pools/Brute.lua
local spawnpool <const> = require "spawnpool"

local Brute <const> = spawnpool.class("Brute", {
  extends = "Enemy",
  prealloc = 256,
  sprite = "brute", radius = 24, scale = 1.35, layer = 4, r = 1, g = 0.56, b = 0.46,
  fields = { health = 120 },
})

Brute.speed = 46
Brute.damage = 16
Brute.value = 12

return Brute
