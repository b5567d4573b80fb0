-- scripts/fireworks/city.lua
-- What stands still: the sky, the skyline before it, and the water. A burst lights all three.
local spawnpool <const> = require "spawnpool"
local stage <const> = require "stage"

local pools <const> = spawnpool.pools
local city <const> = {}

local STRIPS <const> = 40 -- of the sky
local STARS <const> = 160
local COOLING <const> = 0.93 -- of the light of bursts, per frame
local MOST_LIGHT <const> = 1.1

local houses = {} -- { left, width, height, windows }
local light <const> = { r = 0, g = 0, b = 0 } -- of the bursts, on the sky

-- {== Building ==============================================================

-- Windows are lit here and there: pairs of column and row.
local function add_windows(columns, rows)
  local list <const> = {}
  for column = 1, columns do
    for row = 1, rows do
      if math.random() < 0.16 then list[#list + 1] = { column, row, 0.35 + 0.5 * math.random() } end
    end
  end
  return list
end

-- Towers stand near the middle third, low houses beside them.
local function height_at(x)
  local centre <const> = math.exp(-((x / stage.width - 0.62) * 4.2) ^ 2)
  return 26 + 40 * math.random() + (30 + 105 * math.random() ^ 1.6) * centre
end

function city.build()
  houses = {}
  local x = -10
  while x < stage.width + 10 do
    local width <const> = 22 + math.random(34)
    local height <const> = height_at(x + width / 2)
    houses[#houses + 1] = { x, width, height, add_windows((width - 6) // 8, (height - 8) // 10), math.random() < 0.12 }
    x = x + width + (math.random() < 0.2 and math.random(14) or 0)
  end
  pools:recycle_all "Star"
  for _ = 1, STARS do
    local star <const> = pools:alloc("Star", 0, math.random() * stage.width, math.random() ^ 1.4 * stage.horizon * 0.9)
    star.radius, star.a = 0.6 + 1.1 * math.random() ^ 3, 0.2 + 0.6 * math.random()
  end
end

-- }==

-- Lights the sky for a moment in the colour of a burst.
function city.lighten(r, g, b, strength)
  light.r = math.min(light.r + r * strength, MOST_LIGHT)
  light.g = math.min(light.g + g * strength, MOST_LIGHT)
  light.b = math.min(light.b + b * strength, MOST_LIGHT)
end

function city.update()
  light.r, light.g, light.b = light.r * COOLING, light.g * COOLING, light.b * COOLING
end

-- {== Drawing ===============================================================

-- From the zenith to the horizon, where the haze of the city is brighter; below, the water mirrors it darkly.
function city.draw_sky(g)
  local height <const>, width <const> = stage.horizon / STRIPS, stage.width
  for i = 0, STRIPS - 1 do
    local low <const> = (i / STRIPS) ^ 2
    local lit <const> = 0.05 + 0.17 * low
    g:color(0.018 + 0.16 * low + light.r * lit, 0.02 + 0.075 * low + light.g * lit, 0.07 + 0.16 * low + light.b * lit)
    g:rect(0, i * height, width, height + 1)
  end
  local depth <const> = stage.height - stage.horizon
  for i = 0, 15 do
    local near <const> = 1 - i / 15
    local lit <const> = 0.04 + 0.1 * near
    g:color(0.02 + 0.05 * near + light.r * lit, 0.022 + 0.035 * near + light.g * lit,
      0.06 + 0.07 * near + light.b * lit)
    g:rect(0, stage.horizon + depth * i / 16, width, depth / 16 + 1)
  end
end

local function draw_windows(g, u, left, top, windows)
  for i = 1, #windows do
    local window <const> = windows[i]
    g:color(1, 0.8, 0.48, window[3])
    g:rect((left + window[1] * 8 - 3) * u, (top + window[2] * 10 - 3) * u, 3 * u, 4 * u)
  end
end

-- In front of the sparks, so that rockets rise behind the roofs.
function city.draw(g)
  local u <const> = stage.unit
  for i = 1, #houses do
    local left <const>, width <const>, height <const> = houses[i][1], houses[i][2], houses[i][3]
    local top <const> = stage.horizon - height
    g:color(0.022 + light.r * 0.05, 0.02 + light.g * 0.05, 0.048 + light.b * 0.05)
    g:rect(left * u, top * u, (width + 1) * u, height * u)
    if houses[i][5] then g:rect((left + width / 2 - 1) * u, (top - 22) * u, 2 * u, 22 * u) end
    draw_windows(g, u, left, top, houses[i][4])
  end
  g:color(0.012, 0.012, 0.03)
  g:rect(0, (stage.horizon - 3) * u, g.width, 5 * u)
end

-- }==

return city
