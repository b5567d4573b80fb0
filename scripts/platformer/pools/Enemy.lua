-- scripts/platformer/pools/Enemy.lua
-- An enemy hurts from the side, and can be jumped on. Crab and Gull extend it: `step` is theirs.
local Enemy <const> = require("spawnpool").class("Enemy", {
  group = "room",
  box = { w = 11, h = 9 }, layer = 10,
  fields = { way = -1 },
})

function Enemy:update(dt)
  for enemy in self:each() do
    self:step(enemy, dt)
    enemy.scale_x = enemy.way
  end
end

return Enemy
