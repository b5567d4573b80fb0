-- scripts/survivors/person.lua
-- Whether a person plays, and where they want to go.
local spawnpool <const> = require "spawnpool"

local input <const> = spawnpool.input
local person <const> = {}

local PATIENCE <const> = 5 -- seconds without input until the game plays by itself

local idle = PATIENCE

function person.touched() idle = 0 end

---@return boolean
function person.is_away() return idle >= PATIENCE end

local function keys(less, less_too, more, more_too)
  return (input.down(more, more_too) and 1 or 0) - (input.down(less, less_too) and 1 or 0)
end

local function pads(less, more) return (input.pad(more) and 1 or 0) - (input.pad(less) and 1 or 0) end

-- Returns a direction, at most 1 long.
---@return number dx, number dy
function person.wishes()
  local dx = keys("left", "a", "right", "d") + pads("dpleft", "dpright") + input.axis "leftx"
  local dy = keys("up", "w", "down", "s") + pads("dpup", "dpdown") + input.axis "lefty"
  local x <const>, y <const>, held <const> = input.mouse()
  if held then
    dx = (x - spawnpool.view.width / 2) / 40
    dy = (y - spawnpool.view.height / 2) / 40
  end
  local far <const> = math.max(1, math.sqrt(dx * dx + dy * dy))
  return dx / far, dy / far
end

---@param dt number
function person.update(dt)
  idle = idle + dt
  local dx <const>, dy <const> = person.wishes()
  if dx ~= 0 or dy ~= 0 then person.touched() end
end

return person
