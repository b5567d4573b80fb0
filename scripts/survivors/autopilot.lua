-- scripts/survivors/autopilot.lua
-- Walks when nobody does: where few creatures are, and gems.
local spawnpool <const> = require "spawnpool"
local swarm <const> = require "swarm"

local pools <const> = spawnpool.pools
local autopilot <const> = {}

local WAYS <const> = 12
local EVERY <const> = 8 -- frames between two decisions
local NEAR <const>, FAR <const> = 75, 190 -- how far ahead it looks

local frame, dx, dy = 0, 0, 0

local function visited() end

local function crowd(x, y, radius)
  local count = 0
  for i = 1, #swarm.pools do count = count + swarm.pools[i]:within(x, y, radius, visited) end
  return count
end

local function decide(x, y)
  local gem <const> = pools:pool("Gem"):nearest(x, y, 420)
  local best = math.huge
  local to <const> = gem and math.atan(gem.y - y, gem.x - x) or 0
  local was_x <const>, was_y <const> = dx, dy
  for i = 0, WAYS - 1 do
    local angle <const> = i * 2 * math.pi / WAYS
    local wx <const>, wy <const> = math.cos(angle), math.sin(angle)
    local cost = 3 * crowd(x + wx * NEAR, y + wy * NEAR, 62) + crowd(x + wx * FAR, y + wy * FAR, 110)
    if gem then cost = cost - 14 * math.cos(angle - to) end
    cost = cost - 4 * (wx * was_x + wy * was_y)
    if cost < best then best, dx, dy = cost, wx, wy end
  end
end

---@return number dx, number dy
function autopilot.wishes(x, y)
  if frame % EVERY == 0 then decide(x, y) end
  frame = frame + 1
  return dx, dy
end

return autopilot
