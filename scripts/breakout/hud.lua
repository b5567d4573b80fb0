-- scripts/breakout/hud.lua
-- The line above the field, and what is said in its middle.
local spawnpool <const> = require "spawnpool"
local field <const> = require "field"
local paddle <const> = require "paddle"
local session <const> = require "session"

local pools <const> = spawnpool.pools
local hud <const> = {}

local MIDDLE <const> = field.WIDTH / 2

local function draw_line(g)
  g:color(1, 1, 1, 0.95)
  g:text(18, 5, ("%06d"):format(session.score), 28)
  g:color(0.65, 0.72, 1, 0.8)
  g:text(150, 13, ("best %06d"):format(session.best), 18)
  if session.times > 1 then
    g:color(1, 0.86, 0.38, 0.4 + 0.6 * math.max(0, math.min(session.combo_left, 1)))
    g:text(MIDDLE - 90, 5, ("x%d"):format(session.times), 28, "center")
  end
  g:color(0.65, 0.72, 1, 0.8)
  g:text(MIDDLE + 60, 13, ("level %d"):format(session.level), 18, "center")
  g:color(0.6, 0.9, 1, 0.9)
  local balls <const> = pools:pool("Ball").live
  if balls > 1 then g:text(field.WIDTH - 130, 13, ("%d balls"):format(balls), 18, "right") end
  for i = 1, session.lives do g:circle(field.WIDTH - 8 - i * 26, 22, 7) end
end

local function say(g, text, below)
  g:color(1, 1, 1, 0.95)
  g:text(MIDDLE, field.HEIGHT * 0.57, text, 56, "center")
  g:color(0.75, 0.82, 1, 0.85)
  g:text(MIDDLE, field.HEIGHT * 0.57 + 66, below, 22, "center")
end

function hud.draw(g)
  draw_line(g)
  if session.over then
    say(g, "GAME OVER", ("%d points. Space or click: play again"):format(session.score))
  elseif field.is_clear() then
    say(g, "CLEAR", ("level %d"):format(session.level + 1))
  elseif paddle.is_alone() then
    g:color(0.75, 0.82, 1, 0.5)
    g:text(MIDDLE, field.HEIGHT * 0.68, "It plays by itself. Mouse or arrows: you play", 18, "center")
  end
end

return hud
