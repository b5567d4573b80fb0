-- scripts/fireworks/pools/Spark.lua
-- Begins bright, takes the colour that shells.lua gave it, and cools. The class does all of it: drag slows it,
-- gravity bends its way, `over_life` fades it, and the water, the lower edge of its bounds, ends it (see stage.lua).
local spawnpool <const> = require "spawnpool"

return spawnpool.class("Spark", {
  prealloc = 50000, grow = 5000, limit = 60000, overflow = "oldest",
  sprite = "spark", radius = 5, layer = 5,
  motion = { gravity = 62, drag = 1.7, face_velocity = true },
  -- Light adds up: where sparks are dense, each is faint, or all colours would become white.
  over_life = { a = { 0.4, 0.6, 0.9, 0.75, 0.4, 0 }, scale = { 1.3, 1.1, 0.9, 0.7, 0.5 } },
})
