-- Who meets whom. Enemies are few: their places are read once per frame into plain arrays, and each bullet is held
-- against those.
local spawnpool <const> = require "spawnpool"
local effects <const> = require "effects"
local enemies <const> = require "enemies"
local session <const> = require "session"
local ship <const> = require "ship"

local pools <const> = spawnpool.pools
local hits <const> = {}

local GRAZE <const> = 26 -- a shot that passes this near is worth points

local targets <const>, xs <const>, ys <const>, reaches <const> = {}, {}, {}, {}
local count = 0

local function read_enemies()
  count = 0
  for i = 1, #enemies.pools do
    for enemy in enemies.pools[i]:each() do
      -- What has not come into the picture yet cannot be hit.
      if enemy.y > 0 then
        count = count + 1
        targets[count], xs[count], ys[count], reaches[count] = enemy, enemy.x, enemy.y, enemy.radius + 6
      end
    end
  end
end

-- The enemy at a place, if it is still live: an earlier bullet of this frame may have ended it.
local function enemy_at(x, y, margin)
  for i = 1, count do
    local dx <const>, dy <const>, reach <const> = xs[i] - x, ys[i] - y, reaches[i] + margin
    if dx * dx + dy * dy < reach * reach and targets[i].alive then return targets[i] end
  end
  return nil
end

local function bullets_against_enemies()
  for bullet in pools:pool("Bullet"):each() do
    local x <const>, y <const> = bullet.x, bullet.y
    local enemy <const> = enemy_at(x, y, 0)
    if enemy then
      effects.burst(x, y - 6, 4, 190, 0.55, 1, 0.95)
      enemy.pool:hit(enemy, bullet.damage)
      bullet:recycle()
    elseif y < -12 then
      bullet:recycle() -- before its time: out of the picture
    end
  end
end

local function graze(shot)
  shot.grazed = true
  session.add_score(10)
  effects.burst(shot.x, shot.y, 2, 90, 1, 0.75, 0.85)
end

local function shots_against_ship()
  local object <const> = ship.object()
  local x <const>, y <const>, radius <const> = object.x, object.y, object.radius
  for shot in pools:pool("Shot"):each() do
    local dx <const>, dy <const> = shot.x - x, shot.y - y
    local square <const>, reach <const> = dx * dx + dy * dy, shot.radius + radius
    if square < reach * reach then
      shot:recycle()
      if ship.hit() then return end
    elseif square < (reach + GRAZE) * (reach + GRAZE) and not shot.grazed then
      graze(shot)
    end
  end
end

local function ship_against_enemies()
  local object <const> = ship.object()
  if not object then return end
  local enemy <const> = enemy_at(object.x, object.y, object.radius - 4)
  if enemy and ship.hit() then enemy.pool:hit(enemy, 10) end
end

local function ship_against_gems()
  local object <const> = ship.object()
  if not object then return end
  for gem in pools:pool("Pickup"):each() do
    local dx <const>, dy <const> = gem.x - object.x, gem.y - object.y
    gem.x = gem.home + math.sin(gem.age * 2.4) * 22
    if dx * dx + dy * dy < 40 * 40 then
      gem:recycle()
      ship.take_gem()
    end
  end
end

function hits.update()
  read_enemies()
  bullets_against_enemies()
  if ship.object() then shots_against_ship() end
  ship_against_enemies()
  ship_against_gems()
end

return hits
