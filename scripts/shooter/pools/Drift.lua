-- Objects that drift down in the background: Star, Planet and Nebula extend it. The lifetime of such an object is the
-- time it needs to the lower edge, and each one that ends allocates the next. So the sky stays full without code that
-- checks their positions every frame.
local spawnpool <const> = require "spawnpool"
local stage <const> = require "stage"

local Drift <const> = spawnpool.class("Drift", { group = "sky" })

-- The last two arguments are for the variants, which choose them and call this.
---@param x? number
---@param y? number where it begins; just above the picture if not given
---@param speed number
---@param size number its radius
function Drift:alloc(lifetime, x, y, speed, size)
  if lifetime < 0 then return Drift.super.alloc(self, lifetime) end
  x, y = x or math.random() * stage.width, y or -size
  local object <const>, why = Drift.super.alloc(self, (stage.height + size - y) / speed, x, y)
  if not object then return nil, why end
  object.vy, object.radius = speed, size
  return object
end

-- `self:alloc` is the variant's alloc again.
function Drift:on_despawn(object, why)
  if why == "expired" then self:alloc(0) end
end

-- Allocates `count` of them as if they had been drifting for ever: each at a different part of its way down, at more or
-- less evenly spaced positions.
---@param count integer
function Drift:fill(count)
  for i = 1, count do
    local object <const> = self:alloc(0, (i - math.random()) * stage.width / count)
    local passed <const> = object.lifetime * math.random()
    object.y = object.y + object.vy * passed
    object.remaining = object.lifetime - passed
  end
end

return Drift
