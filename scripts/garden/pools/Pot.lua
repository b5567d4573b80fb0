-- scripts/garden/pools/Pot.lua
-- A pot with a bud, which is open as long as the pot is in a bed.
local spawnpool <const> = require "spawnpool"
local effects <const> = require "effects"

local Pot <const> = spawnpool.class("Pot", {
  extends = "Piece",
  sprite = "pot", animation = { frames = { 1 } },
  fields = { is_open = false, swing = 0 },
})

local COLORS <const> = 4 -- frames after the first one

-- Opens or closes the flower.
---@param is_open boolean
function Pot:settle(pot, is_open)
  if is_open == pot.is_open then return end
  pot.is_open, pot.swing = is_open, is_open and 1 or 0.4
  pot.frame = is_open and 2 + pot.id % COLORS or 1
  if is_open then effects.bloom(pot.frame, pot.x, pot.y) end
end

-- A flower springs when it opens.
function Pot:update(dt)
  Pot.super.update(self, dt)
  for pot in self:each() do
    pot.swing = pot.swing * (1 - 3 * dt)
    local bend <const> = 0.25 * math.sin(pot.swing * 16) * pot.swing
    pot.scale_x, pot.scale_y = 1 - bend, 1 + bend
  end
end

return Pot
