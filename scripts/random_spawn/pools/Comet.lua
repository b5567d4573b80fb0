-- Heads, sometimes: a comet. When its parent ends it is detached, and flies on in its direction.
local spawnpool <const> = require "spawnpool"

local pools <const> = spawnpool.pools

local Comet <const> = spawnpool.class("Comet", {
  group = "bodies",
  prealloc = 16, grow = 8, limit = 48,
  sprite = "glow", radius = 13, layer = 4, r = 0.75, g = 0.95, b = 1,
  fields = { way = 1, free = false },
  on_parent_end = "detach",
  bounds = { x = -60, y = -60, w = 920, h = 720, outside = "recycle" },
})

local SPEED <const> = 95

-- Dust is allocated under the comet and detached at once, so it stays at that world position.
local function leave_dust(comet)
  local dust <const> = pools:alloc("Dust", 0.9, 0, 0, 0, comet)
  if dust then dust.parent = nil end
end

---@param ring spawnpool.Object
function Comet:alloc(lifetime, ring)
  if lifetime < 0 then return Comet.super.alloc(self, lifetime) end
  local where <const> = math.random() * 6.28
  local comet <const>, why = Comet.super.alloc(self, lifetime, math.cos(where) * ring.radius,
    math.sin(where) * ring.radius, where, ring)
  if not comet then return nil, why end
  comet.way = ring.spin < 0 and -1 or 1
  comet:every(0.05, leave_dust)
  return comet
end

-- Without its parent, its angle is that in the world: it leaves along the tangent of its circle.
function Comet:update()
  for comet in self:each() do
    if not comet.free and not comet.parent then
      comet.free = true
      local angle <const> = comet.angle + comet.way * math.pi / 2
      comet.vx, comet.vy = math.cos(angle) * SPEED, math.sin(angle) * SPEED
    end
  end
end

return Comet
