-- scripts/breakout/effects.lua
-- What a hit looks and sounds like: shards, light, a note, and a shake of the picture.
local spawnpool <const> = require "spawnpool"

local pools <const> = spawnpool.pools
local effects <const> = {}

local SHARDS <const> = 5
local NOTES_A_STEP <const> = 2 -- more at once is noise
local REST <const> = 3 -- steps until a note may sound again

local shaken, played, step = 0, 0, 0
local last <const> = {} -- note -> the step in which it sounded

---@param strength number points
function effects.shake(strength) shaken = math.max(shaken, strength) end

---@param dt number
function effects.update(dt)
  step, played = step + 1, 0
  shaken = shaken * (1 - math.min(dt * 9, 1))
end

function effects.apply(g)
  if shaken > 0.2 then g:shake((math.random() * 2 - 1) * shaken, (math.random() * 2 - 1) * shaken) end
end

---@param number integer 1 is low
---@param pan number
function effects.note(number, pan)
  if played >= NOTES_A_STEP or step - (last[number] or -REST) < REST then return end
  last[number], played = step, played + 1
  spawnpool.audio.play("brick" .. number, { pan = pan * 0.7, volume = 0.8 })
end

function effects.light(x, y, radius, r, g, b)
  local light <const> = pools:alloc("Light", 0.28, x, y)
  if light then light.radius, light.r, light.g, light.b = radius, r, g, b end
end

function effects.shatter(x, y, r, g, b)
  for _ = 1, SHARDS do
    local shard <const> = pools:alloc("Shard", 0.5 + 0.6 * math.random(), x + math.random(-9, 9), y)
    if shard then
      shard:launch(math.random() * 6.28, 40 + 190 * math.random())
      shard.spin, shard.radius = (math.random() - 0.5) * 20, 1.2 + 2.2 * math.random()
      shard.r, shard.g, shard.b = r, g, b
    end
  end
  effects.light(x, y, 32, r, g, b)
  effects.shake(1)
end

-- A bomb.
function effects.blast(x, y)
  effects.light(x, y, 150, 1, 0.6, 0.3)
  effects.light(x, y, 60, 1, 0.95, 0.8)
  effects.shake(6)
  spawnpool.audio.play("blast", { pan = x / 480 - 1, volume = 0.6 })
end

return effects
