-- platformer: the lamp of the lighthouse is out, and a child brings oil. Six rooms of tiles, planks that move, lamps
-- that keep the way, and a jump whose numbers can be edited while it plays (hero.lua).
--
--   spawnpool scripts/platformer            arrows, A and D, or a pad: run; Space, up or A: jump
--   spawnpool scripts/platformer -- 4       begins with the fourth room
local spawnpool <const> = require "spawnpool"
local effects <const> = require "effects"
local hero <const> = require "hero"
local screen <const> = require "screen"
local world <const> = require "world"

local pools <const>, input <const>, audio <const> = spawnpool.pools, spawnpool.input, spawnpool.audio

local RISE_AFTER <const> = 0.7 -- seconds from a fall to the next try

local game <const> = {
  title = "The last lamp", width = 320, height = 180, scale = "integer", draw_below = screen.draw_below,
  actions = {
    left = { "left", "a", "pad:dpleft", "pad:-leftx" }, right = { "right", "d", "pad:dpright", "pad:leftx" },
    jump = { "space", "up", "w", "z", "pad:a" }, act = { "space", "return", "pad:a", "pad:start", "mouse:left" },
  },
}

local scene, since = "story", 0 -- or "play", "end"; seconds in it, in the room, or since a fall
local best <const> = spawnpool.storage.load "best"
local session <const> = { best = type(best) == "number" and best or math.huge } -- and time, drops, falls of one way up

local function enter(number)
  world.enter(number)
  hero.start(world.back_x, world.back_y)
  since = 0
end

local function begin(number)
  scene, session.time, session.drops, session.falls = "play", 0, 0, 0
  enter(number)
end

local function fall()
  if not hero.it then return end
  session.falls, since = session.falls + 1, 0
  effects.hurt(hero.it.x, hero.it.y)
  hero.stop()
end

local function meet_drop(_, drop)
  session.drops = session.drops + 1
  effects.sparkle("drop", drop.x, drop.y)
  drop:recycle()
end

local function meet_enemy(_, enemy)
  if not hero.stomps(enemy) then return fall() end
  effects.stomp(enemy.x, enemy.y, enemy.sprite)
  enemy:recycle()
  hero.bounce()
end

local function meet_lamp(_, lamp)
  if lamp.is_lit then return end
  lamp.is_lit, lamp.animation, world.back_x, world.back_y = true, "lit", lamp.x, lamp.y
  effects.sparkle("lamp", lamp.x, lamp.y - 8)
end

local function meet_light(_, light)
  scene, since, light.frame = "end", 0, 2
  session.best = math.min(session.best, session.time)
  spawnpool.storage.save("best", session.best)
  audio.play "light"
end

local meetings <const> = {
  { "Drop", meet_drop }, { "Lamp", meet_lamp }, { "Light", meet_light }, { "Crab", meet_enemy }, { "Gull", meet_enemy },
}

local function meet()
  for _, it in ipairs(meetings) do pools:pool("Hero"):overlaps(pools:pool(it[1]), it[2]) end
  if hero.it and (world.tiles:at(hero.it.x, hero.it.y + 5) == "^" or hero.it.y > 180) then fall() end
end

local function play(dt)
  session.time = session.time + dt
  if hero.it then
    local way <const> = (input.down "right" and 1 or 0) - (input.down "left" and 1 or 0)
    hero.update(dt, way, input.pressed "jump", input.down "jump")
    meet()
  elseif since > RISE_AFTER then
    hero.start(world.back_x, world.back_y)
  end
  if hero.it and (hero.it.x > 322 or hero.it.y < -4) then enter(world.number + 1) end
end

function game.load(args)
  local number <const> = math.tointeger(tonumber(args[1] or 0))
  assert(number and number >= 0 and number <= 6, "which room? a number from 1 to 6, please")
  audio.music("sea", { volume = 0.5 })
  enter(1)
  if number > 0 then begin(number) end
end

function game.update(dt)
  since = since + dt
  if scene == "play" then
    play(dt)
  elseif input.pressed "act" and since > 0.5 then
    begin(1)
  elseif scene == "end" then
    hero.update(dt, 0) -- who jumped to the lamp comes down
  end
end

function game.draw(g)
  effects.apply(g)
  g:font("fonts/pixel.png", 10)
  screen[scene](g, session, since)
end

return game
