-- Flies the ship when nobody does. It looks a moment ahead in nine directions, adds up costs for objects that would be
-- too near, and chooses the cheapest. Among safe directions it prefers one that brings an enemy before its gun.
local spawnpool <const> = require "spawnpool"
local enemies <const> = require "enemies"
local stage <const> = require "stage"

local pools <const> = spawnpool.pools
local autopilot <const> = {}

local SPEED <const> = 400 -- of the ship
local SIGHT <const> = 230 -- maximum distance of objects that matter
local AHEAD <const> = { 0.08, 0.2, 0.36, 0.55 } -- seconds
local WAYS <const> = {
  { 0, 0 }, { 1, 0 }, { -1, 0 }, { 0, 1 }, { 0, -1 },
  { 0.7, 0.7 }, { 0.7, -0.7 }, { -0.7, 0.7 }, { -0.7, -0.7 },
}

-- Positions of near objects, as plain numbers in arrays that are reused every frame.
local xs <const>, ys <const>, vxs <const>, vys <const>, reaches <const> = {}, {}, {}, {}, {}
local count = 0

local goal_x, goal_y -- its desired position
local want_x, want_y = 0, 0 -- the last direction: changing it costs a little, against trembling

local function note(object, x, y, margin)
  local ox <const>, oy <const> = object.x, object.y
  local reach <const> = object.radius + margin
  if math.abs(ox - x) > SIGHT + reach or math.abs(oy - y) > SIGHT + reach then return end
  count = count + 1
  xs[count], ys[count], vxs[count], vys[count], reaches[count] = ox, oy, object.vx, object.vy, reach
end

local function look_around(x, y)
  count = 0
  for shot in pools:pool("Shot"):each() do note(shot, x, y, 18) end
  for i = 1, #enemies.pools do
    for enemy in enemies.pools[i]:each() do note(enemy, x, y, 26) end
  end
end

-- Goes below the enemy that is lowest but still above the ship, a little ahead of it; to a gem when one is near.
local function choose_goal(x, y)
  goal_x, goal_y = stage.width / 2, stage.height * 0.84
  local best = -math.huge
  for i = 1, #enemies.pools do
    for enemy in enemies.pools[i]:each() do
      local worth <const> = enemy.y - math.abs(enemy.x - x) * 0.7
      if enemy.y > 40 and enemy.y < y - 60 and worth > best then
        best = worth
        goal_x = enemy.x + enemy.vx * (y - enemy.y) / 780
      end
    end
  end
  for gem in pools:pool("Pickup"):each() do
    if gem.y > stage.height * 0.4 and math.abs(gem.x - x) < 260 then goal_x, goal_y = gem.x, gem.y end
  end
end

-- The cost of being at x, y after `time`.
local function danger(x, y, time)
  local sum = 0
  for i = 1, count do
    local dx <const>, dy <const> = xs[i] + vxs[i] * time - x, ys[i] + vys[i] * time - y
    local away <const> = math.sqrt(dx * dx + dy * dy) - reaches[i]
    if away < 0 then
      sum = sum + 40 - away * 2
    elseif away < 46 then
      sum = sum + (46 - away) * 0.16
    end
  end
  return sum
end

local function cost_of(x, y, way)
  local dx <const>, dy <const> = way[1], way[2]
  local cost = (dx ~= want_x or dy ~= want_y) and 1.2 or 0
  for i = 1, #AHEAD do
    local time <const> = AHEAD[i]
    local nx <const> = stage.clamp(x + dx * SPEED * time, 24, stage.width - 24)
    local ny <const> = stage.clamp(y + dy * SPEED * time, stage.height * 0.35, stage.height - 30)
    cost = cost + danger(nx, ny, time) / (1 + time * 2)
    cost = cost + math.abs(nx - goal_x) * 0.014 + math.abs(ny - goal_y) * 0.012
  end
  return cost
end

---@param x number where the ship is
---@param y number
---@return number dx, number dy, boolean fire
function autopilot.wishes(x, y)
  look_around(x, y)
  choose_goal(x, y)
  local best, least = WAYS[1], math.huge
  for i = 1, #WAYS do
    local cost <const> = cost_of(x, y, WAYS[i])
    if cost < least then best, least = WAYS[i], cost end
  end
  want_x, want_y = best[1], best[2]
  return want_x, want_y, enemies.live() > 0
end

return autopilot
