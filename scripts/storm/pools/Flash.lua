-- The light of a blast.
local spawnpool <const> = require "spawnpool"

return spawnpool.class("Flash", {
  prealloc = 8, grow = 8, limit = 32, overflow = "oldest",
  sprite = "mote", layer = 50, r = 1, g = 0.8, b = 0.5,
  sound = "blast",
  over_life = { a = { 0.75, 0.3, 0.1, 0.03, 0 }, scale = { 0.5, 0.9, 1.05, 1.12, 1.15 } },
})
