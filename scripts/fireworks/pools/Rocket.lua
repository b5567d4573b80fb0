-- scripts/fireworks/pools/Rocket.lua
-- Rises behind the roofs with a tail of embers, and becomes a shell and a note when its time is over.
local spawnpool <const> = require "spawnpool"
local shells <const> = require "shells"
local stage <const> = require "stage"

local pools <const>, audio <const> = spawnpool.pools, spawnpool.audio

local Rocket <const> = spawnpool.class("Rocket", {
  prealloc = 32, grow = 16, limit = 128,
  sprite = "ember", radius = 7, layer = 4, g = 0.86, b = 0.6,
  fields = { kind = "peony", size = 1, color = 1, note = 1 },
})

function Rocket:update()
  for rocket in self:each() do
    local ember <const> = pools:alloc("Ember", 0.3 + 0.5 * math.random(), rocket.x, rocket.y)
    if ember then ember.vx, ember.vy = math.random(-14, 14), rocket.vy * 0.25 + math.random(20) end
  end
end

function Rocket:on_despawn(rocket, why)
  if why ~= "expired" then return end
  shells.burst(rocket.kind, rocket.x, rocket.y, rocket.size, shells.colors[rocket.color])
  local pan <const> = math.max(-1, math.min(rocket.x / stage.width * 2 - 1, 1)) * 0.7
  audio.play("bell" .. rocket.note, { volume = 0.55, pan = pan })
  audio.play("burst", { volume = 0.28 * rocket.size, pan = pan })
end

return Rocket
