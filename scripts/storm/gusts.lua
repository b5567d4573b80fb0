-- Forces: the blast of a click, the drag of the mouse, and squalls that push everything.
local spawnpool <const> = require "spawnpool"
local weather <const> = require "weather"

local pools <const> = spawnpool.pools
local gusts <const> = {}

local BLAST <const>, STIR <const> = 190, 80 -- their radius in points
local PUSH <const> = 1500 -- points per second at the centre of a blast

local CALM <const> = 0.25 -- volume of the wind

local lull = 0 -- seconds until the next random squall
local howl -- the voice of the wind, which loops; a squall makes it louder for a while

-- {== Blasts ================================================================

local at_x, at_y, reach, by_x, by_y -- of the current blast, for `push`

-- Away from the centre, with some rotation; stronger near the centre.
local function push(object)
  local dx <const>, dy <const> = object.x - at_x, object.y - at_y
  local away <const> = math.sqrt(dx * dx + dy * dy) + 1
  local force <const> = PUSH * (1 - away / reach) ^ 2 / away
  if away >= reach then return end
  object.vx = object.vx + (dx - 0.35 * dy) * force
  object.vy = object.vy + (dy + 0.35 * dx) * force
end

local function drag(object)
  object.vx = object.vx + (by_x - object.vx) * 0.22
  object.vy = object.vy + (by_y - object.vy) * 0.22
end

local function visit_all(x, y, radius, visit)
  at_x, at_y, reach = x, y, radius
  for i = 1, #weather.kinds do weather.kinds[i].pool:within(x, y, radius, visit) end
end

function gusts.blast(x, y)
  visit_all(x, y, BLAST, push)
  local glow <const> = pools:alloc("Flash", 0.7, x, y)
  if glow then glow.radius = BLAST * 1.1 end
  for _ = 1, 160 do pools:alloc("Spark", 0.5 + 1.1 * math.random() ^ 2, x, y) end
end

-- Drags leaves along with the mouse.
---@param vx number of the hand
---@param vy number
function gusts.stir(x, y, vx, vy)
  by_x, by_y = math.max(-900, math.min(vx, 900)), math.max(-900, math.min(vy, 900))
  if by_x ~= 0 or by_y ~= 0 then visit_all(x, y, STIR, drag) end
end

-- }==

local function howl_up(volume)
  if howl and howl.alive then howl.volume = math.max(howl.volume, volume) end
end

-- Returns to its calm by half in each second.
local function blow(dt)
  if not (howl and howl.alive) then
    howl = spawnpool.audio.play("wind", { volume = CALM, loop = true, pinned = true })
  elseif howl.volume > CALM then
    howl.volume = CALM + (howl.volume - CALM) * 0.5 ^ dt
  end
end

-- One call per pool pushes all its objects; the drag of their classes slows them down again.
function gusts.squall()
  howl_up(1)
  for i = 1, #weather.kinds do
    local pool <const> = weather.kinds[i].pool
    pool:add("vx", 520 * pool.depth)
    pool:add("vy", -90 * pool.depth)
  end
end

---@param dt number
function gusts.update(dt)
  lull = lull - dt
  blow(dt)
  if lull <= 0 then
    howl_up(0.6)
    lull = 7 + math.random() * 5
    for i = 1, #weather.kinds do
      local pool <const> = weather.kinds[i].pool
      pool:add("vx", 170 * pool.depth)
    end
  end
end

return gusts
