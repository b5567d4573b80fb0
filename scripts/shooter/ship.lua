-- The ship: its motion, its fire, its hits. Person and autopilot only give directions.
local spawnpool <const> = require "spawnpool"
local autopilot <const> = require "autopilot"
local effects <const> = require "effects"
local person <const> = require "person"
local session <const> = require "session"
local shake <const> = require "shake"
local stage <const> = require "stage"

local pools <const> = spawnpool.pools
local ship <const> = { power = 2, shield = 0 }

local SPEED <const> = 400
local EASE <const> = 12 -- how fast it follows a direction
local FIRE_EVERY <const> = 0.1
local FIRST_POWER <const> = 2
local MOST_POWER <const> = 4
local SHIELD_TIME <const> = 2.4 -- seconds of invulnerability after a new ship
local BACK_AFTER <const> = 1.1 -- seconds until the next ship comes
local UP <const> = -math.pi / 2

-- Per power: the offset of each bullet from the middle, and its angle from straight up.
local VOLLEYS <const> = {
  { { 0, 0 } },
  { { -7, 0 }, { 7, 0 } },
  { { 0, 0 }, { -10, -0.09 }, { 10, 0.09 } },
  { { -6, 0 }, { 6, 0 }, { -14, -0.13 }, { 14, 0.13 } },
}

local object -- the live Ship, or nil
local reload, away = 0, 0

function ship.object() return object end

---@param anew? boolean the first ship of a game
function ship.start(anew)
  if anew then ship.power = FIRST_POWER end
  object = pools:alloc("Ship", 0, stage.width / 2, stage.height * 0.84, UP)
  ship.shield, reload = SHIELD_TIME, 0
  effects.ring(object.x, object.y, 60, 0.4, 0.95, 0.9)
end

-- {== Flying ================================================================

local function move(dt, dx, dy)
  local ease <const> = math.min(EASE * dt, 1)
  object.vx = object.vx + (dx * SPEED - object.vx) * ease
  object.vy = object.vy + (dy * SPEED - object.vy) * ease
  object.x = stage.clamp(object.x, 20, stage.width - 20)
  object.y = stage.clamp(object.y, 40, stage.height - 24)
  object.angle = UP + object.vx / SPEED * 0.28
  session.aim_x, session.aim_y = object.x, object.y
end

local function burn()
  for side = -1, 1, 2 do
    local puff <const> = pools:alloc("Exhaust", 0.22 + math.random() * 0.2, object.x + side * 5, object.y + 26)
    if puff then
      puff.vx, puff.vy = math.random(-18, 18), 150 + math.random(60)
      puff.r, puff.g, puff.b = 0.35, 0.75 + math.random() * 0.2, 1
    end
  end
end

local function fire()
  local volley <const> = VOLLEYS[ship.power]
  for i = 1, #volley do
    pools:alloc("Bullet", 1.1, object.x + volley[i][1], object.y - 30, UP + volley[i][2])
  end
  effects.flash(object.x, object.y - 34, 16, 0.07, 0.6, 1, 0.95)
  reload = FIRE_EVERY
end

-- }==

-- {== Luck ==================================================================

function ship.take_gem()
  if ship.power < MOST_POWER then ship.power = ship.power + 1 end
  effects.points(object.x, object.y - 20, session.add_score(250))
  spawnpool.audio.play "gem"
  effects.ring(object.x, object.y, 70, 0.71, 0.95, 0.42)
  effects.burst(object.x, object.y, 16, 200, 0.71, 0.95, 0.42)
end

-- Returns true when the ship is lost; a shield takes the hit.
function ship.hit()
  if ship.shield > 0 then return false end
  effects.explode(object.x, object.y, 26, 0.37, 0.95, 0.9)
  effects.burst(object.x, object.y, 60, 420, 0.6, 1, 0.95)
  shake.add(0.5)
  object:recycle()
  object, away = nil, BACK_AFTER
  ship.power = math.max(FIRST_POWER, ship.power - 1)
  session.lose_life()
  return true
end

-- }==

---@param dt number
function ship.update(dt)
  ship.shield, reload = ship.shield - dt, reload - dt
  if not object then
    away = away - dt
    if away <= 0 and not session.over then ship.start() end
    return
  end
  local pilot <const> = person.is_away() and autopilot or person
  local dx <const>, dy <const>, wants_fire <const> = pilot.wishes(object.x, object.y)
  move(dt, dx, dy)
  burn()
  if wants_fire and reload <= 0 then fire() end
end

-- Draws the shield, which is not a sprite.
function ship.draw(g)
  if not object or ship.shield <= 0 then return end
  local u <const> = stage.unit
  local x <const>, y <const> = (object.x + shake.x) * u, (object.y + shake.y) * u
  local pulse <const> = 0.5 + 0.5 * math.sin(ship.shield * 14)
  g:color(0.4, 1, 0.95, 0.16 + 0.2 * pulse)
  g:circle(x, y, (44 + 2 * pulse) * u, "line")
  g:color(0.4, 1, 0.95, 0.05 + 0.04 * pulse)
  g:circle(x, y, 44 * u)
end

return ship
