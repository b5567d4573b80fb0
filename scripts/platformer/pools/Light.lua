-- scripts/platformer/pools/Light.lua
-- The great lamp, which is dark until the end.
return require("spawnpool").class("Light", {
  group = "room",
  sprite = "beacon", radius = 12, animation = { frames = { 1 } }, box = { w = 16, h = 30 }, layer = 4,
})
