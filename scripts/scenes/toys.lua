-- Dequeue, enqueue, clear: all actions on toys, each call noted for the panel.
local spawnpool <const> = require "spawnpool"
local stage <const> = require "stage"

local pools <const> = spawnpool.pools
local toys <const> = { TYPES = stage.TOYS, calls = {} }

local READY <const> = 10 -- of each type, when a scene begins
local CALLS <const> = 3 -- shown at once

local turn = 1 -- index of the type that is dequeued next

---@param call string
local function note(call, ...)
  table.insert(toys.calls, 1, ("%s   %s"):format(call, table.concat({ ... }, ", ")))
  toys.calls[CALLS + 1] = nil
end

---@param toy spawnpool.Object
local function name_of(toy) return tostring(toy):match "^%S+" end

function toys.dequeue()
  local type <const> = toys.TYPES[turn]
  turn = turn % #toys.TYPES + 1
  local x <const>, y <const> = stage.anywhere()
  local toy <const>, why <const> = pools:alloc(type, 0, x, y)
  note(("pools:alloc(%q)"):format(type), toy and name_of(toy) or "nil", why)
end

---@param toy spawnpool.Object
local function give_back(toy)
  local name <const>, pool <const> = name_of(toy), toy.pool
  local full <const> = pool.idle == pool.idle_limit
  note(("pools:recycle(%s)"):format(name), tostring(pools:recycle(toy)), full and "destroyed: 15 wait already" or nil)
end

-- Returns the toy that has been live longest.
function toys.enqueue()
  local oldest
  for toy in pools:each { group = "toys" } do
    if not oldest or toy.age > oldest.age then oldest = toy end
  end
  if oldest then give_back(oldest) end
end

function toys.enqueue_all()
  note("pools:recycle_all { group = \"toys\" }", tostring(pools:recycle_all { group = "toys" }))
end

-- `clear` destroys idle objects only, so live ones are recycled first.
function toys.clear()
  toys.enqueue_all()
  note("pools:clear { group = \"toys\" }", tostring(pools:clear { group = "toys" }))
end

-- Recycles the toy under a point, or allocates one if there is none.
---@param x number
---@param y number
function toys.click(x, y)
  for _, type in ipairs(toys.TYPES) do
    local toy <const>, away <const> = pools:pool(type):nearest(x, y)
    if toy and away < toy.radius then return give_back(toy) end
  end
  toys.dequeue()
end

---@param scene_name string
function toys.prewarm(scene_name)
  local made <const> = {}
  for i, type in ipairs(toys.TYPES) do made[i] = ("%s %d"):format(type, pools:pool(type):prewarm(READY)) end
  note(("%s: pool:prewarm(%d)"):format(scene_name, READY), "made " .. table.concat(made, ", "))
end

return toys
