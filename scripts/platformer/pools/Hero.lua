-- scripts/platformer/pools/Hero.lua
-- The child with the oil. How it moves is in hero.lua; all of its state is here, so that a snapshot has it.
return require("spawnpool").class("Hero", {
  grow = 1,
  sprite = "hero", animation = "idle", box = { w = 8, h = 12 }, layer = 20,
  fields = {
    speed_x = 0.0, speed_y = 0.0, way = 1, stretch = 0.0,
    coyote = 0.0, buffer = 0.0, rises = false, -- seconds left; whether a jump may be cut short
    rides = require("spawnpool").ref, -- a plank
  },
})
