-- One large picture of snow behind everything.
local spawnpool <const> = require "spawnpool"
local stage <const> = require "stage"

local Ground <const> = spawnpool.class("Ground", {
  prealloc = 1, grow = 1, limit = 1,
  sprite = "snow", layer = -30, r = 0.46, g = 0.54, b = 0.76,
})

function Ground:on_spawn(ground)
  ground.radius = math.max(stage.width, stage.height * 4 / 3) / 2 + 2
end

return Ground
