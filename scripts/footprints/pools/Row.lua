-- One row of the list: a plate in the colour of its walker, and two texts.
local spawnpool <const> = require "spawnpool"

local Row <const> = spawnpool.class("Row", {
  prealloc = 6, grow = 3, limit = 16,
  sprite = "row", radius = 100, layer = 20, a = 0.55,
  fields = { name = "", score = "" },
})

---@param walker spawnpool.Object
function Row:alloc(lifetime, x, y, walker)
  local row <const>, why = Row.super.alloc(self, lifetime, x, y)
  if not row then return nil, why end
  row.r, row.g, row.b = walker.r, walker.g, walker.b
  row.name, row.score = walker.name, ("%d"):format(walker.hits)
  return row
end

return Row
