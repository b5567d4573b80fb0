-- The list of the player's keys, in the middle of the window.
local panel <const> = require "panel"
local player <const> = require("spawnpool").player

local keys <const> = { shown = false }

local NAME <const> = 6 -- letters

function keys.toggle() keys.shown = not keys.shown end

-- Returns whether it was open.
function keys.close()
  local was <const> = keys.shown
  keys.shown = false
  return was
end

function keys.draw(g)
  if not keys.shown then return false end
  local count, longest = 0, 0
  for i = 1, math.huge do
    local name <const>, help <const> = player.keys(i)
    if not name then break end
    count, longest = i, math.max(longest, #help)
  end
  local margin <const>, letter <const> = panel.MARGIN, panel.letter
  local w <const> = math.min(letter * (NAME + longest) + 2 * margin, g.width)
  local h <const> = panel.title_row + panel.row * count + 2 * margin
  local x <const>, y <const> = (g.width - w) / 2, (g.height - h) / 2
  panel.plate(g, x, y, w, h)
  panel.title(g, x + margin, y + margin, panel.WHITE, "Keys")
  for i = 1, count do
    local name <const>, help <const> = player.keys(i)
    local top <const> = y + margin + panel.title_row + panel.row * (i - 1)
    panel.text(g, x + margin, top, panel.GREEN, name)
    panel.text_cut(g, x + margin + letter * NAME, top, w - 2 * margin - letter * NAME, panel.WHITE, help)
  end
  return true
end

return keys
