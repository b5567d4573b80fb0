-- scripts/survivors/weapons.lua
-- What fights by itself: bolts at the nearest creature, blades around the hero, and waves of light.
local spawnpool <const> = require "spawnpool"
local effects <const> = require "effects"
local hero <const> = require "hero"
local swarm <const> = require "swarm"

local pools <const>, audio <const> = spawnpool.pools, spawnpool.audio
local weapons <const> = {}

local TAU <const> = 2 * math.pi
local SPREAD <const> = 0.16 -- between two bolts of one volley
local SIGHT <const> = 460
local BLADE_EVERY <const> = 0.3 -- seconds until a blade hurts the same creature again

local bolts <const> = pools:pool "Bolt"

local turn, until_bolt, until_wave = 0, 0, 0
local blades <const> = {}

-- What upgrades raise.
function weapons.start()
  weapons.damage = 10
  weapons.bolts, weapons.pause, weapons.pierce = 2, 0.3, 2
  weapons.blades, weapons.blade_reach = 2, 84
  weapons.wave, weapons.wave_pause = 0, 3.6 -- radius
  until_bolt, until_wave, turn = 0.5, 1, 0
  for i = #blades, 1, -1 do blades[i] = nil end
end

-- {== Bolts =================================================================

local function nearest_creature()
  local best, least = nil, math.huge
  for i = 1, #swarm.pools do
    local enemy <const>, far <const> = swarm.pools[i]:nearest(hero.x, hero.y, SIGHT)
    if enemy and far < least then best, least = enemy, far end
  end
  return best
end

local function fire()
  local enemy <const> = nearest_creature()
  if not enemy then return end
  local angle <const> = math.atan(enemy.y - hero.y, enemy.x - hero.x)
  for i = 1, weapons.bolts do
    local bolt <const> = bolts:alloc(0.9, hero.x, hero.y)
    if not bolt then break end
    bolt:launch(angle + (i - (weapons.bolts + 1) / 2) * SPREAD, 620)
    bolt.left = weapons.pierce
  end
  audio.play("bolt", { volume = 0.5 })
  until_bolt = weapons.pause
end

-- A bolt hurts each creature once.
local function strike(bolt, enemy)
  if not (bolt.alive and enemy.alive) or bolt.last == enemy then return end
  bolt.last = enemy
  bolt.left = bolt.left - 1
  enemy.pool:hit(enemy, weapons.damage, bolt.vx * 0.012, bolt.vy * 0.012)
  if bolt.left <= 0 then bolt:recycle() end
end

-- }==

-- {== Blades and waves ======================================================

local function cut(enemy)
  local time <const> = pools.time
  if time < enemy.cut_until then return end
  enemy.cut_until = time + BLADE_EVERY
  local dx <const>, dy <const> = enemy.x - hero.x, enemy.y - hero.y
  enemy.pool:hit(enemy, weapons.damage * 0.8, dx * 0.06, dy * 0.06)
end

local function turn_blades(dt)
  turn = turn + dt * 3.1
  while #blades < weapons.blades do blades[#blades + 1] = pools:alloc("Blade", 0) end
  for i = 1, #blades do
    local angle <const> = turn + i * TAU / #blades
    local x <const> = hero.x + math.cos(angle) * weapons.blade_reach
    local y <const> = hero.y + math.sin(angle) * weapons.blade_reach
    blades[i].x, blades[i].y = x, y
    for p = 1, #swarm.pools do swarm.pools[p]:within(x, y, 26, cut) end
  end
end

local function burn(enemy)
  local dx <const>, dy <const> = enemy.x - hero.x, enemy.y - hero.y
  local far <const> = math.sqrt(dx * dx + dy * dy) + 1
  enemy.pool:hit(enemy, weapons.damage * 1.6, dx / far * 26, dy / far * 26)
end

local function send_wave()
  effects.nova(hero.x, hero.y, weapons.wave, 0.45, 0.8, 1)
  audio.play("nova", { volume = 0.7 })
  for i = 1, #swarm.pools do swarm.pools[i]:within(hero.x, hero.y, weapons.wave, burn) end
  until_wave = weapons.wave_pause
end

-- }==

---@param dt number
function weapons.update(dt)
  until_bolt, until_wave = until_bolt - dt, until_wave - dt
  if until_bolt <= 0 then fire() end
  for i = 1, #swarm.pools do bolts:overlaps(swarm.pools[i], strike) end
  if weapons.blades > 0 then turn_blades(dt) end
  if weapons.wave > 0 and until_wave <= 0 then send_wave() end
end

return weapons
