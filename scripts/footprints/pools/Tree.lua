local spawnpool <const> = require "spawnpool"

local Tree <const> = spawnpool.class("Tree", {
  prealloc = 10, grow = 1, limit = 32,
  sprite = "pine", layer = 8, r = 0.8, g = 0.85, b = 0.95,
})

---@param radius number
function Tree:alloc(lifetime, x, y, radius)
  local tree <const>, why = Tree.super.alloc(self, lifetime, x, y, math.random() * 6.28)
  if tree then tree.radius = radius end
  return tree, why
end

return Tree
