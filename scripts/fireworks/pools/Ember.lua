-- scripts/fireworks/pools/Ember.lua
-- The tail of a rocket.
local spawnpool <const> = require "spawnpool"

return spawnpool.class("Ember", {
  prealloc = 512, grow = 128, limit = 2048, overflow = "oldest",
  sprite = "ember", radius = 4, layer = 3, r = 1, g = 0.68, b = 0.32,
  motion = { gravity = 40 },
  over_life = { a = { 0.8, 0.4, 0 }, scale = { 1, 0.4 } },
})
