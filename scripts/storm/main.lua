-- storm: how many sprites can be live at once? It starts with a hundred thousand; the slider goes from one thousand to
-- two hundred thousand. Sprites are moved, aged, faded and wrapped by the settings of their classes, without code per
-- frame: see pools/Airborne.lua. The corner shows what it costs.
--
--   spawnpool scripts/storm                   drag the slider, or left and right, or 1 to 9; click: a blast
--   spawnpool scripts/storm -- 20000          the same, beginning with so many
--
--   pool:within(x, y, radius, visit)     who feels a blast
--   pool:add("vx", speed)                a squall, for all of a pool at once
local spawnpool <const> = require "spawnpool"
local gusts <const> = require "gusts"
local panel <const> = require "panel"
local slider <const> = require "slider"
local stage <const> = require "stage"
local weather <const> = require "weather"

local input <const> = spawnpool.input

local game <const> = {}

local hand <const> = { x = 0, y = 0, stirs = false } -- position of the mouse, and whether it drags leaves along

---@param args string[]
function game.load(args)
  local count <const> = math.tointeger(tonumber(args[1] or 100000)) or error "how many? a whole number, please"
  slider.set(count)
  stage.dress()
end

---@param dt number
function game.update(dt)
  local x <const>, y <const>, left <const> = input.mouse()
  if slider.held then
    slider.drag(x)
  elseif hand.stirs and left then
    gusts.stir(x, y, (x - hand.x) / dt, (y - hand.y) / dt)
  end
  hand.x, hand.y = x, y
  slider.lean((input.down("right") and 1 or 0) - (input.down("left") and 1 or 0), dt)
  gusts.update(dt)
  weather.update(slider.count)
end

function game.draw(g)
  if g.width ~= stage.width or g.height ~= stage.height then
    stage.resize(g.width, g.height)
    slider.place(g.width, g.height, stage.unit)
  end
  slider.draw(g)
  panel.draw(g)
end

---@param key string
function game.key_pressed(key)
  if key == "space" then gusts.squall() end
  slider.digit(tonumber(key))
end

---@param button integer
function game.mouse_pressed(x, y, button)
  if slider.grab(x, y) then return end
  hand.x, hand.y, hand.stirs = x, y, true
  if button == 1 then gusts.blast(x, y) else gusts.squall() end
end

function game.mouse_released()
  slider.held, hand.stirs = false, false
end

return game
