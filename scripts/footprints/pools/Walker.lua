-- Walks around, throws at the others, and falls when hit. Its steps are a timer.
local spawnpool <const> = require "spawnpool"
local list <const> = require "list"
local stage <const> = require "stage"

local pools <const> = spawnpool.pools

local SIGHT <const> = 300 -- range of a throw
local BALL_SPEED <const> = 260
local STRIDE <const> = 13 -- between two steps, in points
local NAMES <const> = { "Ada", "Bela", "Cleo", "Dov", "Edda", "Finn", "Gro", "Hana", "Ivo", "Juno", "Kai", "Lin" }
local COATS <const> = {
  { 0.98, 0.45, 0.40 }, { 1.00, 0.74, 0.36 }, { 0.62, 0.90, 0.50 }, { 0.38, 0.86, 0.84 }, { 0.52, 0.66, 1.00 },
  { 0.82, 0.60, 1.00 }, { 1.00, 0.58, 0.78 },
}

local came = 0 -- walkers so far, which numbers them

local Walker <const> = spawnpool.class("Walker", {
  prealloc = 8, grow = 4, limit = 16,
  sprite = "walker", radius = 19, layer = 2,
  fields = { name = "", number = 0, hits = 0, goal_x = 0, goal_y = 0, side = 1, reload = 1.5, pace = 60 },
  motion = { face_velocity = true },
})

local function step(walker)
  local across <const> = walker.angle + math.pi / 2
  walker.side = -walker.side
  pools:alloc("Footprint", 9, walker.x + math.cos(across) * 4.5 * walker.side,
    walker.y + math.sin(across) * 4.5 * walker.side, walker.angle)
end

function Walker:alloc(lifetime, x, y)
  local walker <const>, why = Walker.super.alloc(self, lifetime, x, y)
  if not walker then return nil, why end
  came = came + 1
  walker.number, walker.name = came, NAMES[(came - 1) % #NAMES + 1]
  local coat <const> = COATS[(came - 1) % #COATS + 1]
  walker.r, walker.g, walker.b = coat[1], coat[2], coat[3]
  walker.pace = 48 + math.random() * 30
  walker.reload = 0.8 + math.random() * 2
  walker.goal_x, walker.goal_y = stage.anywhere()
  walker:every(STRIDE / walker.pace, step)
  list.change()
  return walker
end

function Walker:on_despawn() list.change() end

-- {== Going =================================================================

local function steer(walker, dt)
  local dx <const>, dy <const> = walker.goal_x - walker.x, walker.goal_y - walker.y
  local away <const> = math.sqrt(dx * dx + dy * dy)
  if away < 14 then walker.goal_x, walker.goal_y = stage.anywhere() end
  local ease <const>, speed <const> = math.min(dt * 3, 1), walker.pace / math.max(away, 1)
  walker.vx = walker.vx + (dx * speed - walker.vx) * ease
  walker.vy = walker.vy + (dy * speed - walker.vy) * ease
end

-- Returns a walker in range, or nil.
local function choose_target(self, walker)
  local near <const> = self:within(walker.x, walker.y, SIGHT)
  local other <const> = near[math.random(#near)]
  return other ~= walker and other or nil
end

function Walker:update(dt)
  for walker in self:each() do
    steer(walker, dt)
    walker.reload = walker.reload - dt
    if walker.reload <= 0 then
      walker.reload = 1.2 + math.random() * 2.4
      local target <const> = choose_target(self, walker)
      if target then walker:throw(target) end
    end
  end
end

-- }==

-- {== Throwing and falling ==================================================

Walker.methods = {
  -- Aims at the other's future position, with some error.
  throw = function(walker, target)
    local dx <const>, dy <const> = target.x - walker.x, target.y - walker.y
    local flight <const> = math.max(math.sqrt(dx * dx + dy * dy) / BALL_SPEED, 0.2)
    local x <const> = target.x + target.vx * flight + math.random(-17, 17)
    local y <const> = target.y + target.vy * flight + math.random(-17, 17)
    local ball <const> = pools:alloc("Snowball", flight, walker.x, walker.y, x, y)
    if ball then ball.thrower = walker end
  end,

  fall = function(walker)
    pools:alloc("Dent", 12, walker.x, walker.y, walker.angle)
    pools:pool("Powder"):burst(walker.x, walker.y, 16, 90)
    walker:recycle()
  end,
}

-- }==

return Walker
