-- scripts/garden/pools/Gardener.lua
-- The gardener. Moves are counted here, so that a snapshot has them.
local spawnpool <const> = require "spawnpool"

local DOWN <const>, UP <const>, SIDE <const> = 1, 4, 7 -- frames of the sheet; the next two are steps

local Gardener <const> = spawnpool.class("Gardener", {
  extends = "Piece",
  sprite = "gardener", animation = { frames = { 1 } },
  fields = { moves = 0, view = DOWN, pushes = false },
  methods = {
    face = function(gardener, dx, dy)
      gardener.view = dy > 0 and DOWN or dy < 0 and UP or SIDE
      gardener.scale_x = dx < 0 and -1 or 1
    end,
  },
})

function Gardener:update(dt)
  Gardener.super.update(self, dt)
  for gardener in self:each() do
    local step <const> = gardener.view == SIDE and (gardener.pushes and 2 or 1) or 1 + gardener.moves % 2
    gardener.frame = gardener.view + (gardener.is_at_rest and 0 or step)
  end
end

return Gardener
