-- scripts/breakout/pools/Ball.lua
-- Reflected by the walls of its bounds, whose lower edge is far below the field; see balls.lua for the rest.
local spawnpool <const> = require "spawnpool"
local field <const> = require "field"

local RADIUS <const> = 6

return spawnpool.class("Ball", {
  group = "flying",
  prealloc = 64, grow = 64, limit = 400,
  sprite = "ball", radius = RADIUS, scale = 2, layer = 10,
  bounds = {
    x = RADIUS, y = field.TOP + RADIUS, w = field.WIDTH - 2 * RADIUS, h = field.HEIGHT * 2, outside = "bounce",
  },
})
