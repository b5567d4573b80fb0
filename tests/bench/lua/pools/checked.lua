-- A pool of tables with the checks that references need: an object is a number, slot and generation, and what its slot
-- holds is looked up at each use.

local Pool = {}
Pool.__index = Pool

local SLOTS = 2 ^ 24

function Pool:alloc(_, life)
  local n = self.idle_count
  local slot = n > 0 and self.idle[n] or #self.slots + 1
  if n > 0 then
    self.idle_count = n - 1
  else
    self.slots[slot] = { x = 0, y = 0, vx = 1, vy = 1, generation = 0 }
  end
  local o = self.slots[slot]
  o.generation, o.life = o.generation + 1, life -- odd: live
  return o.generation * SLOTS + slot
end

-- The table of a live object; nil when it is stale.
function Pool:get(ref)
  local o = self.slots[ref % SLOTS]
  if o and o.generation == math.floor(ref / SLOTS) and o.generation % 2 == 1 then return o end
end

function Pool:recycle(ref)
  local o = self:get(ref)
  if not o then return false end
  o.generation = o.generation + 1
  self.idle_count = self.idle_count + 1
  self.idle[self.idle_count] = ref % SLOTS
  return true
end

return function(capacity)
  local self = setmetatable({ slots = {}, idle = {}, idle_count = 0 }, Pool)
  local refs = {}
  for i = 1, capacity do refs[i] = self:alloc(nil, 0) end
  for i = 1, capacity do self:recycle(refs[i]) end
  return self
end
