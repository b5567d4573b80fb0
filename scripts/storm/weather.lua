-- Keeps the wanted number of sprites live. Each kind has its share; expired and newly wanted ones are allocated,
-- surplus ones are recycled, a few thousand per frame at most.
local spawnpool <const> = require "spawnpool"

local pools <const> = spawnpool.pools
local weather <const> = {}

local MOST <const> = 4000 -- spawned or recycled per frame and kind: a large step of the slider takes a few frames

-- From far to near.
weather.kinds = {
  { pool = pools:pool "Mote", share = 0.54 },
  { pool = pools:pool "Scrap", share = 0.34 },
  { pool = pools:pool "Leaf", share = 0.093 },
  { pool = pools:pool "Ember", share = 0.0255 },
  { pool = pools:pool "Blur", share = 0.0015 },
}

---@return integer
function weather.live()
  local live = 0
  for i = 1, #weather.kinds do live = live + weather.kinds[i].pool.live end
  return live
end

---@return integer since the game began
function weather.allocs()
  local allocs = 0
  for i = 1, #weather.kinds do allocs = allocs + weather.kinds[i].pool:stats().allocs end
  return allocs
end

local function thin_out(pool, count)
  for object in pool:each() do
    if count <= 0 then return end
    pool:recycle(object)
    count = count - 1
  end
end

---@param count integer how many are wanted, of all kinds together
function weather.update(count)
  for i = 1, #weather.kinds do
    local kind <const> = weather.kinds[i]
    local pool <const>, wanted <const> = kind.pool, math.floor(count * kind.share + 0.5)
    local missing <const> = wanted - pool.live
    for _ = 1, math.min(missing, MOST) do
      if not pool:alloc() then break end
    end
    if missing < 0 then thin_out(pool, math.min(-missing, MOST)) end
  end
end

return weather
