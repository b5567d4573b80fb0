-- Nearest: a leaf that passes the camera, out of focus.
local spawnpool <const> = require "spawnpool"

local Blur <const> = spawnpool.class("Blur", {
  extends = "Leaf",
  sprite = "blur", layer = 40,
  motion = { drag = 1.6 },
  over_life = { a = { 0, 0.7, 0.7, 0 } },
})

Blur.depth = 2.3
Blur.least, Blur.most = 14, 34
Blur.longest = 4

return Blur
