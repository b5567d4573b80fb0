-- scripts/fireworks/hand.lua
-- What a person does: single rockets, rockets as long as the button is held, and salvos. The show goes on meanwhile.
local spawnpool <const> = require "spawnpool"
local show <const> = require "show"

local input <const>, view <const> = spawnpool.input, spawnpool.view
local hand <const> = { hint = 1 } -- how visible the hint is: it leaves once its reader has understood

local EVERY <const> = 0.15 -- seconds between two rockets while the button is held
local HINT_AFTER <const> = 20 -- seconds without input until the hint is back

local held, since, idle = false, 0, HINT_AFTER

local function send()
  local x <const>, y <const> = input.mouse()
  show.send(view:to_world(x, y))
  since, idle = 0, 0
end

local function salvo()
  show.salvo()
  idle = 0
end

---@param dt number
function hand.update(dt)
  idle, since = idle + dt, since + dt
  if held and since >= EVERY then send() end
  hand.hint = hand.hint + ((idle < HINT_AFTER and 0 or 1) - hand.hint) * dt * 2
end

---@param key string
function hand.key_pressed(key)
  if key == "space" or key == "return" then salvo() end
end

---@param button string
function hand.pad_pressed(button)
  if button == "a" or button == "start" then salvo() end
end

---@param button integer
function hand.mouse_pressed(_, _, button)
  held = button == 1
  if held then send() else salvo() end
end

function hand.mouse_released() held = false end

return hand
