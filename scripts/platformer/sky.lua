-- scripts/platformer/sky.lua
-- What is behind a room: its sky, the sea, and light around lamps.
local spawnpool <const> = require "spawnpool"
local world <const> = require "world"

local pools <const> = spawnpool.pools
local sky <const> = {}

local WATER <const> = 150 -- height of the water in a room without ground

-- Waves: rows of short strokes, which drift.
local function draw_sea(g, time)
  g:color(0.23, 0.14, 0.41, 0.85)
  g:rect(0, WATER, 320, 40)
  for row = 0, 4 do
    g:color(0.72, 0.56, 0.79, 0.7 - row * 0.12)
    for i = 0, 9 do
      local x <const> = (i * 37 + row * 19 + time * (9 + row * 3)) % 350 - 20
      g:rect(math.floor(x), WATER + row * 7 + math.floor(1.5 * math.sin(time * 2 + i + row)), 9 + row * 3, 1)
    end
  end
end

function sky.draw(g)
  g:sprite(world.room.sky, 160, 90, 0, 20)
  for lamp in pools:pool("Lamp"):each() do
    g:color(1, 0.8, 0.45, 0.5 + 0.06 * math.sin(pools.time * 9))
    if lamp.is_lit then g:sprite("glow", lamp.x, lamp.y - 8, 0, 5) end
  end
  g:color(1, 1, 1)
  g:tiles(world.shown)
  if world.room.has_sea then draw_sea(g, pools.time) end
end

return sky
