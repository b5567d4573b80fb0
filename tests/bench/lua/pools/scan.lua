-- A pool with lifetimes: every live object counts its own seconds down, every frame.

local Pool = {}
Pool.__index = Pool

function Pool:alloc(_, life)
  local idle = self.idle
  local n = self.idle_count
  local o
  if n > 0 then
    o = idle[n]
    self.idle_count = n - 1
  else
    o = { x = 0, y = 0, vx = 1, vy = 1 }
  end
  o.life = life
  o.pooled = false
  local count = self.count + 1
  self.count = count
  self.live[count] = o
  return o
end

function Pool:recycle(o)
  if o.pooled then return false end
  o.pooled = true
  local n = self.idle_count + 1
  self.idle_count = n
  self.idle[n] = o
end

function Pool:update(dt)
  local live, count = self.live, self.count
  local i = 1
  while i <= count do
    local o = live[i]
    local life = o.life - dt
    o.life = life
    if life <= 0 then
      self:recycle(o)
      live[i] = live[count]
      live[count] = nil
      count = count - 1
    else
      i = i + 1
    end
  end
  self.count = count
end

-- A subclass whose recycle calls that of the pool.
local Sub = setmetatable({}, { __index = Pool })
Sub.__index = Sub

function Sub:recycle(o)
  return Pool.recycle(self, o)
end

return function(_, is_sub)
  return setmetatable({ live = {}, count = 0, idle = {}, idle_count = 0 }, is_sub and Sub or Pool)
end
