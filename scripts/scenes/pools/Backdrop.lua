-- The picture behind a scene, scaled to cover the window.
local spawnpool <const> = require "spawnpool"
local stage <const> = require "stage"

local Backdrop <const> = spawnpool.class("Backdrop", {
  group = "scenery",
  prealloc = 1, grow = 1, limit = 1,
  layer = -20,
})

---@param picture string
function Backdrop:alloc(lifetime, picture)
  local sky <const> = stage.height - stage.PANEL
  local backdrop <const>, why = Backdrop.super.alloc(self, lifetime, stage.width / 2, sky / 2)
  if not backdrop then return nil, why end
  backdrop.sprite = picture
  backdrop.radius = math.max(stage.width, sky * 4 / 3) / 2 + 2
  return backdrop
end

return Backdrop
