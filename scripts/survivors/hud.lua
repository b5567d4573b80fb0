-- scripts/survivors/hud.lua
-- Experience, time, kills; the hero's health below the hero; and the words of the end.
local spawnpool <const> = require "spawnpool"
local hero <const> = require "hero"
local person <const> = require "person"
local session <const> = require "session"
local swarm <const> = require "swarm"

local view <const> = spawnpool.view
local hud <const> = {}

-- 12345 as "12 345".
local function spaced(number)
  local text <const> = tostring(number)
  return #text > 3 and text:sub(1, -4) .. " " .. text:sub(-3) or text
end

local function clock(seconds) return ("%d:%02d"):format(seconds // 60, seconds // 1 % 60) end

local function draw_health(g, u)
  local part <const> = math.max(hero.health / hero.most, 0)
  local x <const>, y <const> = view:to_view(hero.x, hero.y + 34)
  g:color(0, 0, 0, 0.6)
  g:rect(x - 25 * u, y - u, 50 * u, 7 * u)
  g:color(1 - 0.6 * part, 0.3 + 0.6 * part, 0.35)
  g:rect(x - 24 * u, y, 48 * part * u, 5 * u)
end

local function draw_top(g, u)
  g:color(0, 0, 0, 0.55)
  g:rect(0, 0, g.width, 9 * u)
  g:color(0.4, 0.85, 1, 0.95)
  g:rect(0, 0, g.width * session.xp / session.needs, 9 * u)
  g:color(1, 1, 1, 0.95)
  g:text(g.width / 2, 14 * u, clock(session.time), 28 * u, "center")
  g:text(14 * u, 16 * u, ("level %d"):format(session.level), 17 * u)
  g:text(g.width - 14 * u, 16 * u, spaced(session.kills) .. " down", 17 * u, "right")
  g:color(0.8, 0.86, 1, 0.65)
  g:text(14 * u, 38 * u, "best " .. clock(session.best), 14 * u)
  g:text(g.width - 14 * u, 38 * u, spaced(swarm.live()) .. " around", 14 * u, "right")
end

function hud.draw(g)
  local u <const> = math.min(math.max(g.height / 620, 0.65), g.width / 480)
  draw_top(g, u)
  if session.over then
    g:color(0, 0, 0.02, 0.5)
    g:rect(0, g.height * 0.36, g.width, 118 * u)
    g:color(1, 0.86, 0.6)
    g:text(g.width / 2, g.height * 0.36 + 12 * u, "The lamp is out", 44 * u, "center")
    g:color(0.85, 0.9, 1, 0.9)
    g:text(g.width / 2, g.height * 0.36 + 74 * u,
      ("%s, %s down. Space or click: again"):format(clock(session.time), spaced(session.kills)), 18 * u, "center")
    return
  end
  draw_health(g, g.height / 620)
  if person.is_away() then
    g:color(0.85, 0.9, 1, 0.6)
    g:text(g.width / 2, g.height - 28 * u, "It plays by itself. Arrows or mouse: you walk", 15 * u, "center")
  end
end

return hud
