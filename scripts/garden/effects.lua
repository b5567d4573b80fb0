-- scripts/garden/effects.lua
-- What a step looks and sounds like: dust, petals, a note for each flower.
local spawnpool <const> = require "spawnpool"

local pools <const>, audio <const> = spawnpool.pools, spawnpool.audio
local effects <const> = {}

local NOTES <const> = 6
local COLORS <const> = { -- of petals, by the frame of the flower
  [2] = { 0.94, 0.37, 0.51 }, [3] = { 0.97, 0.7, 0.2 }, [4] = { 0.62, 0.42, 0.86 }, [5] = { 1, 1, 1 },
}

local note = 0

local function petal(frame, x, y)
  local color <const>, new <const> = COLORS[frame], pools:alloc("Speck", 0.5 + 0.6 * math.random(), x, y)
  new:launch(math.random() * 6.28, 20 + 50 * math.random())
  new.spin, new.r, new.g, new.b = (math.random() - 0.5) * 9, color[1], color[2], color[3]
end

local function puff(x, y)
  local new <const> = pools:alloc("Speck", 0.4, x + math.random(-5, 5), y + math.random(4, 7))
  new.sprite, new.radius, new.layer = "puff", 2 + math.random(), 0
  new:launch(math.random() * 6.28, 20)
end

---@param name string
function effects.sound(name, x) audio.play(name, { pan = x and x / 160 - 1, volume = 0.7 }) end

---@param pushes boolean
function effects.step(x, y, pushes)
  for _ = 1, pushes and 4 or 1 do puff(x, y) end
  effects.sound(pushes and "push" or "step", x)
end

-- A flower opens, a note higher than the last one.
function effects.bloom(frame, x, y)
  for _ = 1, 14 do petal(frame, x, y - 10) end
  note = note % NOTES + 1
  effects.sound("bloom" .. note, x)
end

-- A garden is solved.
function effects.celebrate()
  for i = 1, 48 do petal(2 + i % 4, math.random(320), math.random(-20, 120)) end
  note = 0
  effects.sound "solved"
end

return effects
