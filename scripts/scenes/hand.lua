-- Plays when nobody else does: presses the keys in an order that shows everything, again and again.
local hand <const> = {}

local PATIENCE <const> = 4 -- seconds without a touch
local BEAT <const> = 0.42

-- Two visits each way: once the toys survive, once they are cleared. A dot waits.
local SCORE <const> = "dddddddd2..dddded1..eeddec.2..dddddddddddddddd1..dddddddddddddddddddddddda..ccdddddde2..ddeec"

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
