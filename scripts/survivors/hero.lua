-- scripts/survivors/hero.lua
-- The hero: walks, collects gems, is hurt, falls.
local spawnpool <const> = require "spawnpool"
local autopilot <const> = require "autopilot"
local effects <const> = require "effects"
local person <const> = require "person"
local session <const> = require "session"
local swarm <const> = require "swarm"

local pools <const>, audio <const> = spawnpool.pools, spawnpool.audio
local hero <const> = { x = 0, y = 0 }

local EASE <const> = 10 -- how fast a direction is followed
local REACH <const> = 15 -- from the hero to what it touches
local SAFE <const> = 0.35 -- seconds after a hit

local object, lamp
local safe = 0
local gems <const> = pools:pool "Gem"

function hero.start()
  hero.health, hero.most = 100, 100
  hero.speed, hero.magnet = 165, 70
  object = pools:alloc("Hero", 0, 0, 0)
  lamp = pools:alloc("Lamp", 0, 0, 0)
  hero.x, hero.y, safe = 0, 0, 2
end

local function walk(dt)
  local pilot <const> = person.is_away() and autopilot or person
  local dx <const>, dy <const> = pilot.wishes(hero.x, hero.y)
  local ease <const> = math.min(EASE * dt, 1)
  object.vx = object.vx + (dx * hero.speed - object.vx) * ease
  object.vy = object.vy + (dy * hero.speed - object.vy) * ease
  local stride <const> = math.sin(session.time * 14) * math.min(math.abs(object.vx) + math.abs(object.vy), 120) / 120
  object.angle = 0.09 * stride + object.vx * 0.0008
  hero.x, hero.y = object.x, object.y
  lamp.x, lamp.y = hero.x, hero.y
end

-- {== Gems ==================================================================

local function collect(gem)
  session.gain(gem.value)
  gem:recycle()
  audio.play("gem", { volume = 0.5 })
end

local function attract(gem)
  local dx <const>, dy <const> = hero.x - gem.x, hero.y - gem.y
  local far <const> = math.sqrt(dx * dx + dy * dy) + 0.01
  gem.vx, gem.vy = dx / far * 480, dy / far * 480
end

-- }==

-- {== Hits ==================================================================

local pain = 0

local function touch(enemy) pain = math.max(pain, enemy.pool.damage) end

local function fall()
  effects.nova(hero.x, hero.y, 260, 1, 0.6, 0.4)
  audio.play "end"
  object:recycle()
  lamp.remaining = 1.5
  session.lose()
end

local function meet_swarm(dt)
  safe, pain = safe - dt, 0
  if safe > 0 then return end
  for i = 1, #swarm.pools do
    local pool <const> = swarm.pools[i]
    pool:within(hero.x, hero.y, pool.radius + REACH, touch)
  end
  if pain == 0 then return end
  hero.health, safe = hero.health - pain, SAFE
  audio.play "hurt"
  effects.sparks(hero.x, hero.y, 8, 1, 0.3, 0.25)
  if hero.health <= 0 then fall() end
end

-- }==

---@param dt number
function hero.update(dt)
  walk(dt)
  gems:within(hero.x, hero.y, hero.magnet, attract)
  gems:within(hero.x, hero.y, REACH + 8, collect)
  local red <const> = safe > 0 and hero.health < hero.most and session.time % 0.16 < 0.08
  object.g, object.b = red and 0.4 or 1, red and 0.4 or 1
  meet_swarm(dt)
end

return hero
