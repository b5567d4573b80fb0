-- scripts/breakout/hud.lua
-- The line above the field, and what is said in its middle.
local spawnpool <const> = require "spawnpool"
local field <const> = require "field"
local paddle <const> = require "paddle"
local session <const> = require "session"

local pools <const> = spawnpool.pools
local hud <const> = {}

local MIDDLE <const> = field.WIDTH / 2
local LEAST <const> = 9 -- points of the window: smaller letters cannot be read

-- Writes letters of this size in units, larger ones in a small window; their middle stays at the same height.
local function write(g, x, y, text, size, align)
  local readable <const> = math.max(size, LEAST / g.scale)
  g:text(x, y - (readable - size) * 0.58, text, readable, align)
end

local function draw_line(g)
  g:color(1, 1, 1, 0.95)
  write(g, 18, 5, ("%06d"):format(session.score), 28)
  g:color(0.65, 0.72, 1, 0.8)
  write(g, 150, 13, ("best %06d"):format(session.best), 18)
  if session.times > 1 then
    g:color(1, 0.86, 0.38, 0.4 + 0.6 * math.max(0, math.min(session.combo_left, 1)))
    write(g, MIDDLE - 90, 5, ("x%d"):format(session.times), 28, "center")
  end
  g:color(0.65, 0.72, 1, 0.8)
  write(g, MIDDLE + 60, 13, ("level %d"):format(session.level), 18, "center")
  g:color(0.6, 0.9, 1, 0.9)
  local balls <const> = pools:pool("Ball").live
  if balls > 1 then write(g, field.WIDTH - 130, 13, ("%d balls"):format(balls), 18, "right") end
  for i = 1, session.lives do g:circle(field.WIDTH - 8 - i * 26, 22, 7) end
end

local function say(g, text, below)
  g:color(1, 1, 1, 0.95)
  write(g, MIDDLE, field.HEIGHT * 0.57, text, 56, "center")
  g:color(0.75, 0.82, 1, 0.85)
  write(g, MIDDLE, field.HEIGHT * 0.57 + 66, below, 22, "center")
end

function hud.draw(g)
  draw_line(g)
  if session.over then
    say(g, "GAME OVER", ("%d points. Space or click: play again"):format(session.score))
  elseif field.is_clear() then
    say(g, "CLEAR", ("level %d"):format(session.level + 1))
  elseif paddle.is_alone() then
    g:color(0.75, 0.82, 1, 0.5)
    write(g, MIDDLE, field.HEIGHT * 0.68, "It plays by itself. Mouse or arrows: you play", 18, "center")
  end
end

return hud
