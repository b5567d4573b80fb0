-- scripts/platformer/pools/Crab.lua
-- Walks, and turns at walls and edges.
local spawnpool <const> = require "spawnpool"
local world <const> = require "world"

local Crab <const> = spawnpool.class("Crab", {
  extends = "Enemy",
  sprite = "crab", animation = { frames = 2, fps = 6 },
})

local SPEED <const> = 24

function Crab:step(crab, dt)
  local hits <const> = world.tiles:move(crab, crab.way * SPEED * dt, 0)
  if hits or not world.tiles:solid(crab.x + crab.way * 6, crab.y + 9) then crab.way = -crab.way end
end

return Crab
