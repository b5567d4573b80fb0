-- scripts/survivors/swarm.lua
-- The creatures as a whole: they arrive in a ring around the picture, walk towards its middle, and push each other
-- apart. Those that were left behind are moved to the other side, so that none is wasted.
local spawnpool <const> = require "spawnpool"
local session <const> = require "session"
local stage <const> = require "stage"

local pools <const> = spawnpool.pools
local swarm <const> = {}

local MOST <const> = 4000
local FIRST <const>, EACH_SECOND <const> = 80, 26 -- how many there are
local A_FRAME <const> = 30 -- arrive at most
local SHARES <const> = 5 -- each is steered in one of so many frames
local TAU <const> = 2 * math.pi

local mites <const>, ghouls <const>, brutes <const> = pools:pool "Mite", pools:pool "Ghoul", pools:pool "Brute"

swarm.pools = { mites, ghouls, brutes }

local frame = 0

---@return integer
function swarm.live() return mites.live + ghouls.live + brutes.live end

function swarm.start() frame = 0 end

-- {== Arrivals ==============================================================

local function place_outside()
  local angle <const> = math.random() * TAU
  local far <const> = math.sqrt(stage.half_w ^ 2 + stage.half_h ^ 2) + 30 + 90 * math.random()
  return stage.x + math.cos(angle) * far, stage.y + math.sin(angle) * far
end

local function arrive()
  local wanted <const> = math.min(FIRST + session.time * EACH_SECOND, MOST)
  for _ = 1, math.min(wanted - swarm.live(), A_FRAME) do
    local chance <const> = math.random() * math.min(session.time / 60, 1.6)
    local pool <const> = chance > 1.45 and brutes or chance > 0.62 and ghouls or mites
    pool:alloc(0, place_outside())
  end
end

-- }==

-- {== Walking ===============================================================

-- The share of a pool whose turn it is; each creature sets out again to where the hero is now.
local function steer(pool, turn, lost)
  local hx <const>, hy <const>, speed <const> = stage.x, stage.y, pool.speed
  local time <const> = session.time * 9
  for enemy in pool:each() do
    local id <const> = enemy.id
    if id % SHARES == turn then
      local dx <const>, dy <const> = hx - enemy.x, hy - enemy.y
      local far <const> = math.sqrt(dx * dx + dy * dy) + 0.01
      if far > lost then
        enemy.x, enemy.y = place_outside()
      elseif session.over then
        enemy.vx, enemy.vy = -dx / far * speed * 0.4, -dy / far * speed * 0.4
      else
        enemy.vx, enemy.vy = dx / far * speed, dy / far * speed
      end
      enemy.angle = math.sin(time + id) * 0.14
    end
  end
end

local function push_apart()
  mites:separate()
  ghouls:separate()
  brutes:separate()
  mites:separate(ghouls)
  ghouls:separate(brutes)
end

-- }==

---@param _ number
function swarm.update(_)
  frame = frame + 1
  arrive()
  local lost <const> = 2 * math.sqrt(stage.half_w ^ 2 + stage.half_h ^ 2)
  for i = 1, #swarm.pools do steer(swarm.pools[i], frame % SHARES, lost) end
  push_apart()
end

return swarm
