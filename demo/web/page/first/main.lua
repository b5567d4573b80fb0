-- Sparks follow the mouse. Edit: what is alive goes on.
local spawnpool <const> = require "spawnpool"
local pools <const> = spawnpool.pools

local SPEED <const> = 260 -- drag this number

spawnpool.class("Spark", {
  sprite = "spark", radius = 9, limit = 3000,
  overflow = "oldest",
  motion = { gravity = 200, drag = 0.6 },
  over_life = { g = { 0.9, 0.2 }, a = { 1, 0 } },
})

local function update()
  local x, y = spawnpool.input.mouse()
  if x == 0 then x, y = 400 + 240 * math.sin(pools.time), 200 end
  for _ = 1, 12 do
    local spark <const> = pools:alloc("Spark", 2, x, y)
    spark:launch(math.random() * 6.28, SPEED * math.random())
  end
end

return { width = 800, height = 500, update = update }
