-- scripts/fireworks/pools/Dash.lua
-- A wave that catches the light of a burst.
local spawnpool <const> = require "spawnpool"

return spawnpool.class("Dash", {
  prealloc = 512, grow = 128, limit = 1500, overflow = "oldest",
  sprite = "dash", layer = 9,
  over_life = { a = { 0, 0.7, 0.2, 0.5, 0 } },
})
