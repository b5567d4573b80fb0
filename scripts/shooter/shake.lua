-- Shakes the screen after a large explosion. Only the drawing moves, so hits do not change, and no random number is
-- used that the game itself would need.
local shake <const> = {}

local MOST <const> = 13 -- points
local LASTS <const> = 0.7 -- duration of the strongest shake in seconds

local trouble, time = 0, 0 -- 0 to 1; the shake is its square, so that small ones stay small

shake.x, shake.y = 0, 0 -- current offset of drawn objects

---@param amount number 1 is the hardest there is
function shake.add(amount) trouble = math.min(trouble + amount, 1) end

---@param dt number
function shake.update(dt)
  trouble, time = math.max(trouble - dt / LASTS, 0), time + dt
  local size <const> = MOST * trouble * trouble
  shake.x = size * (math.sin(time * 71) * 0.7 + math.sin(time * 43) * 0.3)
  shake.y = size * (math.cos(time * 59) * 0.7 + math.sin(time * 37) * 0.3)
end

return shake
