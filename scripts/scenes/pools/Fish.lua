-- Swims to one side for ever: it wraps at the edges.
local spawnpool <const> = require "spawnpool"
local stage <const> = require "stage"

local Fish <const> = spawnpool.class("Fish", {
  group = "scenery",
  prealloc = 12, grow = 6, limit = 48,
  sprite = "fish", layer = 2,
  bounds = { x = -40, y = 0, w = 880, h = 600, outside = "wrap" },
})

local TINTS <const> = { { 1, 0.66, 0.35 }, { 0.98, 0.86, 0.45 }, { 0.5, 0.85, 0.95 }, { 0.95, 0.55, 0.6 } }

function Fish:alloc(lifetime)
  local fish <const>, why = Fish.super.alloc(self, lifetime, stage.width * math.random(),
    (stage.height - stage.PANEL) * (0.2 + 0.6 * math.random()))
  if not fish then return nil, why end
  local near <const>, tint <const> = math.random(), TINTS[math.random(#TINTS)]
  fish.radius, fish.vx = 9 + 12 * near, 26 + 44 * near
  fish.r, fish.g, fish.b, fish.a = tint[1], tint[2], tint[3], 0.45 + 0.5 * near
  return fish
end

return Fish
