-- scripts/platformer/pools/Drop.lua
-- A drop of oil.
local spawnpool <const> = require "spawnpool"
local effects <const> = require "effects"
local session <const> = require "session"

local Drop <const> = spawnpool.class("Drop", {
  group = "room",
  sprite = "drop", radius = 4, animation = { frames = 4, fps = 9 }, box = { w = 10, h = 10 }, layer = 8,
})

-- A room that ends clears its drops ("cleared"); one that is taken counts.
function Drop:recycle(drop, why)
  if why == "recycled" then
    session.drops = session.drops + 1
    effects.sparkle("drop", drop.x, drop.y)
  end
  return Drop.super.recycle(self, drop, why)
end

return Drop
