-- The centre of a system. When its lifetime ends its rings end with it, and another sun takes the seat.
local spawnpool <const> = require "spawnpool"
local palette <const> = require "palette"
local stage <const> = require "stage"

local pools <const> = spawnpool.pools

local Sun <const> = spawnpool.class("Sun", {
  prealloc = 4, grow = 4, limit = 16,
  sprite = "sun", layer = 2,
  fields = { seat = 0, size = 1 },
  sound = { recycle = "sun" },
  -- Swells for a seventh of its life, shines, and flares up at the end.
  over_life = { scale = { 0.4, 1, 1, 1, 1, 1, 1, 1.5 }, a = { 0, 1, 1, 1, 1, 1, 1, 0.7 } },
})

local RINGS <const> = { 56, 92, 128 } -- their radii in a system of size 1

---@param size number
---@param seat integer of those in stage.lua
function Sun:alloc(lifetime, x, y, size, seat)
  local sun <const>, why = Sun.super.alloc(self, lifetime, x, y)
  if not sun then return nil, why end
  sun.size, sun.seat, sun.radius = size, seat, 52 * size
  palette.dye(sun)
  local way = math.random() < 0.5 and 1 or -1
  for i = 1, #RINGS do
    pools:alloc("Ring", 0, sun, RINGS[i] * size, way * (0.75 - 0.16 * i))
    way = -way
  end
  return sun
end

function Sun:on_despawn(sun, why)
  pools:alloc("Ripple", 0.9, sun.x, sun.y, 190 * sun.size, sun)
  if why ~= "recycled_all" then stage.place_sun(sun.seat) end
end

return Sun
