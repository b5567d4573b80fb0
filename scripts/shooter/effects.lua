-- Light, sparks and rings: short lives from four pools. Their classes define how they fade.
local spawnpool <const> = require "spawnpool"
local shake <const> = require "shake"
local stage <const> = require "stage"

local pools <const> = spawnpool.pools
local effects <const> = {}

local TURN <const> = 2 * math.pi
local GREAT <const> = 20 -- radius from which on an explosion shakes the screen
local EMBER <const> = { 1, 0.78, 0.42 } -- the warm share of every explosion

-- Prewarms the pools before the first shot is fired.
function effects.prewarm()
  for _, type in ipairs { "Spark", "Ring", "Flash", "Exhaust", "Popup" } do pools:alloc(type, -1) end
end

-- Sparks in all directions; every third one is an ember, for any colour of the object.
---@param count integer
---@param speed number of the fastest
function effects.burst(x, y, count, speed, r, g, b)
  for i = 1, count do
    local lifetime <const> = 0.35 + math.random() * 0.55
    local start <const> = speed * (0.25 + 0.75 * math.random())
    local spark <const> = pools:alloc("Spark", lifetime, x, y, math.random() * TURN, start)
    if not spark then return end
    if i % 3 == 0 then
      spark.r, spark.g, spark.b = EMBER[1], EMBER[2], EMBER[3]
    else
      spark.r, spark.g, spark.b = r, g, b
    end
  end
end

---@param radius number when it is gone
function effects.ring(x, y, radius, r, g, b)
  local ring <const> = pools:alloc("Ring", 0.45, x, y)
  if ring then ring.radius, ring.r, ring.g, ring.b = radius, r, g, b end
end

---@param radius number
---@param lifetime number
function effects.flash(x, y, radius, lifetime, r, g, b)
  local flash <const> = pools:alloc("Flash", lifetime, x, y)
  if flash then flash.radius, flash.r, flash.g, flash.b = radius, r, g, b end
end

-- The whole explosion, scaled to the size of the object. It is heard where it is.
---@param size number its radius
function effects.explode(x, y, size, r, g, b)
  effects.flash(x, y, size * 6, 0.6, r, g, b)
  effects.flash(x, y, size * 2.6, 0.24, 1, 0.95, 0.85)
  effects.ring(x, y, size * 3.6, r, g, b)
  effects.burst(x, y, math.floor(14 + size * 1.4), 140 + size * 10, r, g, b)
  local great <const> = size >= GREAT
  spawnpool.audio.play(great and "great" or "boom", { pan = 2 * x / stage.width - 1 })
  if great then shake.add(size / 60) end
end

---@param text_value integer points, shown where they were won
function effects.points(x, y, text_value)
  local popup <const> = pools:alloc("Popup", 0.9, x, y)
  if popup then popup.value = text_value end
end

return effects
