-- scripts/garden/effects.lua
-- Each step is seen and heard: dust, petals, a note for each flower.
local spawnpool <const> = require "spawnpool"

local pools <const>, audio <const> = spawnpool.pools, spawnpool.audio
local effects <const> = {}

local NOTES <const> = 6
local DUST <const> = { sprite = "puff", radius = 3, layer = 0 }
local PETALS <const> = { -- by the frame of the flower
  [2] = { r = 0.94, g = 0.37, b = 0.51 }, [3] = { r = 0.97, g = 0.7, b = 0.2 },
  [4] = { r = 0.62, g = 0.42, b = 0.86 }, [5] = { r = 1, g = 1, b = 1 },
}

local note = 0

local function scatter(count, look, x, y, speed)
  for _ = 1, count do
    local speck <const> = pools:alloc("Speck", 0.4 + 0.6 * math.random(), look)
    speck:launch(math.random() * 6.28, speed * (0.3 + math.random()))
    speck.x, speck.y, speck.spin = x + math.random(-4, 4), y + math.random(-4, 4), math.random(-5, 5)
  end
end

function effects.sound(name, x) audio.play(name, { pan = x and x / 160 - 1, volume = 0.7 }) end

function effects.step(x, y, pushes)
  scatter(pushes and 4 or 1, DUST, x, y + 5, 15)
  effects.sound(pushes and "push" or "step", x)
end

-- A flower opens, a note higher than the last one.
function effects.bloom(frame, x, y)
  scatter(14, PETALS[frame], x, y - 10, 50)
  note = note % NOTES + 1
  effects.sound("bloom" .. note, x)
end

-- A garden is solved.
function effects.celebrate()
  for i = 1, 48 do scatter(1, PETALS[2 + i % 4], math.random(320), math.random(-20, 120), 30) end
  note = 0
  effects.sound "solved"
end

return effects
