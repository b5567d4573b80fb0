-- The three pools, each in its fastest form, with the same two calls: take(pool), and give(pool, object), which returns
-- false for a second return. The plain ones keep their state in local variables and ignore `pool`.
local spawnpool <const> = require "spawnpool"

-- A separate manager, which rejects a second return without a warning, because bench.lua tries one on purpose.
local pools <const> = spawnpool.new { misuse = "ignore" }

---@class Contestant
---@field pool any
---@field take fun(pool: any): any
---@field give fun(pool: any, object: any): boolean

local contestants <const> = {}

---@param count integer
local function new_objects(count)
  local objects <const> = {}
  for i = 1, count do objects[i] = { taken = false } end
  return objects
end

---@param count integer
---@return Contestant
function contestants.search(count)
  local objects <const> = new_objects(count)

  local function take()
    for i = 1, #objects do
      local object <const> = objects[i]
      if not object.taken then
        object.taken = true
        return object
      end
    end
    return nil
  end

  local function give(_, object)
    if not object.taken then return false end
    object.taken = false
    return true
  end

  return { take = take, give = give }
end

---@param count integer
---@return Contestant
function contestants.queue(count)
  local ring <const> = new_objects(count)
  local first, idle = 1, count

  local function take()
    if idle == 0 then return nil end
    local object <const> = ring[first]
    first, idle = first % count + 1, idle - 1
    object.taken = true
    return object
  end

  local function give(_, object)
    if not object.taken then return false end
    object.taken = false
    ring[(first + idle - 1) % count + 1] = object
    idle = idle + 1
    return true
  end

  return { take = take, give = give }
end

---@param count integer
---@return Contestant
function contestants.spawnpool(count)
  local type <const> = ("Thing%d"):format(count)
  spawnpool.class(type, { prealloc = count, limit = count, visible = false })
  local pool <const> = pools:pool(type)
  pool:prewarm(count)
  return { pool = pool, take = pool.alloc, give = pool.recycle }
end

return contestants
