-- Sparks follow the mouse.
local spawnpool <const> = require "spawnpool"
local pools <const> = spawnpool.pools
local view <const> = spawnpool.view

local SPEED <const> = 260 -- drag this number

spawnpool.class("Spark", {
  sprite = "spark", radius = 9,
  limit = 3000, overflow = "oldest",
  motion = { gravity = 200, drag = 0.6 },
  over_life = { g = { 0.9, 0.2 }, a = { 1, 0 } },
})

local function update()
  local x, y = spawnpool.input.mouse()
  if x == 0 then -- no mouse yet
    x = view.width * (0.5 + 0.3 * math.sin(pools.time))
    y = view.height * 0.4
  end
  for _ = 1, 12 do
    local spark <const> = pools:alloc("Spark", 2, x, y)
    spark:launch(math.random() * 6.28, SPEED * math.random())
  end
end

return { update = update }
