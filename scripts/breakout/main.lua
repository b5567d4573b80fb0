-- breakout: one ball becomes hundreds. Balls and prizes come from pools, walls are the bounds of a class, and crowded
-- balls push each other apart. Each row of bricks has its note.
--
--   spawnpool scripts/breakout               mouse, arrows, A and D, or a pad; space, click or a button: serve
--   spawnpool scripts/breakout -- 3          begins with the third level
local spawnpool <const> = require "spawnpool"
local balls <const> = require "balls"
local effects <const> = require "effects"
local field <const> = require "field"
local hud <const> = require "hud"
local levels <const> = require "levels"
local paddle <const> = require "paddle"
local prizes <const> = require "prizes"
local session <const> = require "session"

local pools <const> = spawnpool.pools

local NEXT_AFTER <const> = 1.6 -- seconds from the last brick to the next level
local AGAIN_AFTER <const> = 5 -- seconds until a lost game begins again by itself

local game <const> = { title = "Breakout", width = field.WIDTH, height = field.HEIGHT }

local first = 1 -- level

-- {== A game ================================================================

local function begin_level()
  pools:recycle_all { group = "flying" }
  field.build(levels[(session.level - 1) % #levels + 1])
  paddle.reset()
  balls.put_on_paddle()
end

local function begin()
  session.start(first)
  begin_level()
end

local function play(dt)
  paddle.update(dt)
  balls.update(dt)
  prizes.update(dt)
  if field.is_clear() then
    session.won_for = session.won_for + dt
    if session.won_for > NEXT_AFTER then
      session.next_level()
      begin_level()
    end
  elseif balls.are_lost() then
    spawnpool.audio.play "lost"
    effects.shake(8)
    if session.lose_life() then balls.put_on_paddle() end
  end
end

-- }==

---@param args string[]
function game.load(args)
  first = math.tointeger(tonumber(args[1] or 1)) or error "which level? a whole number, please"
  begin()
end

---@param dt number
function game.update(dt)
  session.update(dt)
  effects.update(dt)
  if not session.over then
    play(dt)
  elseif paddle.is_alone() and session.over_for > AGAIN_AFTER then
    begin()
  end
end

function game.draw_below(g) field.draw(g) end

function game.draw(g)
  effects.apply(g)
  paddle.draw(g)
  hud.draw(g)
end

local function act()
  paddle.touched()
  if session.over and session.over_for > 1 then begin() else balls.serve() end
end

---@param key string
function game.key_pressed(key)
  if key == "space" or key == "return" then act() end
end

---@param button string
function game.pad_pressed(button)
  if button == "a" or button == "start" then act() end
end

game.mouse_pressed = act
game.mouse_moved = paddle.mouse_moved

return game
