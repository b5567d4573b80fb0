-- The star field. A star's lifetime is the time it needs to the lower edge, and each one that has passed calls the
-- next: the sky stays full, and no code looks at any star in between.
local spawnpool <const> = require "spawnpool"
local stage <const> = require "stage"

local Star <const> = spawnpool.class("Star", {
  prealloc = 160, grow = 64,
  layer = -10,
})

-- Near stars (depth 1) are fast, large and bright.
---@param y? number where it enters; the upper edge if not given
function Star:alloc(lifetime, x, y)
  if lifetime < 0 then return Star.super.alloc(self, lifetime) end
  local depth <const> = math.random() ^ 2.2
  local speed <const> = 16 + 150 * depth
  y = y or -4
  local star <const>, why = Star.super.alloc(self, (stage.height + 4 - y) / speed, x or math.random() * stage.width, y)
  if not star then return nil, why end
  local warm <const> = math.random()
  star.vy = speed
  star.radius = 0.7 + 1.1 * depth
  star.a = 0.25 + 0.65 * depth
  star.r, star.g, star.b = 0.68 + 0.32 * warm, 0.8, 1 - 0.25 * warm
  if depth > 0.8 then star.sprite, star.radius = "flare", 7 end
  return star
end

function Star:on_despawn(star, why)
  if why == "expired" then self:alloc(0) end
end

-- `count` stars, all over the picture.
---@param count integer
function Star:fill(count)
  for _ = 1, count do self:alloc(0, nil, math.random() * stage.height) end
end

return Star
