-- A wave that spreads from a position, in the colour of the object there.
local spawnpool <const> = require "spawnpool"

local Ripple <const> = spawnpool.class("Ripple", {
  prealloc = 32, grow = 16, limit = 128, overflow = "oldest",
  sprite = "wave", layer = 5,
  over_life = { a = { 0.9, 0.3, 0 }, scale = { 0.15, 0.75, 1 } },
})

---@param radius number in the end
---@param from spawnpool.Object
function Ripple:alloc(lifetime, x, y, radius, from)
  local wave <const>, why = Ripple.super.alloc(self, lifetime, x, y)
  if not wave then return nil, why end
  wave.radius, wave.r, wave.g, wave.b = radius, from.r, from.g, from.b
  return wave
end

return Ripple
