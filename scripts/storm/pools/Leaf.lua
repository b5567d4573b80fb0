-- Before the wood: near enough to be seen tumbling.
local spawnpool <const> = require "spawnpool"

local Leaf <const> = spawnpool.class("Leaf", {
  extends = "Airborne",
  sprite = "leaf", layer = 10,
  motion = { drag = 1.4 },
})

Leaf.depth = 1
Leaf.sinks = 0.24
Leaf.least, Leaf.most = 2.6, 8
Leaf.longest = 7
Leaf.tints = { { 0.93, 0.36, 0.12 }, { 1, 0.62, 0.16 }, { 0.74, 0.20, 0.14 }, { 1, 0.80, 0.30 }, { 0.55, 0.30, 0.14 } }

function Leaf:dress(leaf)
  Leaf.super.dress(self, leaf)
  leaf.angle, leaf.spin = math.random() * 6.28, (math.random() * 2 - 1) * 7
end

return Leaf
