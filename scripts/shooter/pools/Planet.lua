-- Before the clouds and the stars, one at a time.
local spawnpool <const> = require "spawnpool"
local stage <const> = require "stage"

local Planet <const> = spawnpool.class("Planet", {
  extends = "Drift",
  prealloc = 1, grow = 1,
  sprite = "planet", layer = -8,
})

function Planet:alloc(lifetime, _, y)
  local size <const> = (0.22 + 0.2 * math.random()) * stage.height
  -- Near a side, for any argument: the middle belongs to the ship.
  local x = stage.width * (0.12 + 0.14 * math.random())
  if math.random() < 0.5 then x = stage.width - x end
  return Planet.super.alloc(self, lifetime, x, y, 13, size)
end

return Planet
