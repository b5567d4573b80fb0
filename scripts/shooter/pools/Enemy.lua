-- The common part of all enemies: health, points, hits and ends. The variants define looks and motion.
local spawnpool <const> = require "spawnpool"
local effects <const> = require "effects"
local session <const> = require "session"
local stage <const> = require "stage"

local pools <const> = spawnpool.pools

local Enemy <const> = spawnpool.class("Enemy", {
  group = "enemies",
  prealloc = 12, grow = 6, limit = 64,
  bounds = stage.around(150), -- recycled once it is through
  layer = 6, radius = 16, angle = math.pi / 2, -- sprites point along x: this one points down
  fields = {
    health = 1,
    value = 100, -- points
    gems = 0.06, -- chance of a pickup
    home = 0, -- the x around which it moves
    phase = 0, -- initial phase of its swing
    reload = 0, -- seconds until it may fire
  },
})

function Enemy:alloc(lifetime, x, y)
  local enemy <const>, why = Enemy.super.alloc(self, lifetime, x, y, math.pi / 2)
  if not enemy then return nil, why end
  enemy.home = x
  enemy.reload = 0.6 + math.random() * 1.6
  return enemy
end

-- Called once per frame for each live object; variants override it with their movement.
---@param dt number
function Enemy:steer(enemy, dt) end

-- Counts down to the next shot; returns true when it is due.
---@param dt number
---@param every number seconds between two shots
function Enemy:may_fire(enemy, dt, every)
  enemy.reload = enemy.reload - dt
  if enemy.reload > 0 then return false end
  enemy.reload = every * (0.8 + math.random() * 0.4)
  return stage.has(enemy.x, enemy.y, 0) and not session.over
end

-- The direction to the ship.
function Enemy:aim(enemy)
  local x <const>, y <const> = session.aim(enemy.x, enemy.y)
  return math.atan(y - enemy.y, x - enemy.x)
end

---@param angle number
function Enemy:fire(enemy, angle)
  pools:alloc("Shot", 6, enemy.x + math.cos(angle) * 14, enemy.y + math.sin(angle) * 14, angle)
end

-- Called when a bullet hits.
---@param damage number
function Enemy:hit(enemy, damage)
  enemy.health = enemy.health - damage
  if enemy.health > 0 then
    effects.flash(enemy.x, enemy.y, enemy.radius * 1.5, 0.12, 1, 1, 1)
  else
    self:die(enemy)
  end
end

function Enemy:die(enemy)
  local x <const>, y <const> = enemy.x, enemy.y
  effects.explode(x, y, enemy.radius, self.tint[1], self.tint[2], self.tint[3])
  effects.points(x, y, session.add_kill(enemy.value))
  if math.random() < enemy.gems then pools:alloc("Pickup", 12, x, y) end
  enemy:recycle()
end

Enemy.tint = { 1, 0.6, 0.4 } -- of its explosion

return Enemy
