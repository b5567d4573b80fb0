-- scripts/survivors/pools/Glow.lua
-- The light of an end.
local spawnpool <const> = require "spawnpool"

return spawnpool.class("Glow", {
  group = "world",
  prealloc = 400, limit = 400, overflow = "oldest",
  sprite = "light", layer = 5,
  over_life = { a = { 0.7, 0.25, 0 }, scale = { 0.8, 1.2 } },
})
