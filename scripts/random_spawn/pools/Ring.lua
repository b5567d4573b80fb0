-- A parent: it sits on its sun and turns. Its children turn with it.
local spawnpool <const> = require "spawnpool"

local Ring <const> = spawnpool.class("Ring", {
  prealloc = 12, grow = 6, limit = 48,
  sprite = "orbit", layer = 1, a = 0.34,
  on_parent_end = "recycle",
})

---@param sun spawnpool.Object
---@param radius number
---@param spin number radians per second
function Ring:alloc(lifetime, sun, radius, spin)
  if lifetime < 0 then return Ring.super.alloc(self, lifetime) end
  local ring <const>, why = Ring.super.alloc(self, lifetime, 0, 0, math.random() * 6.28, sun)
  if not ring then return nil, why end
  ring.radius, ring.spin = radius, spin
  ring.r, ring.g, ring.b = 0.5 + sun.r / 2, 0.5 + sun.g / 2, 0.5 + sun.b / 2
  return ring
end

return Ring
