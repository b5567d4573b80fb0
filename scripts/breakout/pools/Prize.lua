-- scripts/breakout/pools/Prize.lua
-- Falls out of a brick; its sprite is also the name of what it gives (see prizes.lua).
local spawnpool <const> = require "spawnpool"

local Prize <const> = spawnpool.class("Prize", {
  group = "flying",
  prealloc = 16, grow = 8, limit = 48,
  radius = 17, layer = 12, vy = -80, motion = { gravity = 420, drag = 1.6 },
})

local KINDS <const> = {
  { "split", 0.45, 0.95, 0.6 }, { "split", 0.45, 0.95, 0.6 }, { "split", 0.45, 0.95, 0.6 },
  { "wide", 0.5, 0.7, 1 }, { "fire", 1, 0.55, 0.3 },
}

function Prize:on_spawn(prize)
  local kind <const> = KINDS[math.random(#KINDS)]
  prize.sprite, prize.r, prize.g, prize.b = kind[1], kind[2], kind[3], kind[4]
end

return Prize
