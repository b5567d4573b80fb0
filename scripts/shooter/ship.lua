-- The ships, one for each player: their motion, their fire, their hits. Person and autopilot only give directions.
local spawnpool <const> = require "spawnpool"
local autopilot <const> = require "autopilot"
local effects <const> = require "effects"
local person <const> = require "person"
local session <const> = require "session"
local shake <const> = require "shake"
local stage <const> = require "stage"

local pools <const> = spawnpool.pools
local ship <const> = {}

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

---@class Pilot
---@field number integer 1, or 2 of two players
---@field object spawnpool.Object? the live Ship, or nil
---@field power integer of its volleys
---@field shield number seconds
---@field reload number seconds until it can fire
---@field away number seconds until it comes back

---@type Pilot[]
ship.pilots = {}

local COLORS <const> = { { 0.4, 0.95, 0.9 }, { 1, 0.75, 0.4 } }

local function launch(pilot)
  local x <const> = stage.width * pilot.number / (#ship.pilots + 1)
  local object <const> = pools:alloc("Ship", 0, x, stage.height * 0.84, UP)
  if pilot.number == 2 then object.r, object.g, object.b = 1, 0.8, 0.55 end
  pilot.object, pilot.shield, pilot.reload = object, SHIELD_TIME, 0
  effects.ring(object.x, object.y, 60, table.unpack(COLORS[pilot.number]))
end

-- The first ships of a game.
---@param players integer
function ship.start(players)
  pools:recycle_all "Ship"
  ship.pilots = {}
  for number = 1, players do
    ship.pilots[number] = { number = number, power = FIRST_POWER, shield = 0, reload = 0, away = 0 }
  end
  for _, pilot in ipairs(ship.pilots) do launch(pilot) end
end

local function count_flying()
  local count = 0
  for _, pilot in ipairs(ship.pilots) do count = count + (pilot.object and 1 or 0) end
  return count
end

-- {== Flying ================================================================

local function move(pilot, dt, dx, dy)
  local object <const>, ease <const> = pilot.object, math.min(EASE * dt, 1)
  object.vx = object.vx + (dx * SPEED - object.vx) * ease
  object.vy = object.vy + (dy * SPEED - object.vy) * ease
  object.x = stage.clamp(object.x, 20, stage.width - 20)
  object.y = stage.clamp(object.y, 40, stage.height - 24)
  object.angle = UP + object.vx / SPEED * 0.28
  session.set_aim(pilot.number, object.x, object.y)
end

local function burn(object)
  for side = -1, 1, 2 do
    local puff <const> = pools:alloc("Exhaust", 0.22 + math.random() * 0.2, object.x + side * 5, object.y + 26)
    if puff then
      puff.vx, puff.vy = math.random(-18, 18), 150 + math.random(60)
      puff.r, puff.g, puff.b = 0.35, 0.75 + math.random() * 0.2, 1
    end
  end
end

local function fire(pilot)
  local object <const>, volley <const> = pilot.object, VOLLEYS[pilot.power]
  for i = 1, #volley do
    pools:alloc("Bullet", 1.1, object.x + volley[i][1], object.y - 30, UP + volley[i][2])
  end
  effects.flash(object.x, object.y - 34, 16, 0.07, 0.6, 1, 0.95)
  pilot.reload = FIRE_EVERY
end

-- }==

-- {== Luck ==================================================================

---@param pilot Pilot
function ship.take_gem(pilot)
  local object <const> = pilot.object
  if pilot.power < MOST_POWER then pilot.power = pilot.power + 1 end
  effects.points(object.x, object.y - 20, session.add_score(250))
  spawnpool.audio.play "gem"
  effects.ring(object.x, object.y, 70, 0.71, 0.95, 0.42)
  effects.burst(object.x, object.y, 16, 200, 0.71, 0.95, 0.42)
end

-- Returns true when the ship is lost; a shield takes the hit.
---@param pilot Pilot
function ship.hit(pilot)
  local object <const> = pilot.object
  if pilot.shield > 0 then return false end
  effects.explode(object.x, object.y, 26, 0.37, 0.95, 0.9)
  effects.burst(object.x, object.y, 60, 420, 0.6, 1, 0.95)
  shake.add(0.5)
  object:recycle()
  pilot.object, pilot.away = nil, BACK_AFTER
  pilot.power = math.max(FIRST_POWER, pilot.power - 1)
  session.lose_life()
  session.set_aim(pilot.number)
  return true
end

-- }==

-- A lost ship comes back while there are more lives than ships that fly.
local function come_back(pilot, dt)
  pilot.away = pilot.away - dt
  if pilot.away <= 0 and session.lives > count_flying() then launch(pilot) end
end

local function fly(pilot, dt)
  local hands <const> = person.is_away(pilot.number) and autopilot or person
  local dx <const>, dy <const>, wants_fire <const> = hands.wishes(pilot.object.x, pilot.object.y, pilot.number)
  move(pilot, dt, dx, dy)
  burn(pilot.object)
  if wants_fire and pilot.reload <= 0 then fire(pilot) end
end

---@param dt number
function ship.update(dt)
  for _, pilot in ipairs(ship.pilots) do
    pilot.shield, pilot.reload = pilot.shield - dt, pilot.reload - dt
    if pilot.object then fly(pilot, dt) else come_back(pilot, dt) end
  end
end

local function draw_shield(g, pilot)
  local u <const>, object <const> = stage.unit, pilot.object
  local x <const>, y <const> = (object.x + shake.x) * u, (object.y + shake.y) * u
  local pulse <const> = 0.5 + 0.5 * math.sin(pilot.shield * 14)
  g:color(0.4, 1, 0.95, 0.16 + 0.2 * pulse)
  g:circle(x, y, (44 + 2 * pulse) * u, "line")
  g:color(0.4, 1, 0.95, 0.05 + 0.04 * pulse)
  g:circle(x, y, 44 * u)
end

-- Draws the shields, which are no sprites.
function ship.draw(g)
  for _, pilot in ipairs(ship.pilots) do
    if pilot.object and pilot.shield > 0 then draw_shield(g, pilot) end
  end
end

return ship
