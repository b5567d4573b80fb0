-- One game from the first wave to the last ship: score, lives, chain. Other modules read the fields.
local session <const> = { best = 0 }

local LIVES <const> = 3
local CHAIN_TIME <const> = 2.2 -- seconds until a chain of kills breaks
local CHAIN_STEP <const> = 6 -- kills per step of the multiplier
local MOST_TIMES <const> = 8

function session.start()
  session.over = false
  session.over_for = 0 -- seconds since the end
  session.score, session.kills, session.wave = 0, 0, 0
  session.lives = LIVES
  session.chain, session.chain_left = 0, 0
  session.times = 1 -- multiplier of a kill's value
  session.aim_x, session.aim_y = 400, 500 -- position of the ship, for everything that aims at it
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

session.start()
return session
