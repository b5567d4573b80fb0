-- Between the hills and the wood: a leaf that is a few pixels wide.
local spawnpool <const> = require "spawnpool"

local Scrap <const> = spawnpool.class("Scrap", {
  extends = "Airborne",
  sprite = "leaf", layer = -40,
})

Scrap.depth = 0.62
Scrap.least, Scrap.most = 1.2, 2.5
Scrap.tints = { { 0.90, 0.40, 0.20 }, { 0.98, 0.60, 0.24 }, { 0.72, 0.26, 0.20 }, { 1, 0.76, 0.36 } }

function Scrap:dress(scrap)
  Scrap.super.dress(self, scrap)
  scrap.angle, scrap.spin = math.random() * 6.28, math.random() * 8 - 4
end

return Scrap
