-- Farthest: a point of dust or snow before the sky, too small to have a shape.
local spawnpool <const> = require "spawnpool"

local Mote <const> = spawnpool.class("Mote", {
  extends = "Airborne",
  sprite = "mote", layer = -50,
  motion = { drag = 0.8 },
})

Mote.depth = 0.34
Mote.least, Mote.most = 0.6, 1.3
Mote.longest = 12
Mote.tints = { { 0.96, 0.62, 0.44 }, { 0.80, 0.44, 0.42 }, { 1, 0.80, 0.58 }, { 0.62, 0.38, 0.50 } }

return Mote
