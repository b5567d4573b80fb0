-- What flies straight at a speed of its class, in the direction it is given, until it leaves the picture. Bullet and
-- Shot extend it; nobody allocates a Projectile.
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
