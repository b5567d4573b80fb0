-- Points that float up. Not a sprite: hud.lua writes the number at the object's position.
local spawnpool <const> = require "spawnpool"

return spawnpool.class("Popup", {
  prealloc = 16, grow = 8, limit = 32, overflow = "oldest",
  visible = false, vy = -46,
  over_life = { a = { 1, 0 } },
  fields = { value = 0 },
})
