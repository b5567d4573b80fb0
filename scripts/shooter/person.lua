-- What people do, alone or two at a time. The autopilot flies a ship until its player's first input, and hands over to
-- the controls at once.
local spawnpool <const> = require "spawnpool"

local input <const> = spawnpool.input
local person <const> = {}

local PATIENCE <const> = 5 -- seconds without input until the autopilot takes over

-- Two players share the keyboard; one alone uses both halves, and any gamepad.
person.actions = {
  left = { "left", "a", "pad:-leftx", "pad:dpleft" },
  left1 = { "a", "pad1:-leftx", "pad1:dpleft" },
  left2 = { "left", "pad2:-leftx", "pad2:dpleft" },
  right = { "right", "d", "pad:+leftx", "pad:dpright" },
  right1 = { "d", "pad1:+leftx", "pad1:dpright" },
  right2 = { "right", "pad2:+leftx", "pad2:dpright" },
  up = { "up", "w", "pad:-lefty", "pad:dpup" },
  up1 = { "w", "pad1:-lefty", "pad1:dpup" },
  up2 = { "up", "pad2:-lefty", "pad2:dpup" },
  down = { "down", "s", "pad:+lefty", "pad:dpdown" },
  down1 = { "s", "pad1:+lefty", "pad1:dpdown" },
  down2 = { "down", "pad2:+lefty", "pad2:dpdown" },
  fire = { "space", "mouse:left", "pad:a", "pad:rightshoulder", "pad:+righttrigger" },
  fire1 = { "space", "pad1:a", "pad1:rightshoulder", "pad1:+righttrigger" },
  fire2 = { "return", "pad2:a", "pad2:rightshoulder", "pad2:+righttrigger" },
  join = { "2", "pad2:a", "pad2:start" },
}

local players = 1
local idle <const> = { PATIENCE, PATIENCE } -- seconds, by player
local mouse_x, mouse_y = 0, 0
local by_mouse = false -- the mouse was used last, not keys or gamepad

---@param count integer
function person.share(count)
  players = count
  if count == 2 then idle[1], idle[2] = 0, 0 end
end

-- Somebody did something: with two players, their controls say who.
function person.touched()
  if players == 1 then idle[1] = 0 end
end

---@param player integer
---@return boolean
function person.is_away(player) return idle[player] >= PATIENCE end

---@return boolean
function person.are_all_away() return person.is_away(1) and (players == 1 or person.is_away(2)) end

-- Returns the name of an action: that of the player, when there are two.
local function of(name, player) return players == 1 and name or name .. player end

local function watch_mouse()
  local x <const>, y <const>, left <const> = input.mouse()
  if players == 1 and (x ~= mouse_x or y ~= mouse_y or left) then
    by_mouse = true
    person.touched()
  end
  mouse_x, mouse_y = x, y
end

-- Returns a direction, at most 1 long.
local function direction(dx, dy)
  local far <const> = math.max(1, math.sqrt(dx * dx + dy * dy))
  return dx / far, dy / far
end

local function steer(player)
  return direction(input.value(of("right", player)) - input.value(of("left", player)),
    input.value(of("down", player)) - input.value(of("up", player)))
end

---@param dt number
function person.update(dt)
  watch_mouse()
  for player = 1, players do
    local dx <const>, dy <const> = steer(player)
    local steers <const> = dx ~= 0 or dy ~= 0
    by_mouse = by_mouse and not steers and players == 1
    idle[player] = (steers or input.down(of("fire", player))) and 0 or idle[player] + dt
  end
end

-- Returns where to go, from -1 to 1 each way, and whether to fire.
---@param x number where the ship is
---@param y number
---@param player integer
---@return number dx, number dy, boolean fire
function person.wishes(x, y, player)
  local fire <const> = input.down(of("fire", player))
  local dx, dy = steer(player)
  if by_mouse then
    local to_x <const>, to_y <const> = spawnpool.view:to_world(mouse_x, mouse_y)
    dx, dy = direction((to_x - x) / 24, (to_y - y) / 24)
  end
  return dx, dy, fire
end

return person
