-- scripts/breakout/session.lua
-- One game from the first level to the last ball: score, lives, combo; and the best score of all games.
local storage <const> = require("spawnpool").storage

local session <const> = {}

local LIVES <const> = 3
local BRICK <const> = 10 -- points, times the combo
local COMBO_STEP <const> = 10 -- bricks per step of the combo
local MOST_TIMES <const> = 9
local COMBO_TIME <const> = 1.5 -- seconds without a brick until a combo ends

local saved <const> = storage.load "best"
session.best = type(saved) == "number" and saved or 0

---@param level integer
function session.start(level)
  session.level, session.lives, session.score = level, LIVES, 0
  session.over, session.over_for, session.won_for = false, 0, 0
  session.combo, session.combo_left, session.times = 0, 0, 1
end

function session.add_brick()
  session.combo, session.combo_left = session.combo + 1, COMBO_TIME
  session.times = math.min(1 + session.combo // COMBO_STEP, MOST_TIMES)
  session.score = session.score + BRICK * session.times
end

function session.next_level()
  session.level, session.won_for = session.level + 1, 0
end

local function keep_best()
  if session.score <= session.best then return end
  session.best = session.score
  storage.save("best", session.best)
end

---@return boolean whether there is another
function session.lose_life()
  session.lives = session.lives - 1
  session.combo, session.times = 0, 1
  session.over = session.lives <= 0
  if session.over then keep_best() end
  return not session.over
end

---@param dt number
function session.update(dt)
  if session.over then session.over_for = session.over_for + dt end
  session.combo_left = session.combo_left - dt
  if session.combo_left <= 0 then session.combo, session.times = 0, 1 end
end

session.start(1)
return session
