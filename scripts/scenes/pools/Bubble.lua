-- Rises; when it ends, another follows from below.
local spawnpool <const> = require "spawnpool"
local stage <const> = require "stage"

local Bubble <const> = spawnpool.class("Bubble", {
  group = "scenery",
  prealloc = 24, grow = 8, limit = 64,
  sprite = "ring", layer = 4, r = 0.8, g = 0.98, b = 1,
  over_life = { a = { 0, 0.5, 0.5, 0.4, 0 } },
})

function Bubble:alloc(lifetime)
  local life <const> = lifetime < 0 and lifetime or 3 + math.random() * 5
  local bubble <const>, why = Bubble.super.alloc(self, life, stage.width * math.random(),
    (stage.height - stage.PANEL) * (0.5 + 0.5 * math.random()))
  if not bubble then return nil, why end
  bubble.radius, bubble.vy, bubble.vx = 2 + 4 * math.random(), -30 - 40 * math.random(), math.random(-5, 5)
  return bubble
end

function Bubble:on_despawn(_, why)
  if why == "expired" then self:alloc(0) end
end

return Bubble
