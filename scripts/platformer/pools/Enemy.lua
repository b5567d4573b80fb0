-- scripts/platformer/pools/Enemy.lua
-- What hurts from the side, and can be jumped on. Crab and Gull extend it: `step` is theirs.
local spawnpool <const> = require "spawnpool"
local effects <const> = require "effects"

local Enemy <const> = spawnpool.class("Enemy", {
  group = "room",
  box = { w = 11, h = 9 }, layer = 10,
  fields = { way = -1, home = 0.0 },
})

function Enemy:on_spawn(enemy) enemy.home = enemy.y end

function Enemy:update(dt)
  for enemy in self:each() do
    self:step(enemy, dt)
    enemy.scale_x = enemy.way
  end
end

-- A room that ends clears its enemies ("cleared"); one that is jumped on leaves a shell.
function Enemy:recycle(enemy, why)
  if why == "recycled" then effects.stomp(enemy.x, enemy.y, enemy.sprite) end
  return Enemy.super.recycle(self, enemy, why)
end

return Enemy
