-- The fire in the middle: light on the snow, and embers from a timer.
local spawnpool <const> = require "spawnpool"

local pools <const> = spawnpool.pools

local Fire <const> = spawnpool.class("Fire", {
  prealloc = 1, grow = 1, limit = 1,
  sprite = "glow", radius = 170, layer = -4, r = 1, g = 0.55, b = 0.22, a = 0.4,
})

local function burn(fire)
  fire.scale = 1 + (math.random() - 0.5) * 0.07
  for _ = 1, 2 do
    local ember <const> = pools:alloc("Ember", 0.5 + math.random() * 0.6, fire.x + math.random(-7, 7), fire.y + 4)
    if ember then ember.vx, ember.vy = math.random(-14, 14), -20 - math.random(40) end
  end
end

function Fire:on_spawn(fire) fire:every(0.05, burn) end

return Fire
