-- A turning fort: sinks to its position, fires wheels of shots, and leaves the way it came after a while.
local spawnpool <const> = require "spawnpool"

local Spinner <const> = spawnpool.class("Spinner", {
  extends = "Enemy",
  prealloc = 4, grow = 4,
  sprite = "spinner", radius = 22, scale = 2.2, spin = 1.4, vy = 150,
  fields = { health = 14, value = 500, gems = 0.6, depth = 0 },
})

Spinner.tint = { 0.66, 0.55, 1 }

local SPOKES <const> = 9
local STAYS <const> = 9 -- seconds

function Spinner:alloc(lifetime, x, y)
  local spinner <const>, why = Spinner.super.alloc(self, lifetime, x, y)
  if spinner then spinner.depth = 90 + math.random(110) end
  return spinner, why
end

function Spinner:steer(spinner, dt)
  if spinner.age > STAYS then
    spinner.ay = -120
  elseif spinner.y >= spinner.depth then
    spinner.vy = 0
    spinner.x = spinner.home + math.sin((spinner.age - 1) * 0.9) * 46
  else
    spinner.home = spinner.x
  end
  if self:may_fire(spinner, dt, 1.9) then
    for i = 1, SPOKES do self:fire(spinner, spinner.angle + i * 2 * math.pi / SPOKES) end
  end
end

return Spinner
