-- The light of an explosion on the dust around it.
local spawnpool <const> = require "spawnpool"

return spawnpool.class("Flash", {
  prealloc = 48, grow = 8, limit = 96, overflow = "oldest",
  sprite = "haze", layer = 2,
  over_life = { a = { 1, 0.56, 0.25, 0.06, 0 } },
})
