local spawnpool <const> = require "spawnpool"
local pools <const> = spawnpool.pools

spawnpool.class("Spark", {
  sprite = "spark", radius = 7,
  r = 1, g = 0.7, b = 0.3,
  ay = 160,
})

local sparks <const> = {}

function sparks.update(x, y)
  local turn <const> = math.random() * 6.3
  pools:alloc("Spark", 3, x, y):launch(turn, 90)
end

return sparks
