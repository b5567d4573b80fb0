-- scripts/platformer/screen.lua
-- Draws the sky and the lights of a room, and writes the story, a line of figures, the end.
local spawnpool <const> = require "spawnpool"
local world <const> = require "world"

local pools <const> = spawnpool.pools
local screen <const> = {}

local NAMED_FOR <const> = 2.5 -- seconds, of a new room
local STORY <const> = "Tonight the lamp of the lighthouse is out,\nand three boats are still at sea.\n\n"
  .. "Bring oil up, and light it."

-- The beam of the great lamp turns once it is lit.
local function draw_lights(g, time)
  for lamp in pools:pool("Lamp"):each() do
    g:color(1, 0.8, 0.45, lamp.is_lit and 0.5 + 0.06 * math.sin(time * 9) or 0)
    g:sprite("glow", lamp.x, lamp.y - 8, 0, 5)
  end
  for light in pools:pool("Light"):each() do
    local turn <const> = time * 0.7
    g:color(1, 0.95, 0.7, light.frame == 2 and 1 or 0)
    g:sprite("glow", light.x, light.y, 0, 8)
    g:sprite("beam", light.x + math.cos(turn) * 100, light.y + math.sin(turn) * 100, turn, 12)
  end
end

function screen.draw_below(g)
  g:sprite(world.room.sky, 160, 90, 0, 20)
  draw_lights(g, pools.time)
  g:color(1, 1, 1)
  g:tiles(world.shown)
  for i = 0, world.room.has_sea and 2 or -1 do -- waves
    g:sprite("water", 160 + 12 * math.sin(pools.time + i * 2), 168 + i * 8, 0, 24)
  end
end

local function write(g, x, y, text, align, a)
  g:color(0.1, 0.07, 0.19, a)
  g:text(x + 1, y + 1, text, 10, align)
  g:color(1, 0.95, 0.86, a)
  g:text(x, y, text, 10, align)
end

local function clock(seconds) return ("%d:%04.1f"):format(seconds // 60, seconds % 60) end

function screen.story(g)
  write(g, 160, 32, STORY, "center")
  write(g, 160, 163, "Space: begin", "center")
end

function screen.play(g, session, since)
  g:color(1, 1, 1)
  g:sprite("drop", 10, 171, 0, 0.5)
  write(g, 18, 163, tostring(session.drops))
  write(g, 160, 163, world.room.name, "center", math.max(0, math.min(NAMED_FOR - since, 1)))
  write(g, 314, 163, clock(session.time), "right")
end

screen["end"] = function(g, session)
  write(g, 160, 2, "The lamp is lit. All boats come home.", "center")
  write(g, 160, 12, ("%d oil, %d falls, %s"):format(session.drops, session.falls, clock(session.time)), "center")
  write(g, 160, 163, ("Best time %s. Space: again"):format(clock(session.best)), "center")
end

return screen
