-- The same pool with the guarantees of spawnpool, as far as plain Lua can give them: alloc returns an object and its
-- generation, and recycle takes both, so that a late one is seen. A subclass's alloc is called protected: an error
-- gives back what it had opened and goes on to the caller, and it must return the object that its base call opened.

local Pool = {}
Pool.__index = Pool

local opened -- the object that the base call of the override that runs has opened

-- The base of alloc: what an override calls.
function Pool:open(type, life)
  local idle = self.types[type]
  local n = idle.n
  local o
  if n > 0 then
    o = idle[n]
    idle.n = n - 1
  else
    o = { x = 0, y = 0, vx = 1, vy = 1, idle = idle, generation = 0 }
  end
  local generation = o.generation + 1 -- odd: live
  o.generation = generation
  o.life = life
  opened = o
  return o, generation
end

function Pool:recycle(o, generation)
  if o.generation ~= generation then return false, "stale" end
  o.generation = generation + 1
  local idle = o.idle
  local n = idle.n + 1
  idle.n = n
  idle[n] = o
  return true
end

-- The override failed, or returned something else.
local function settle(self, outer, fine, returned)
  local left = opened
  opened = outer
  if left and left.generation % 2 == 1 then self:recycle(left, left.generation) end
  if not fine then error(returned, 0) end
  if returned then error("alloc must return the object that its base call opened, or nil", 3) end
  return nil, "vetoed"
end

function Pool:alloc(type, life)
  local override = self.override
  if not override then return self:open(type, life) end
  local outer = opened
  opened = nil
  local fine, o, generation = pcall(override, self, type, life)
  if fine and o and o == opened and o.generation == generation then
    opened = outer
    return o, generation
  end
  return settle(self, outer, fine, o)
end

-- A subclass whose alloc sets one field.
local Sub = setmetatable({ alloc = Pool.alloc, recycle = Pool.recycle }, { __index = Pool })
Sub.__index = Sub

function Sub:override(type, life)
  local o, generation = Pool.open(self, type, life)
  o.x = 1
  return o, generation
end

return function(capacity)
  local idle = { n = capacity }
  for i = 1, capacity do idle[i] = { x = 0, y = 0, vx = 1, vy = 1, idle = idle, generation = 0, life = 0 } end
  local types = { Bullet = idle }
  return setmetatable({ types = types }, Pool), setmetatable({ types = types }, Sub)
end
