-- Light that an explosion throws on the dust around it.
local spawnpool <const> = require "spawnpool"

return spawnpool.class("Flash", {
  prealloc = 24, grow = 8, limit = 96, overflow = "oldest",
  sprite = "glow", layer = 2,
})
