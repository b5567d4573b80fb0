-- scripts/platformer/hero.lua
-- The hero runs, jumps and falls. Edit a number while you play: the next jump is another one.
local spawnpool <const> = require "spawnpool"
local effects <const> = require "effects"
local world <const> = require "world"

local pools <const> = spawnpool.pools
local hero <const> = {}

local RUN <const>, GRIP <const>, AIR <const> = 92, 900, 560 -- speed; how fast it changes on the ground, and in the air
local JUMP <const>, BOUNCE <const>, GRAVITY <const>, FALL <const> = 238, 190, 760, 250 -- FALL: the greatest speed
local CUT <const> = 0.45 -- share of a rise that stays when the button is let go
local COYOTE <const> = 0.09 -- seconds after an edge in which a jump is still one
local GROUNDED <const> = COYOTE - 0.05 -- with less left the hero is in the air
local BUFFER <const> = 0.11 -- seconds before a landing in which a jump counts already
local FEET <const>, REACH <const> = 6, 14 -- from the middle of the hero down, of a plank to the side

local pool <const> = pools:pool "Hero"

function hero.stop()
  pool:recycle_all()
  hero.it = nil
end

function hero.start(x, y)
  hero.stop()
  hero.it = pool:alloc(0, x, y)
end

local function run(it, dt, way)
  local most <const> = (it.coyote > 0 and GRIP or AIR) * dt
  it.speed_x = it.speed_x + math.max(-most, math.min(way * RUN - it.speed_x, most))
  if way ~= 0 then it.way = way > 0 and 1 or -1 end
end

local function jump(it, dt, jumps, holds)
  it.coyote, it.buffer = it.coyote - dt, jumps and BUFFER or it.buffer - dt
  if it.buffer > 0 and it.coyote > 0 then
    it.speed_y, it.coyote, it.buffer, it.rises, it.rides = -JUMP, 0, 0, true, nil
    it.stretch = 0.35
    effects.jump(it.x, it.y + FEET)
  elseif it.rises and not holds and it.speed_y < 0 then
    it.speed_y, it.rises = it.speed_y * CUT, false
  end
  it.speed_y = math.min(it.speed_y + GRAVITY * dt, FALL)
end

local function land(it, plank)
  if it.coyote < GROUNDED then
    it.stretch = -math.min(it.speed_y / FALL, 1) * 0.4
    effects.land(it.x, it.y + FEET, it.speed_y)
  end
  it.speed_y, it.coyote, it.rises, it.rides = 0, COYOTE, false, plank
end

-- Planks hold what comes from above.
local function land_on_plank(it, feet)
  for plank in pools:each { class = "Plank" } do
    local top <const> = plank.y - 3
    if math.abs(it.x - plank.x) < REACH and feet <= top + 1 and it.y + FEET >= top then
      it.y = top - FEET
      return land(it, plank)
    end
  end
end

local function move(it, dt)
  if it.rides then world.tiles:move(it, it.rides.dx, it.rides.dy) end
  it.rides = nil
  local feet <const> = it.y + FEET
  local hits_x <const>, hits_y <const> = world.tiles:move(it, it.speed_x * dt, it.speed_y * dt)
  if hits_x then it.speed_x = 0 end
  if hits_y and it.speed_y > 0 then land(it) elseif hits_y then it.speed_y = 0 end
  if it.speed_y > 0 then land_on_plank(it, feet) end
  it.x = math.max(it.x, 4)
end

local JUMPING <const>, FALLING <const> = 7, 8 -- frames

local function show(it, dt)
  it.stretch = it.stretch * (1 - math.min(9 * dt, 1))
  it.scale_x, it.scale_y = it.way * (1 - it.stretch * 0.7), 1 + it.stretch
  if it.coyote < GROUNDED then
    it.frame = it.speed_y < 0 and JUMPING or FALLING
  else
    local animation <const> = math.abs(it.speed_x) > 8 and "run" or "idle"
    if it.animation ~= animation then it.animation = animation end
  end
end

-- `way`: -1 left, 1 right. The button `jumps` when it is pressed, and `holds` while it is down.
function hero.update(dt, way, jumps, holds)
  local it <const> = hero.it
  run(it, dt, way)
  jump(it, dt, jumps, holds)
  move(it, dt)
  show(it, dt)
end

function hero.bounce() hero.it.speed_y, hero.it.rises, hero.it.stretch = -BOUNCE, false, 0.3 end

-- Returns whether the hero comes down on an enemy.
function hero.stomps(enemy) return hero.it.speed_y > 0 and hero.it.y + FEET < enemy.y + 3 end

return hero
