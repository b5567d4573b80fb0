-- scripts/platformer/pools/Lamp.lua
-- A lamp: once it is lit, the way goes on from here.
return require("spawnpool").class("Lamp", {
  group = "room",
  sprite = "lamp", radius = 4, animation = { frames = { 1 } }, box = { w = 10, h = 24 }, layer = 5,
  fields = { is_lit = false },
})
