-- scripts/platformer/effects.lua
-- Dust, sparks, sounds, and a shake of the picture.
local spawnpool <const> = require "spawnpool"

local pools <const>, audio <const> = spawnpool.pools, spawnpool.audio
local effects <const> = {}

local shake = 0 -- points

local function burst(count, sprite, x, y, speed)
  for i = 1, count do
    local speck <const> = pools:alloc("Speck", 0.25 + 0.4 * math.random(), x, y)
    speck:launch(i / count * 6.28 + math.random(), speed * (0.4 + 0.8 * math.random()))
    speck.sprite, speck.angle = sprite, 0
  end
end

local function sound(name, x, volume) audio.play(name, { pan = x / 160 - 1, volume = volume or 0.7 }) end

function effects.jump(x, y)
  burst(4, "dust", x, y, 30)
  sound("jump", x)
end

function effects.land(x, y, speed)
  burst(speed > 200 and 8 or 4, "dust", x, y, 40)
  if speed > 120 then sound("land", x, speed / 300) end
end

function effects.sparkle(name, x, y)
  burst(8, "spark", x, y, 60)
  sound(name, x)
end

function effects.stomp(x, y, sprite)
  local flat <const> = pools:alloc("Speck", 0.3, x, y + 4)
  flat.sprite, flat.radius, flat.scale_y = sprite, 8, 0.35
  burst(6, "dust", x, y, 60)
  sound("stomp", x)
  shake = 2
end

function effects.hurt(x, y)
  burst(16, "spark", x, y, 110)
  sound("hurt", x)
  shake = 4
end

function effects.apply(g)
  shake = shake * 0.86
  if shake > 0.3 then g:shake(math.random(-1, 1) * shake, math.random(-1, 1) * shake) end
end

return effects
