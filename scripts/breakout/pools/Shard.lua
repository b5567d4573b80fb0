-- scripts/breakout/pools/Shard.lua
-- A piece of a brick: falls, tumbles, fades.
local spawnpool <const> = require "spawnpool"

return spawnpool.class("Shard", {
  group = "flying",
  prealloc = 512, grow = 256, limit = 3000, overflow = "oldest",
  sprite = "square", layer = 3,
  motion = { gravity = 520, drag = 0.8 },
  over_life = { a = { 1, 1, 0.8, 0 }, scale = { 1, 0.5 } },
})
