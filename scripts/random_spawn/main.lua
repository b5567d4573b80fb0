-- random_spawn: five coins, each tossed after a wait of 0 to 1 second. Heads spawns an object under a random parent,
-- tails despawns a random one. The parents are rings that turn slowly around a sun: a child keeps its position on its
-- ring and turns with it, without any code.
--
--   pools:alloc("Moon", 0, ring)     under a parent; its x, y and angle are relative to it
--   pools:recycle(moon)              long before its parent's end
--   on_parent_end = "recycle"        a moon goes with its sun
--   on_parent_end = "detach"         a comet keeps its place in the world, and flies on
local spawnpool <const> = require "spawnpool"
local coins <const> = require "coins"
local panel <const> = require "panel"
local stage <const> = require "stage"

local pools <const> = spawnpool.pools

local HAZES <const> = 9
local HEAD_START <const> = 36 -- tosses before the first frame

-- The clouds in the background.
local function fill_sky()
  pools:recycle_all "Haze"
  for i = 1, HAZES do
    pools:alloc("Haze", 0, stage.width * (i - math.random()) / HAZES, stage.height * math.random())
  end
end

local function begin()
  pools:recycle_all()
  fill_sky()
  stage.place_suns()
  for _ = 1, HEAD_START do coins.spawn() end
  coins.hand_out()
end

local game <const> = { width = 800, height = 600 }

function game.load() begin() end

function game.draw(g)
  -- The size of the frame has changed, and with it all positions.
  if g.width ~= stage.width or g.height ~= stage.height then
    stage.resize(g.width, g.height)
    begin()
  end
  coins.draw(g)
  panel.draw(g)
end

---@param key string
function game.key_pressed(key)
  if key == "h" then coins.spawn() end
  if key == "t" then coins.despawn() end
  if key == "s" then stage.end_oldest_sun() end
  if key == "r" then begin() end
end

-- A click ends the nearest sun and everything around it.
---@param x number
---@param y number
function game.mouse_pressed(x, y)
  local sun <const> = pools:pool("Sun"):nearest(x, y)
  if sun then sun:recycle() end
end

return game
