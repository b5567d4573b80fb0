-- scripts/platformer/session.lua
-- One way up: time, oil, falls; and the best time of all.
local storage <const> = require("spawnpool").storage

local saved <const> = storage.load "best"
local session <const> = { best = type(saved) == "number" and saved or nil, time = 0, drops = 0, falls = 0 }

function session.start() session.time, session.drops, session.falls = 0, 0, 0 end

-- The lamp is lit.
---@return boolean is_record
function session.finish()
  if session.best and session.best <= session.time then return false end
  session.best = session.time
  storage.save("best", session.best)
  return true
end

---@return string
function session.clock(seconds) return ("%d:%04.1f"):format(seconds // 60, seconds % 60) end

return session
