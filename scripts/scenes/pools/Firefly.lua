-- Glows and fades; when it ends, another follows somewhere else.
local spawnpool <const> = require "spawnpool"
local stage <const> = require "stage"

local Firefly <const> = spawnpool.class("Firefly", {
  group = "scenery",
  prealloc = 26, grow = 8, limit = 64,
  sprite = "glow", radius = 8, layer = 3, r = 1, g = 0.95, b = 0.5,
  over_life = { a = { 0, 0.9, 0.3, 0.9, 0 }, scale = { 0.6, 1, 0.7, 1, 0.6 } },
})

function Firefly:alloc(lifetime)
  local life <const> = lifetime < 0 and lifetime or 2 + math.random() * 4
  local fly <const>, why = Firefly.super.alloc(self, life, stage.width * math.random(),
    (stage.height - stage.PANEL) * (0.62 + 0.36 * math.random()))
  if not fly then return nil, why end
  fly.vx, fly.vy = math.random(-16, 16), math.random(-12, 8)
  return fly
end

function Firefly:on_despawn(_, why)
  if why == "expired" then self:alloc(0) end
end

return Firefly
