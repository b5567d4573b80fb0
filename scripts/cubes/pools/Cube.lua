-- A pool with a class: it overrides both calls, and calls its super for the work.
local spawnpool <const> = require "spawnpool"
local palette <const> = require "palette"
local stage <const> = require "stage"

local pools <const> = spawnpool.pools

local CHIPS <const> = 9 -- fragments of a cube

local Cube <const> = spawnpool.class("Cube", {
  prealloc = 8, -- created by the first alloc, or by a prewarm
  grow = 4, -- created at once when all are live
  sprite = "cube", radius = 26, layer = 3,
  sound = { spawn = "drop", recycle = "break" }, -- each is heard from where it is
})

-- `self` is the pool. When the base returns, every field has the value of the class, whatever the slot held before.
---@param lifetime? number seconds; below 0 the base makes the pool ready and returns nil, "prewarmed"
---@param x? number
---@param y? number
function Cube:alloc(lifetime, x, y)
  local cube <const>, why = Cube.super.alloc(self, lifetime, x or (stage.anywhere()), y or -30)
  if not cube then return nil, why end
  cube.vx, cube.vy, cube.ay = math.random(-90, 90), 60, 520
  cube.angle, cube.spin = math.random() * 6.28, math.random() * 4 - 2
  cube.r, cube.g, cube.b = palette.any()
  return cube
end

-- Called for every end: a click, recycle_all, or the end of its five seconds. The cube is still readable.
function Cube:recycle(cube)
  for i = 1, CHIPS do
    local chip <const> = pools:alloc("Chip", 0.5 + math.random() * 0.4, cube.x, cube.y, i * 6.28 / CHIPS)
    if chip then chip.r, chip.g, chip.b = cube.r, cube.g, cube.b end
  end
  return Cube.super.recycle(self, cube)
end

return Cube
