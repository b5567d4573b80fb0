-- One game from the first wave to the last ship: score, lives, chain. Other modules read the fields.
local session <const> = { best = 0 }

local LIVES <const> = { 3, 5 } -- of one player, of two together
local CHAIN_TIME <const> = 2.2 -- seconds until a chain of kills breaks
local CHAIN_STEP <const> = 6 -- kills per step of the multiplier
local MOST_TIMES <const> = 8

local aims = {} -- positions of the ships by player, for everything that aims at them

---@param players integer
function session.start(players)
  session.players = players
  session.over = false
  session.over_for = 0 -- seconds since the end
  session.score, session.kills, session.wave = 0, 0, 0
  session.lives = LIVES[players]
  session.chain, session.chain_left = 0, 0
  session.times = 1 -- multiplier of a kill's value
  aims = {}
  for player = 1, players do aims[player] = { x = 400, y = 500, is_lost = false } end
end

-- Sets where the ship of a player is; without a position, it is lost.
---@param player integer
---@param x? number
---@param y? number
function session.set_aim(player, x, y)
  local aim <const> = aims[player]
  aim.x, aim.y, aim.is_lost = x or aim.x, y or aim.y, not x
end

-- Returns where the nearest ship is, or was.
---@param x number
---@param y number
---@return number x, number y
function session.aim(x, y)
  local best, least = aims[1], math.huge
  for player = 1, #aims do
    local aim <const> = aims[player]
    local far <const> = (aim.x - x) ^ 2 + (aim.y - y) ^ 2
    if not aim.is_lost and far < least then best, least = aim, far end
  end
  return best.x, best.y
end

---@param value integer
---@return integer gained
function session.add_kill(value)
  session.kills = session.kills + 1
  session.chain, session.chain_left = session.chain + 1, CHAIN_TIME
  session.times = math.min(1 + session.chain // CHAIN_STEP, MOST_TIMES)
  return session.add_score(value * session.times)
end

---@param gained integer
---@return integer gained
function session.add_score(gained)
  session.score = session.score + gained
  session.best = math.max(session.best, session.score)
  return gained
end

function session.lose_life()
  session.lives = session.lives - 1
  session.chain, session.times = 0, 1
  session.over = session.lives <= 0
end

---@param dt number
function session.update(dt)
  if session.over then session.over_for = session.over_for + dt end
  session.chain_left = session.chain_left - dt
  if session.chain_left <= 0 then session.chain, session.times = 0, 1 end
end

session.start(1)
return session
