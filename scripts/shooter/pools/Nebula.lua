-- Large faint clouds behind the stars. They follow each other as the stars do.
local spawnpool <const> = require "spawnpool"
local stage <const> = require "stage"

local Nebula <const> = spawnpool.class("Nebula", {
  prealloc = 8, grow = 4,
  sprite = "glow", layer = -20,
})

local TINTS <const> = { { 0.32, 0.22, 0.75 }, { 0.10, 0.36, 0.62 }, { 0.55, 0.16, 0.5 }, { 0.08, 0.42, 0.48 } }
local SPEED <const> = 9

---@param y? number where its middle is; above the picture if not given
function Nebula:alloc(lifetime, x, y)
  if lifetime < 0 then return Nebula.super.alloc(self, lifetime) end
  local radius <const> = 0.28 + 0.3 * math.random()
  local size <const> = radius * math.max(stage.width, stage.height)
  y = y or -size
  x = x or math.random() * stage.width
  local cloud <const>, why = Nebula.super.alloc(self, (stage.height + size - y) / SPEED, x, y)
  if not cloud then return nil, why end
  local tint <const> = TINTS[math.random(#TINTS)]
  cloud.radius, cloud.vy = size, SPEED
  cloud.r, cloud.g, cloud.b, cloud.a = tint[1], tint[2], tint[3], 0.2 + 0.14 * math.random()
  return cloud
end

function Nebula:on_despawn(cloud, why)
  if why == "expired" then self:alloc(0) end
end

---@param count integer
function Nebula:fill(count)
  for i = 1, count do
    self:alloc(0, (i - 0.5 + math.random() - 0.5) * stage.width / count, math.random() * stage.height)
  end
end

return Nebula
