-- Flies straight with the speed of its class, in a given direction, until it leaves the frame. Bullet and Shot extend
-- it; no Projectile is ever allocated.
local spawnpool <const> = require "spawnpool"
local stage <const> = require "stage"

local Projectile <const> = spawnpool.class("Projectile", {
  group = "projectiles",
  fields = { speed = 300, damage = 1 },
  bounds = stage.around(30),
})

function Projectile:alloc(lifetime, x, y, angle)
  local projectile <const>, why = Projectile.super.alloc(self, lifetime, x, y, angle)
  if not projectile then return nil, why end
  local speed <const> = projectile.speed
  projectile.vx, projectile.vy = math.cos(angle) * speed, math.sin(angle) * speed
  return projectile
end

return Projectile
