-- fireworks: a night of fireworks that plays its own music, with fifty thousand sparks. Every burst is a note: rockets
-- leave early enough to burst on the beat. A spark gets its speed and colour when it is born; the settings of its class
-- move, cool and fade it, and the water ends it, without code per frame: see pools/Spark.lua.
--
--   spawnpool scripts/fireworks              click or hold: rockets; space, return or a button: a salvo
--   spawnpool scripts/fireworks -- 4         the same with four times the sparks in each burst
local spawnpool <const> = require "spawnpool"
local city <const> = require "city"
local hand <const> = require "hand"
local shells <const> = require "shells"
local show <const> = require "show"
local stage <const> = require "stage"

local pools <const> = spawnpool.pools

local game <const> = { title = "Fireworks", width = 1280, height = 720, scale = "none" }

---@param args string[]
function game.load(args)
  shells.plenty = tonumber(args[1] or 1) or error "how many times the sparks? a number, please"
  city.build()
  show.start()
end

---@param dt number
function game.update(dt)
  show.update()
  city.update()
  hand.update(dt)
end

function game.draw_below(g)
  if stage.fit(g) then city.build() end
  g:camera(stage.width / 2, stage.height / 2, stage.unit)
  city.draw_sky(g)
end

-- 12345 as "12 345".
local function spaced(number)
  local text <const> = tostring(number)
  return #text > 3 and text:sub(1, -4) .. " " .. text:sub(-3) or text
end

function game.draw(g)
  city.draw(g)
  local u <const> = math.max(stage.unit, 0.62)
  g:color(1, 0.93, 0.8, 0.55)
  g:text(g.width - 18 * u, g.height - 30 * u, spaced(pools:pool("Spark").live) .. " sparks", 15 * u, "right")
  g:color(1, 0.93, 0.8, 0.55 * hand.hint)
  g:text(18 * u, g.height - 30 * u, "Click: a rocket   Space: a salvo", 15 * u)
end

game.key_pressed = hand.key_pressed
game.pad_pressed = hand.pad_pressed
game.mouse_pressed = hand.mouse_pressed
game.mouse_released = hand.mouse_released

return game
