-- scripts/survivors/pools/Enemy.lua
-- The common part of all creatures: health, hits, and what they leave. Mite, Ghoul and Brute extend it.
local spawnpool <const> = require "spawnpool"
local effects <const> = require "effects"
local session <const> = require "session"

local pools <const> = spawnpool.pools

local Enemy <const> = spawnpool.class("Enemy", {
  group = "world",
  prealloc = 64, grow = 128, limit = 3000, layer = 2,
  fields = { health = 10, cut_until = 0 },
})

Enemy.speed = 60
Enemy.damage = 5
Enemy.value = 1 -- of its gem

-- Pushes it by px, py too.
---@param damage number
function Enemy:hit(enemy, damage, px, py)
  enemy.health = enemy.health - damage
  enemy.x, enemy.y = enemy.x + px, enemy.y + py
  effects.hit()
  if enemy.health <= 0 then self:die(enemy) else effects.sparks(enemy.x, enemy.y, 2, 1, 0.95, 0.8) end
end

function Enemy:die(enemy)
  local x <const>, y <const> = enemy.x, enemy.y
  session.kills = session.kills + 1
  effects.sparks(x, y, 6, enemy.r, enemy.g, enemy.b)
  local glow <const> = pools:alloc("Glow", 0.25, x, y)
  if glow then glow.radius, glow.r, glow.g, glow.b = enemy.radius * 2.6, enemy.r, enemy.g, enemy.b end
  local gem <const> = pools:alloc("Gem", 0, x, y)
  if gem then self:fill(gem) end
  enemy:recycle()
end

-- The colour of a gem says what it is worth.
function Enemy:fill(gem)
  gem.value = self.value
  if self.value >= 10 then
    gem.r, gem.g, gem.b, gem.scale = 1, 0.62, 0.35, 1.6
  elseif self.value > 1 then
    gem.r, gem.g, gem.b, gem.scale = 0.5, 1, 0.6, 1.2
  end
end

return Enemy
