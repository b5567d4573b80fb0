-- platformer: the lamp of the lighthouse is out, and a child brings oil. Six rooms, with tiles, moving planks, enemies
-- that extend one class, and a hero whose jump can be edited while it plays.
--
--   spawnpool scripts/platformer            arrows or A and D, or a pad: run; Space, up or A: jump
--   spawnpool scripts/platformer -- 4       begins with the fourth room
local spawnpool <const> = require "spawnpool"
local effects <const> = require "effects"
local hero <const> = require "hero"
local session <const> = require "session"
local sky <const> = require "sky"
local world <const> = require "world"

local pools <const>, input <const>, audio <const> = spawnpool.pools, spawnpool.input, spawnpool.audio

local RISE_AFTER <const> = 0.7 -- seconds from a fall to the next try
local NAMED_FOR <const> = 2.5 -- seconds, of a new room
local STORY <const> = "Tonight the lamp of the lighthouse is out,\nand three boats are still at sea.\n"
  .. "Bring oil up, and light it."

local game <const> = {
  title = "The last lamp", width = 320, height = 180, scale = "integer", draw_below = sky.draw,
  actions = {
    left = { "left", "a", "pad:dpleft", "pad:-leftx" }, right = { "right", "d", "pad:dpright", "pad:leftx" },
    jump = { "space", "up", "w", "z", "pad:a" }, act = { "space", "return", "pad:a", "pad:start", "mouse:left" },
  },
}

local scene = "story" -- "play", "end"
local since = 0 -- seconds of the scene, of the room, or since a fall
local back_x, back_y -- where a fall ends
local has_fallen = false

local function enter(number)
  world.enter(number)
  back_x, back_y, since, has_fallen = world.start_x, world.start_y, 0, false
  hero.start(back_x, back_y)
end

local function begin(number)
  session.start()
  scene = "play"
  enter(number)
end

-- {== What the hero meets ====================================================

local function fall()
  if has_fallen then return end
  has_fallen, since = true, 0
  session.falls = session.falls + 1
  hero.it.visible = false
  effects.hurt(hero.it.x, hero.it.y)
end

local function meet_enemy(_, enemy)
  if not hero.stomps(enemy) then return fall() end
  enemy:recycle()
  hero.bounce()
end

local function meet_lamp(_, lamp)
  if lamp.pool:light(lamp) then back_x, back_y = lamp.x, lamp.y end
end

local function meet_light(_, light)
  scene, since = "end", 0
  light.frame = 2
  session.finish()
  audio.play "light"
end

local function meet()
  local pool <const> = pools:pool "Hero"
  pool:overlaps(pools:pool "Drop", function(_, drop) drop:recycle() end)
  pool:overlaps(pools:pool "Lamp", meet_lamp)
  pool:overlaps(pools:pool "Light", meet_light)
  for _, kind in ipairs { "Crab", "Gull" } do pool:overlaps(pools:pool(kind), meet_enemy) end
  if world.is_deadly(hero.it.x, hero.it.y + 5) or hero.it.y > 180 then fall() end
end

-- }==

local function play(dt)
  session.time = session.time + dt
  if has_fallen then
    if since < RISE_AFTER then return end
    has_fallen = false
    hero.start(back_x, back_y)
  end
  local way <const> = (input.down "right" and 1 or 0) - (input.down "left" and 1 or 0)
  hero.update(dt, { way = way, jumps = input.pressed "jump", holds = input.down "jump" })
  meet()
  if hero.it.x > 322 or hero.it.y < -4 then enter(world.number + 1) end
end

---@param args string[]
function game.load(args)
  local number <const> = math.tointeger(tonumber(args[1] or 0))
  assert(number and number >= 0 and number <= 6, "which room? a number from 1 to 6, please")
  audio.music("sea", { volume = 0.5 })
  enter(1)
  if number > 0 then begin(number) end
end

---@param dt number
function game.update(dt)
  since = since + dt
  effects.update(dt)
  if scene == "play" then
    play(dt)
  elseif input.pressed "act" and since > 0.5 then
    begin(1)
  end
end

local function write(g, x, y, text, align, a)
  g:color(0.1, 0.07, 0.19, a)
  g:text(x + 1, y + 1, text, 10, align)
  g:color(1, 0.95, 0.86, a)
  g:text(x, y, text, 10, align)
end

local function draw_line(g)
  g:color(1, 1, 1)
  g:sprite("drop", 10, 170, 0, 0.5)
  write(g, 18, 163, tostring(session.drops))
  write(g, 314, 163, session.clock(session.time), "right")
  write(g, 160, 163, world.room.name, "center", math.max(0, math.min(NAMED_FOR - since, 1)))
end

function game.draw(g)
  effects.apply(g)
  if scene == "play" then return draw_line(g) end
  if scene == "story" then
    write(g, 160, 40, STORY, "center")
    write(g, 160, 163, "Space: begin", "center")
  else
    write(g, 160, 70, "The light is on. All boats come home.", "center")
    write(g, 160, 90, ("%s   %d oil   %d falls"):format(session.clock(session.time), session.drops, session.falls), "center")
    write(g, 160, 163, "Space: again", "center")
  end
end

return game
