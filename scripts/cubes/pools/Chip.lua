-- Fragments of a recycled cube. At most 160 at once: then the oldest is recycled.
local spawnpool <const> = require "spawnpool"

local Chip <const> = spawnpool.class("Chip", {
  prealloc = 32, grow = 16, limit = 160, overflow = "oldest",
  sprite = "square", radius = 6, layer = 4,
  motion = { gravity = 420 },
  over_life = { a = { 1, 0 }, scale = { 1, 0.3 } },
})

function Chip:alloc(lifetime, x, y, angle)
  local chip <const>, why = Chip.super.alloc(self, lifetime, x, y, angle)
  if not chip then return nil, why end
  local speed <const> = math.random(60, 260)
  chip.vx, chip.vy = math.cos(angle) * speed, math.sin(angle) * speed - 80
  chip.spin = math.random(-8, 8)
  return chip
end

return Chip
