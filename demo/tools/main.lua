-- The player's tools: what it draws over a game. They are a game themselves, in a state of the player's own. With
-- SPAWNPOOL_TOOLS=FOLDER the player takes them from a folder and reloads them when they are edited.
local console <const> = require "console"
local error_screen <const> = require "error_screen"
local hud <const> = require "hud"
local inspector <const> = require "inspector"
local keys <const> = require "keys"
local notices <const> = require "notices"
local panel <const> = require "panel"
local timeline <const> = require "timeline"
local player <const> = require("spawnpool").player

local tools <const> = {}

-- Each returns whether there is something to be drawn in the next frame too.
local LAYERS <const> = { error_screen, hud, keys, notices, timeline, console }

local left = 0 -- where they begin

-- The inspector takes a part of the window; the others are drawn beside it.
function tools.draw(g)
  panel.measure(g)
  local whole <const>, width <const>, at_left <const> = g.width, inspector.draw(g)
  local shown = inspector.shown
  left = at_left and width or 0
  if width > 0 then player.area(left, whole - width) end
  for _, layer in ipairs(LAYERS) do
    if layer.draw(g) then shown = true end
  end
  if not shown then player.rest() end
end

local ACTIONS <const> = {
  help = keys.toggle,
  hud = hud.next,
  pools = hud.page,
  inspector = inspector.toggle,
  console = console.toggle,
  dismiss = function()
    if keys.close() or inspector.close() then player.consume() end
  end,
}

function tools.act(name) ACTIONS[name]() end

-- {== Events ===================================================================

local function consume(used) if used then player.consume() end end

-- Where text is typed, it has the keys.
function tools.key_pressed(key, ctrl, shift, repeats)
  consume(console.key_pressed(key, ctrl, shift) or inspector.is_editing() and inspector.key_pressed(key, ctrl)
    or timeline.key_pressed(key, ctrl, shift, repeats) or inspector.key_pressed(key, ctrl))
end

function tools.key_released(key)
  consume(not console.shown and not inspector.is_editing() and timeline.key_released(key))
end

function tools.text_input(text) consume(console.text_input(text) or inspector.text_input(text)) end

function tools.mouse_pressed(x, y, button)
  consume(timeline.mouse_pressed(x - left, y, button) or inspector.mouse_pressed(x, y, button))
end

function tools.mouse_moved(x, y)
  inspector.mouse_moved(x, y)
  consume(timeline.mouse_moved(x - left))
end

function tools.mouse_released() consume(timeline.mouse_released()) end

function tools.wheel(x, y, steps)
  consume(console.wheel(steps) or inspector.wheel(steps) or hud.wheel(x - left, y, steps))
end

-- }==

return tools
