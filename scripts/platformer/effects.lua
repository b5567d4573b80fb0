-- scripts/platformer/effects.lua
-- Dust, sparks, sounds, and a shake of the picture.
local spawnpool <const> = require "spawnpool"

local pools <const>, audio <const> = spawnpool.pools, spawnpool.audio
local effects <const> = { shake = 0 } -- points

local function sound(name, x, volume) audio.play(name, { pan = x / 160 - 1, volume = volume or 0.7 }) end

local function scatter(count, sprite, x, y, speed, seconds)
  for i = 1, count do
    local speck <const> = pools:alloc("Speck", seconds * (0.6 + 0.6 * math.random()), x, y)
    speck.sprite = sprite
    speck:launch(i / count * 6.28 + math.random(), speed * (0.4 + 0.8 * math.random()))
  end
end

-- Dust to both sides.
local function dust(count, x, y)
  for i = 1, count do
    local speck <const> = pools:alloc("Speck", 0.25 + 0.25 * math.random(), x, y)
    speck.vx, speck.vy = (i % 2 * 2 - 1) * (14 + 30 * math.random()), -18 * math.random()
  end
end

function effects.jump(x, y)
  dust(4, x, y)
  sound("jump", x)
end

---@param speed number
function effects.land(x, y, speed)
  dust(speed > 200 and 8 or 4, x, y)
  if speed > 120 then sound("land", x, speed / 300) end
end

function effects.take(x, y)
  scatter(6, "spark", x, y, 50, 0.35)
  sound("drop", x)
end

function effects.light(x, y)
  scatter(12, "spark", x, y, 70, 0.6)
  sound("lamp", x)
end

---@param sprite string
function effects.stomp(x, y, sprite)
  local flat <const> = pools:alloc("Speck", 0.3, x, y + 4)
  flat.sprite, flat.radius, flat.scale_y = sprite, 8, 0.35
  scatter(6, "dust", x, y, 60, 0.4)
  effects.shake = 2
  sound("stomp", x)
end

function effects.hurt(x, y)
  scatter(16, "spark", x, y, 110, 0.6)
  effects.shake = 4
  sound("hurt", x)
end

---@param dt number
function effects.update(dt) effects.shake = effects.shake * (1 - math.min(9 * dt, 1)) end

function effects.apply(g)
  local most <const> = effects.shake
  if most > 0.3 then g:shake(math.random(-1, 1) * most, math.random(-1, 1) * most) end
end

return effects
