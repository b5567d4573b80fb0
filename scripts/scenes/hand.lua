-- Plays when nobody does: presses the keys in an order that shows everything, repeatedly.
local hand <const> = {}

local PATIENCE <const> = 4 -- seconds without input
local BEAT <const> = 0.34 -- seconds between two keys

-- Toys survive, then they are cleared, then more are recycled than may be idle. A dot waits.
local SCORE <const> = "dddddddd2..dddded1..eedded.c.2..ddddddd..c1.." .. ("d"):rep(36) .. "..a....dddddd2..ddd1.eee."

local idle = PATIENCE
local beat, at = 0, 0

function hand.touched() idle = 0 end

---@param dt number
---@param keys table<string, function>
function hand.update(dt, keys)
  idle, beat = idle + dt, beat + dt
  if idle < PATIENCE or beat < BEAT then return end
  beat, at = 0, at % #SCORE + 1
  local press <const> = keys[SCORE:sub(at, at)]
  if press then press() end
end

return hand
