local spawnpool <const> = require "spawnpool"

local Tree <const> = spawnpool.class("Tree", {
  prealloc = 10, grow = 1, limit = 32,
  sprite = "pine", layer = 8, r = 0.9, g = 0.93,
})

---@param radius number
function Tree:alloc(lifetime, x, y, radius)
  local tree <const>, why = Tree.super.alloc(self, lifetime, x, y)
  if tree then tree.radius, tree.scale_x = radius, math.random() < 0.5 and -1 or 1 end
  return tree, why
end

return Tree
