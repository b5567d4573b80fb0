-- The two scenes, and the transition between them.
local spawnpool <const> = require "spawnpool"
local stage <const> = require "stage"
local toys <const> = require "toys"

local pools <const> = spawnpool.pools
local scene <const> = { at = 0, clears = false }

local FADE <const> = 0.35 -- seconds to black, and back

local SCENES <const> = {
  { name = "Dusk", backdrop = "dusk", dwellers = { { "Firefly", 26 } } },
  { name = "Sea", backdrop = "sea", dwellers = { { "Fish", 12 }, { "Bubble", 24 } } },
}

local going -- the next scene, or nil
local fade = 0 -- from -FADE, when leaving begins, to FADE, when the next scene is visible

---@return string
function scene.name() return SCENES[scene.at].name end

-- Recycles everything that belongs to the scene only.
function scene.build()
  local now <const> = SCENES[scene.at]
  pools:recycle_all { group = "scenery" }
  pools:alloc("Backdrop", 0, now.backdrop)
  for _, dweller in ipairs(now.dwellers) do
    for _ = 1, dweller[2] do pools:alloc(dweller[1], 0) end
  end
end

local function enter(number)
  if scene.at ~= 0 and scene.clears then toys.clear() end
  scene.at = number
  scene.build()
  toys.prewarm(scene.name())
end

---@param number integer
---@param at_once? boolean
function scene.go(number, at_once)
  if at_once then return enter(number) end
  if going or number == scene.at then return end
  going, fade = number, -FADE
  spawnpool.audio.play "door"
end

function scene.toggle() scene.clears = not scene.clears end

---@param dt number
function scene.update(dt)
  local before <const> = fade
  fade = math.min(fade + dt, FADE)
  if going and before < 0 and fade >= 0 then
    enter(going)
    going = nil
  end
end

-- Drawn over everything: black between the scenes.
function scene.draw(g)
  local dark <const> = 1 - math.abs(fade) / FADE
  if dark <= 0 then return end
  g:color(0.02, 0.02, 0.05, dark)
  g:rect(0, 0, g.width, (stage.height - stage.PANEL) * stage.unit)
end

return scene
