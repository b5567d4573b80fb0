-- The room: its size, its floor, and the shadows on it.
local spawnpool <const> = require "spawnpool"

local pools <const> = spawnpool.pools

local stage <const> = { width = 800, height = 600, floor = 520 } -- until the first frame is drawn

local BELOW <const> = 80 -- space under the floor, for the text

-- Returns a position away from the edges, for any size of the window.
---@return number x, number y
function stage.anywhere()
  return stage.width * (0.1 + 0.8 * math.random()), stage.floor * (0.15 + 0.65 * math.random())
end

-- A shadow shows the height of an object: narrow and faint far above the floor.
local function draw_shadow(g, object)
  local near <const> = 1 - (stage.floor - object.y) / stage.floor
  if near <= 0 then return end
  local half <const> = object.radius * object.scale * (0.35 + 0.65 * near)
  g:color(object.r * 0.5, object.g * 0.5, object.b * 0.5, 0.55 * near)
  g:rect(object.x - half, stage.floor + 2, half * 2, 3)
  g:color(object.r * 0.5, object.g * 0.5, object.b * 0.5, 0.25 * near)
  g:rect(object.x - half * 1.3, stage.floor + 2, half * 2.6, 6)
end

function stage.draw(g)
  stage.width, stage.height, stage.floor = g.width, g.height, g.height - BELOW
  g:color(0.55, 0.6, 0.9, 0.07)
  g:rect(0, stage.floor, stage.width, BELOW)
  g:color(0.55, 0.6, 0.9, 0.35)
  g:rect(0, stage.floor, stage.width, 1)
  for cube in pools:pool("Cube"):each() do draw_shadow(g, cube) end
  for sphere in pools:pool("Sphere"):each() do draw_shadow(g, sphere) end
end

return stage
