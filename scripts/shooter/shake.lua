-- The picture trembles after a great explosion. Only what is shown moves: nobody hits or misses because of it, and no
-- random number is spent on it.
local shake <const> = {}

local MOST <const> = 13 -- points
local LASTS <const> = 0.7 -- seconds that the hardest one takes to fade

local trouble, time = 0, 0 -- 0 to 1; what is seen is its square, so that small ones stay small

shake.x, shake.y = 0, 0 -- where objects are shown now, away from where they are

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
