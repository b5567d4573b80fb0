-- All pools of enemies, in a fixed order, and the work on each of their objects every frame.
local spawnpool <const> = require "spawnpool"

local pools <const> = spawnpool.pools
local enemies <const> = {}

enemies.pools = { pools:pool "Drone", pools:pool "Diver", pools:pool "Spinner", pools:pool "Carrier" }

---@return integer
function enemies.live()
  local live = 0
  for i = 1, #enemies.pools do live = live + enemies.pools[i].live end
  return live
end

-- Names a pool lacks are looked up in its class: `steer` is the variant's own, or the inherited one.
---@param dt number
function enemies.update(dt)
  for i = 1, #enemies.pools do
    local pool <const> = enemies.pools[i]
    for enemy in pool:each() do pool:steer(enemy, dt) end
  end
end

return enemies
