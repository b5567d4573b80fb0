-- Large faint clouds: the colour of the sky.
local spawnpool <const> = require "spawnpool"
local stage <const> = require "stage"

local Nebula <const> = spawnpool.class("Nebula", {
  extends = "Drift",
  prealloc = 8, grow = 4,
  sprite = "haze", layer = -20,
})

local TINTS <const> = { { 0.34, 0.22, 0.8 }, { 0.10, 0.38, 0.68 }, { 0.6, 0.16, 0.52 }, { 0.08, 0.45, 0.52 } }

function Nebula:alloc(lifetime, x, y)
  local size <const> = (0.28 + 0.3 * math.random()) * math.max(stage.width, stage.height)
  local cloud <const>, why = Nebula.super.alloc(self, lifetime, x, y, 9, size)
  if not cloud then return nil, why end
  local tint <const> = TINTS[math.random(#TINTS)]
  cloud.r, cloud.g, cloud.b, cloud.a = tint[1], tint[2], tint[3], 0.22 + 0.16 * math.random()
  return cloud
end

return Nebula
