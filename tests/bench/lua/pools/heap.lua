-- A pool with lifetimes: a binary heap by time of death that knows where each object stands, so that a recycle cancels.

local Pool = {}
Pool.__index = Pool

local function up(heap, i)
  local o = heap[i]
  local due = o.due
  while i > 1 do
    local parent = (i - i % 2) / 2
    local p = heap[parent]
    if p.due <= due then break end
    heap[i] = p
    p.place = i
    i = parent
  end
  heap[i] = o
  o.place = i
end

local function down(heap, i, n)
  local o = heap[i]
  local due = o.due
  while true do
    local child = i * 2
    if child > n then break end
    local c = heap[child]
    if child < n then
      local right = heap[child + 1]
      if right.due < c.due then
        child = child + 1
        c = right
      end
    end
    if due <= c.due then break end
    heap[i] = c
    c.place = i
    i = child
  end
  heap[i] = o
  o.place = i
end

function Pool:alloc(type, life)
  local idle = self.types[type]
  local n = idle.n
  local o = idle[n]
  if n > 0 then
    idle.n = n - 1
  else
    o = { x = 0, y = 0, vx = 1, vy = 1, idle = idle }
  end
  o.pooled = false
  o.due = self.now + life
  local heap = self.heap
  local size = self.size + 1
  self.size = size
  heap[size] = o
  up(heap, size)
  return o
end

function Pool:recycle(o)
  if o.pooled then return false end
  o.pooled = true
  local heap = self.heap
  local size = self.size
  local place = o.place
  self.size = size - 1
  local last = heap[size]
  heap[size] = false
  if last ~= o then
    heap[place] = last
    last.place = place
    up(heap, place)
    down(heap, last.place, size - 1)
  end
  local idle = o.idle
  local n = idle.n + 1
  idle.n = n
  idle[n] = o
end

function Pool:update(dt)
  local now = self.now + dt
  self.now = now
  local heap = self.heap
  while self.size > 0 and heap[1].due <= now do self:recycle(heap[1]) end
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
    idle[i] = { x = 0, y = 0, vx = 1, vy = 1, idle = idle, pooled = true, due = 0, place = 0 }
  end
  local types, heap = { Bullet = idle }, {}
  local pool = setmetatable({ types = types, heap = heap, size = 0, now = 0 }, Pool)
  local sub = setmetatable({ types = types, heap = heap, size = 0, now = 0 }, Sub)
  return pool, sub
end
