-- scripts/survivors/session.lua
-- One game: its time, kills and experience; and the best time of all games.
local storage <const> = require("spawnpool").storage

local session <const> = {}

local saved <const> = storage.load "best"
session.best = type(saved) == "number" and saved or 0

---@param time number seconds that count as played
function session.start(time)
  session.time, session.kills = time, 0
  session.level, session.xp, session.needs = 1, 0, 6
  session.choices = 0 -- level-ups that wait for a choice
  session.over, session.over_for = false, 0
end

---@param value integer
function session.gain(value)
  session.xp = session.xp + value
  while session.xp >= session.needs do
    session.xp = session.xp - session.needs
    session.level = session.level + 1
    session.needs = 6 + session.level * 8 + session.level * session.level
    session.choices = session.choices + 1
  end
end

function session.lose()
  session.over = true
  if session.time <= session.best then return end
  session.best = session.time
  storage.save("best", session.best)
end

---@param dt number
function session.update(dt)
  if session.over then session.over_for = session.over_for + dt else session.time = session.time + dt end
end

session.start(0)
return session
