-- One point of the star field: near ones are fast, large and bright.
local spawnpool <const> = require "spawnpool"

local Star <const> = spawnpool.class("Star", {
  extends = "Drift",
  prealloc = 256, grow = 64,
  layer = -10,
})

function Star:alloc(lifetime, x, y)
  local near <const>, warm <const> = math.random() ^ 2.2, math.random()
  local star <const>, why = Star.super.alloc(self, lifetime, x, y, 16 + 150 * near, 0.7 + 1.1 * near)
  if not star then return nil, why end
  star.r, star.g, star.b, star.a = 0.68 + 0.32 * warm, 0.8, 1 - 0.25 * warm, 0.25 + 0.65 * near
  if near > 0.8 then star.sprite, star.radius = "flare", 8 end
  return star
end

return Star
