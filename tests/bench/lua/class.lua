-- The pool that most games write: one free list per type, a flag against recycling twice, no lifetimes, no check of
-- references. Runs under Lua 5.4 and LuaJIT, like every file in this folder.

local Pool = {}
Pool.__index = Pool

function Pool:alloc(type, life)
  local idle = self.types[type]
  local n = idle.n
  local o
  if n > 0 then
    o = idle[n]
    idle.n = n - 1
  else
    o = { x = 0, y = 0, vx = 1, vy = 1, idle = idle }
  end
  o.pooled = false
  o.life = life
  return o
end

function Pool:recycle(o)
  if o.pooled then return false end
  o.pooled = true
  local idle = o.idle
  local n = idle.n + 1
  idle.n = n
  idle[n] = o
end

-- A subclass whose alloc sets one field.
local Sub = setmetatable({}, { __index = Pool })
Sub.__index = Sub

function Sub:alloc(type, life)
  local o = Pool.alloc(self, type, life)
  o.x = 1
  return o
end

return function(capacity)
  local idle = { n = capacity }
  for i = 1, capacity do
    idle[i] = { x = 0, y = 0, vx = 1, vy = 1, idle = idle, pooled = true, life = 0 }
  end
  local types = { Bullet = idle }
  return setmetatable({ types = types }, Pool), setmetatable({ types = types }, Sub)
end
