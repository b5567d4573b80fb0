-- Whether a person plays, and their input. The autopilot flies until the first input of the person, and hands over to
-- the ship's controls at once.
local spawnpool <const> = require "spawnpool"

local input <const> = spawnpool.input
local person <const> = {}

local PATIENCE <const> = 5 -- seconds without input until the autopilot takes over

local idle = PATIENCE
local mouse_x, mouse_y = 0, 0
local by_mouse = false -- the mouse was used last, not keys or gamepad

function person.touched() idle = 0 end

---@return boolean
function person.is_away() return idle >= PATIENCE end

local function watch_mouse()
  local x <const>, y <const>, left <const> = input.mouse()
  if x ~= mouse_x or y ~= mouse_y or left then
    mouse_x, mouse_y, by_mouse = x, y, true
    person.touched()
  end
end

-- The stick or the D-pad.
---@return number dx, number dy
local function pad_wish()
  local dx <const>, dy <const> = input.axis "leftx", input.axis "lefty"
  if dx ~= 0 or dy ~= 0 then
    local far <const> = math.max(1, math.sqrt(dx * dx + dy * dy))
    return dx / far, dy / far
  end
  return (input.pad "dpright" and 1 or 0) - (input.pad "dpleft" and 1 or 0),
    (input.pad "dpdown" and 1 or 0) - (input.pad "dpup" and 1 or 0)
end

local function wants_fire()
  return input.down "space" or input.pad("a", "rightshoulder") or input.axis "righttrigger" > 0.3
end

local function steers()
  local dx <const>, dy <const> = pad_wish()
  return dx ~= 0 or dy ~= 0 or input.down("left", "right", "up", "down", "a", "d", "w", "s")
end

---@param dt number
function person.update(dt)
  idle = idle + dt
  watch_mouse()
  if steers() then
    by_mouse = false
    person.touched()
  elseif wants_fire() then
    person.touched()
  end
end

-- Returns where to go, from -1 to 1 each way, and whether to fire.
---@param x number where the ship is
---@param y number
---@return number dx, number dy, boolean fire
function person.wishes(x, y)
  local _ <const>, _ <const>, left <const> = input.mouse()
  local fire <const> = left or wants_fire()
  if by_mouse then
    local to_x <const>, to_y <const> = spawnpool.view:to_world(mouse_x, mouse_y)
    local dx <const>, dy <const> = (to_x - x) / 24, (to_y - y) / 24
    local far <const> = math.max(1, math.sqrt(dx * dx + dy * dy))
    return dx / far, dy / far, fire
  end
  local dx = (input.down("right", "d") and 1 or 0) - (input.down("left", "a") and 1 or 0)
  local dy = (input.down("down", "s") and 1 or 0) - (input.down("up", "w") and 1 or 0)
  if dx ~= 0 and dy ~= 0 then dx, dy = dx * 0.7071, dy * 0.7071 end
  if dx == 0 and dy == 0 then dx, dy = pad_wish() end
  return dx, dy, fire
end

return person
