-- Toys can be taken along. Lantern and Balloon extend it: 15 idle ones are kept of each, any number may be live.
local spawnpool <const> = require "spawnpool"

local pools <const> = spawnpool.pools

local Toy <const> = spawnpool.class("Toy", {
  group = "toys",
  idle_limit = 15, grow = 1,
  layer = 5,
  sound = { spawn = "toy", recycle = "back" },
  bounds = { x = 20, y = 20, w = 760, h = 440, outside = "bounce" },
})

local TINTS <const> = {
  { 1.00, 0.62, 0.42 }, { 1.00, 0.80, 0.45 }, { 0.98, 0.52, 0.60 }, { 0.62, 0.86, 0.60 }, { 0.52, 0.80, 1.00 },
  { 0.82, 0.66, 1.00 },
}

-- Two waves: one at its new position, one at its old.
local function wave(toy, radius)
  pools:alloc("Wave", 0.7, { x = toy.x, y = toy.y, r = toy.r, g = toy.g, b = toy.b, radius = radius })
end

function Toy:on_spawn(toy)
  local tint <const> = TINTS[math.random(#TINTS)]
  toy.r, toy.g, toy.b = tint[1], tint[2], tint[3]
  toy.vx, toy.vy = math.random(-22, 22), math.random(-12, 12)
  wave(toy, 60)
end

function Toy:on_despawn(toy) wave(toy, 40) end

-- The queue is full: this object is destroyed when the function returns.
function Toy:on_reject(toy)
  pools:alloc("Wave", 0.9, { x = toy.x, y = toy.y, r = 1, g = 0.3, b = 0.25, radius = 90 })
end

-- All sway a little, each with its own phase.
local function sway(toy, _, age) return 0.12 * math.sin(age * 1.7 + toy.id) end

function Toy:update() self:map({ "angle", "age" }, sway) end

return Toy
