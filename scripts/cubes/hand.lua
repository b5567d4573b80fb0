-- Plays when nobody does: goes to an object and clicks it, then clicks an empty spot.
local spawnpool <const> = require "spawnpool"
local stage <const> = require "stage"

local pools <const> = spawnpool.pools
local hand <const> = {}

local PATIENCE <const> = 3 -- seconds without input
local SPEED <const> = 420
local REST <const> = 0.7 -- seconds between two clicks

local idle = PATIENCE -- it begins at once, and stops at the first input
local x, y = 400, 300
local goal_x, goal_y = 200, 200
local target -- the object it goes to, or nil for an empty spot
local rest, pulse = 0, 0
local seen_x, seen_y = 0, 0
local to_free_place = false

function hand.touched() idle = 0 end

-- Returns the longest-lived reachable object; spheres count double, because they never expire.
local function choose_target()
  local best, most = nil, -1
  for object in pools:each() do
    local skipped <const> = object.type == "Chip" or not object.visible -- a voice
    local worth <const> = skipped and -1 or object.type == "Sphere" and object.age * 2 or object.age
    if worth > most and object.y > 0 and object.lifetime - object.age < 3.5 then best, most = object, worth end
  end
  return best
end

local function choose()
  to_free_place = not to_free_place
  target = not to_free_place and choose_target() or nil
  goal_x, goal_y = stage.anywhere()
end

-- Mouse motion counts as input, too.
local function watch_mouse()
  local mouse_x <const>, mouse_y <const> = spawnpool.input.mouse()
  if mouse_x ~= seen_x or mouse_y ~= seen_y then
    seen_x, seen_y = mouse_x, mouse_y
    hand.touched()
  end
end

---@param dt number
---@param click fun(x: number, y: number)
function hand.update(dt, click)
  watch_mouse()
  idle, rest, pulse = idle + dt, rest - dt, pulse - dt
  if idle < PATIENCE or rest > 0 then return end
  -- The target may have been recycled on the way: its reference is stale then, even if the slot is reused.
  if target and target.alive then goal_x, goal_y = target.x, target.y end
  local dx <const>, dy <const> = goal_x - x, goal_y - y
  local away <const>, step <const> = math.sqrt(dx * dx + dy * dy), SPEED * dt
  if away > step then
    x, y = x + dx / away * step, y + dy / away * step
    return
  end
  x, y = goal_x, goal_y
  click(x, y)
  rest, pulse = REST, 0.35
  choose()
end

function hand.draw(g)
  if idle < PATIENCE then return end
  if pulse > 0 then
    g:color(1, 1, 1, pulse * 2)
    g:circle(x, y, 34 - pulse * 60, "line")
  end
  g:color(1, 1, 1, 0.25)
  g:circle(x, y, 9)
  g:color(1, 1, 1, 0.9)
  g:circle(x, y, 4)
end

return hand
