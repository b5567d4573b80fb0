-- Heads: a moon on a ring. Its position is relative to the ring, so only its parent moves it.
local spawnpool <const> = require "spawnpool"
local palette <const> = require "palette"

local pools <const> = spawnpool.pools

local Moon <const> = spawnpool.class("Moon", {
  group = "bodies",
  prealloc = 48, grow = 16, limit = 96,
  sprite = "ball", layer = 3,
  on_parent_end = "recycle",
})

---@param ring spawnpool.Object
function Moon:alloc(lifetime, ring)
  if lifetime < 0 then return Moon.super.alloc(self, lifetime) end
  local where <const> = math.random() * 6.28
  local moon <const>, why = Moon.super.alloc(self, lifetime, math.cos(where) * ring.radius,
    math.sin(where) * ring.radius, 0, ring)
  if not moon then return nil, why end
  moon.radius = 6 + math.random() * 7
  palette.dye(moon)
  return moon
end

-- Both ends of a life make a wave, allocated under the ring and detached at once: it keeps its world position.
---@param radius number
local function ripple(moon, radius)
  local wave <const> = pools:alloc("Ripple", 0.6, moon.x, moon.y, radius, moon)
  if not wave then return end
  wave.parent = moon.parent
  wave.parent = nil
end

function Moon:on_spawn(moon)
  if moon.parent then ripple(moon, 30) end
end

function Moon:on_despawn(moon, why)
  -- When it ends with its ring, the sun has a wave of its own.
  if why == "recycled" then ripple(moon, 44) end
end

return Moon
