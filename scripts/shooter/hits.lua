-- Collisions, by queries of the pools: bullets near each enemy, everything else near the ship.
local spawnpool <const> = require "spawnpool"
local effects <const> = require "effects"
local enemies <const> = require "enemies"
local session <const> = require "session"
local ship <const> = require "ship"

local pools <const> = spawnpool.pools
local hits <const> = {}

local GRAZE <const> = 26 -- a shot that passes this near is worth points
local BULLET <const> = 6 -- distance from an enemy at which a bullet still hits

local bullets <const>, shots <const>, gems <const> = pools:pool "Bullet", pools:pool "Shot", pools:pool "Pickup"

local target -- the enemy that is tested for bullets
local pilot -- of the ship that is tested for everything else

-- An earlier bullet of this frame may have ended it.
local function strike(bullet)
  if not target.alive then return end
  effects.burst(bullet.x, bullet.y - 6, 4, 190, 0.55, 1, 0.95)
  target.pool:hit(target, bullet.damage)
  bullet:recycle()
end

local function bullets_against_enemies()
  for i = 1, #enemies.pools do
    for enemy in enemies.pools[i]:each() do
      target = enemy
      -- Enemies above the frame cannot be hit.
      if enemy.y > 0 then bullets:within(enemy.x, enemy.y, enemy.radius + BULLET, strike) end
    end
  end
end

local function graze(shot)
  shot.grazed = true
  session.add_score(10)
  effects.burst(shot.x, shot.y, 2, 90, 1, 0.75, 0.85)
end

local function meet_shot(shot)
  local object <const> = pilot.object
  if not object then return end
  local dx <const>, dy <const>, reach <const> = shot.x - object.x, shot.y - object.y, shot.radius + object.radius
  if dx * dx + dy * dy < reach * reach then
    shot:recycle()
    ship.hit(pilot)
  elseif not shot.grazed then
    graze(shot)
  end
end

local function meet_enemy(enemy)
  if pilot.object and ship.hit(pilot) then enemy.pool:hit(enemy, 10) end
end

local function meet_gem(gem)
  gem:recycle()
  ship.take_gem(pilot)
end

-- `pool.radius` is the setting of its class. A lost ship hits nothing more.
local function around_ship()
  local object <const> = pilot.object
  if not object then return end
  local x <const>, y <const>, radius <const> = object.x, object.y, object.radius
  gems:within(x, y, 40, meet_gem)
  for i = 1, #enemies.pools do
    local pool <const> = enemies.pools[i]
    pool:within(x, y, pool.radius + radius + 2, meet_enemy)
  end
  shots:within(x, y, shots.radius + radius + GRAZE, meet_shot)
end

function hits.update()
  bullets_against_enemies()
  for i = 1, #ship.pilots do
    pilot = ship.pilots[i]
    around_ship()
  end
end

return hits
