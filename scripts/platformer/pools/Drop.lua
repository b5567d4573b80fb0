-- scripts/platformer/pools/Drop.lua
-- A drop of oil.
return require("spawnpool").class("Drop", {
  group = "room",
  sprite = "drop", radius = 4, animation = { frames = 4, fps = 9 }, box = { w = 10, h = 10 }, layer = 8,
})
