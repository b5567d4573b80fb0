-- survivors: a lamp-bearer against four thousand creatures. They all walk, push each other apart, are shot, and drop
-- gems; a camera follows, and the best time is kept. Weapons fire by themselves: you only walk, and choose.
--
--   spawnpool scripts/survivors              walk with arrows, WASD, a held mouse button or a pad; 1 2 3 choose
--   spawnpool scripts/survivors -- 90        begins as after 90 seconds
local spawnpool <const> = require "spawnpool"
local choice <const> = require "choice"
local ground <const> = require "ground"
local hero <const> = require "hero"
local hud <const> = require "hud"
local person <const> = require "person"
local session <const> = require "session"
local stage <const> = require "stage"
local swarm <const> = require "swarm"
local weapons <const> = require "weapons"

local pools <const> = spawnpool.pools

local AGAIN_AFTER <const> = 6 -- seconds until a lost game begins again by itself

local game <const> = { title = "Survivors", width = 1100, height = 620, scale = "none" }

local head_start = 0 -- seconds

local function begin()
  pools:recycle_all { group = "world" }
  session.start(head_start)
  weapons.start()
  hero.start()
  swarm.start()
end

---@param args string[]
function game.load(args)
  head_start = tonumber(args[1] or 0) or error "begins as after how many seconds? a number, please"
  begin()
  for _ = 1, head_start // 15 do choice.take(math.random(3)) end
end

---@param dt number
function game.update(dt)
  person.update(dt)
  choice.update(dt)
  pools.paused = choice.is_open()
  if pools.paused then return end
  session.update(dt)
  swarm.update(dt)
  if not session.over then
    hero.update(dt)
    weapons.update(dt)
  elseif person.is_away() and session.over_for > AGAIN_AFTER then
    begin()
  end
end

function game.draw_below(g)
  stage.follow(g, hero.x, hero.y)
  ground.draw(g)
end

function game.draw(g)
  ground.draw_shade(g)
  hud.draw(g)
  choice.draw(g)
end

local function act()
  if session.over and session.over_for > 1 then begin() end
end

---@param key string
function game.key_pressed(key)
  person.touched()
  choice.key(key)
  if key == "space" or key == "return" then act() end
end

---@param button string
function game.pad_pressed(button)
  person.touched()
  choice.pad(button)
  if button == "a" or button == "start" then act() end
end

function game.mouse_pressed(x, y)
  person.touched()
  if not choice.click(x, y) then act() end
end

return game
