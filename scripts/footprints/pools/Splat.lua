-- The mark of a landed snowball.
local spawnpool <const> = require "spawnpool"

local Splat <const> = spawnpool.class("Splat", {
  extends = "Decal",
  prealloc = 32, grow = 16, limit = 96,
  sprite = "splat", radius = 13, r = 0.93, g = 0.96, b = 1,
  sound = "splat",
  over_life = { a = { 1, 0.8, 0.5, 0.2, 0 } },
})

function Splat:on_spawn(splat) splat.angle = math.random() * 6.28 end

return Splat
