-- shooter: one ship or two, four kinds of enemies, and a few hundred sparks. Everything that moves comes from a pool.
-- Start reading here; the classes are in pools/, and the modules that use them beside this file.
--
--   spawnpool scripts/shooter                fly with arrows, WASD, mouse or pad; fire with space or a button; 2, or a
--                                            second gamepad: two players
--   spawnpool scripts/shooter -- 10000       the same with ten thousand stars more
local spawnpool <const> = require "spawnpool"
local banner <const> = require "banner"
local effects <const> = require "effects"
local enemies <const> = require "enemies"
local hits <const> = require "hits"
local hud <const> = require "hud"
local person <const> = require "person"
local session <const> = require "session"
local shake <const> = require "shake"
local ship <const> = require "ship"
local stage <const> = require "stage"
local waves <const> = require "waves"

local pools <const> = spawnpool.pools

local STARS <const> = 150
local CLOUDS <const> = 14
local AGAIN_AFTER <const> = 4 -- seconds until the autopilot starts a new game by itself

local more_stars = 0 -- from the command line

-- {== The sky, and a game in it =============================================

-- Called again for every size of the frame.
local function fill_sky()
  pools:recycle_all { group = "sky" }
  pools:pool("Nebula"):fill(CLOUDS)
  pools:alloc("Planet", 0, nil, stage.height * 0.4)
  pools:pool("Star"):fill(math.floor(STARS * stage.width * stage.height / 480000) + more_stars)
end

local function start(players)
  person.share(players)
  pools:recycle_all { group = "enemies" }
  pools:recycle_all { group = "projectiles" }
  pools:recycle_all "Pickup"
  session.start(players)
  waves.start()
  ship.start(players)
end

local function end_if_lost(was_over)
  if session.over and not was_over then
    banner.show("GAME OVER", 3.4, 1, 0.42, 0.5)
  elseif session.over and person.are_all_away() and session.over_for > AGAIN_AFTER then
    start(1)
  end
end

-- }==

local game <const> = { actions = person.actions }

---@param args string[]
function game.load(args)
  more_stars = math.tointeger(tonumber(args[1] or 0)) or error "how many more stars? a whole number, please"
  fill_sky()
  effects.prewarm()
  start(1)
end

---@param dt number
function game.update(dt)
  local was_over <const> = session.over
  if session.players == 1 and spawnpool.input.pressed "join" then start(2) end
  person.update(dt)
  session.update(dt)
  ship.update(dt)
  if not session.over then waves.update(dt) end
  enemies.update(dt)
  hits.update()
  banner.update()
  shake.update(dt)
  end_if_lost(was_over)
end

function game.draw(g)
  if stage.fit(g) then fill_sky() end
  g:shake(shake.x * stage.unit, shake.y * stage.unit)
  ship.draw(g)
  hud.draw(g)
end

local function go_on()
  person.touched()
  if session.over and session.over_for > 1 then start(session.players) end
end

---@param key string
function game.key_pressed(key)
  person.touched()
  if key == "1" and session.players == 2 then start(1) end
  if key == "space" or key == "return" then go_on() end
end

---@param button string
function game.pad_pressed(button)
  person.touched()
  if button == "a" or button == "start" then go_on() end
end

game.mouse_pressed = go_on

return game
