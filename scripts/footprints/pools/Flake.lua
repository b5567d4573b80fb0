-- Snow in the air: falls for ever, because it wraps from the lower to the upper edge.
local spawnpool <const> = require "spawnpool"

local Flake <const> = spawnpool.class("Flake", {
  prealloc = 150, grow = 32, limit = 512,
  sprite = "glow", layer = 10,
  bounds = { x = -8, y = -8, w = 816, h = 616, outside = "wrap" },
})

function Flake:on_spawn(flake)
  local near <const> = math.random() ^ 2
  flake.radius, flake.a = 2 + 4 * near, 0.35 + 0.4 * near
  flake.vx, flake.vy = 8 + math.random() * 14, 18 + 40 * near
end

return Flake
