-- The player's tools: what it draws over a game. They are a game themselves, in a state of the player's own. With
-- SPAWNPOOL_TOOLS=FOLDER the player takes them from a folder and reloads them when they are edited.
local console <const> = require "console"
local error_screen <const> = require "error_screen"
local hud <const> = require "hud"
local keys <const> = require "keys"
local notices <const> = require "notices"
local panel <const> = require "panel"
local player <const> = require("spawnpool").player

local tools <const> = {}

-- Each returns whether there is something to be drawn in the next frame too.
local LAYERS <const> = { error_screen, hud, keys, notices, console }

function tools.draw(g)
  local shown = false
  panel.measure(g)
  for _, layer in ipairs(LAYERS) do
    if layer.draw(g) then shown = true end
  end
  if not shown then player.rest() end
end

local ACTIONS <const> = {
  help = keys.toggle,
  hud = hud.next,
  pools = hud.page,
  console = console.toggle,
  dismiss = function()
    if keys.close() then player.consume() end
  end,
}

function tools.act(name) ACTIONS[name]() end

tools.key_pressed = console.key_pressed
tools.text_input = console.text_input

function tools.wheel(x, y, steps)
  if console.wheel(steps) or hud.wheel(x, y, steps) then player.consume() end
end

return tools
