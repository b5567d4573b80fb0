-- scripts/garden/pools/Pot.lua
-- A pot with a bud, which is open as long as the pot is in a bed.
local spawnpool <const> = require "spawnpool"
local effects <const> = require "effects"

local Pot <const> = spawnpool.class("Pot", {
  extends = "Piece",
  sprite = "pot", animation = { frames = { 1 } },
  fields = { is_open = false },
})

local COLORS <const> = 4 -- frames after the first one

-- Opens or closes the flower, which springs.
---@param is_open boolean
function Pot:settle(pot, is_open)
  if is_open == pot.is_open then return end
  pot.is_open, pot.frame = is_open, is_open and 2 + pot.id % COLORS or 1
  pot.scale_x, pot.scale_y = 0.7, 1.4
  pot:tween { scale_x = 1, scale_y = 1, over = 0.8, ease = "out_elastic" }
  if is_open then effects.bloom(pot.frame, pot.x, pot.y) end
end

return Pot
