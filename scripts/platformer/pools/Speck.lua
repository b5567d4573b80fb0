-- scripts/platformer/pools/Speck.lua
-- Dust and sparks.
return require("spawnpool").class("Speck", {
  group = "room",
  prealloc = 64, limit = 300, overflow = "oldest",
  sprite = "dust", radius = 2, layer = 30,
  motion = { drag = 3 },
  over_life = { a = { 1, 0.9, 0 }, scale = { 1, 1, 0.4 } },
})
