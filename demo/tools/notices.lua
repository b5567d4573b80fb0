-- The notice at the bottom of the window, one line about what just happened, which disappears by itself; and the
-- problem, which stands until it is solved. In a corner, why the game is paused.
local hud <const> = require "hud"
local panel <const> = require "panel"
local timeline <const> = require "timeline"
local player <const> = require("spawnpool").player

local notices <const> = {}

local MARGIN <const> = panel.MARGIN
local SMALL <const> = 200 -- units: in lower windows half of the game stays in sight
local SECONDS <const> = { info = 2.5, success = 4, warning = 5, error = 6 }
local COLORS <const> = { info = panel.WHITE, success = panel.GREEN, warning = panel.YELLOW, error = panel.RED }

-- Returns the rows of the parts, the longest of which are cut until all fit into `most` rows.
local function share_rows(parts, w, most)
  local all <const> = {}
  local total = 0
  for i, part in ipairs(parts) do
    all[i] = panel.rows(w, part.text, most)
    total = total + #all[i]
  end
  while total > most do
    local longest = 1
    for i = 2, #all do
      if #all[i] > #all[longest] then longest = i end
    end
    if #all[longest] <= 1 then break end
    all[longest] = panel.rows(w, parts[longest].text, #all[longest] - 1)
    total = total - 1
  end
  return all, total
end

-- Draws parts, { text, color }, on a plate at the bottom.
local function draw_plate(g, parts, below)
  local height <const> = g.height - below
  local letters = 0
  for _, part in ipairs(parts) do letters = math.max(letters, player.letters(part.text)) end
  local w <const> = math.min(panel.letter * letters, g.width - 4 * MARGIN)
  local room <const> = height < SMALL and height / 2 or height
  local most <const> = math.max((room - 2 * MARGIN) // panel.row, 1)
  local all <const>, total <const> = share_rows(parts, w, most)
  local h <const> = panel.row * total + MARGIN
  local y = height - h - MARGIN / 2
  panel.plate(g, MARGIN, y - MARGIN / 2, w + 2 * MARGIN, h)
  for i, rows in ipairs(all) do y = panel.draw_rows(g, 2 * MARGIN, y, parts[i].color, rows) end
end

-- Returns the part of an error text whose line begins with this, "" if there is none.
local function part_of(message, begin) return message:match("\n" .. begin .. "([^\n]*)") or "" end

local function draw_problem(g, below)
  local kind <const>, message <const>, consequence <const> = player.problem()
  local parts <const> = {}
  for _, part in ipairs {
    { text = message:match "^[^\n]*", color = COLORS[kind] },
    { text = part_of(message, "    "), color = panel.WHITE },
    { text = part_of(message, "  hint: "), color = panel.GREEN },
    { text = consequence, color = panel.GREY },
  } do
    if part.text ~= "" then parts[#parts + 1] = part end
  end
  draw_plate(g, parts, below)
end

-- Draws the reason in the upper right corner, or below the HUD where that is as wide; on a plate, as the HUD may have
-- the whole height.
local function draw_paused(g, why)
  local w <const>, right <const> = panel.letter * #why, g.width - MARGIN
  local y <const> = math.min(MARGIN + hud.bottom_at(right - w - 4), g.height - panel.row - MARGIN)
  panel.plate(g, right - w - 4, y - 3, w + 8, panel.row + 4)
  panel.text_right(g, right, y, panel.YELLOW, why)
end

-- While the script is stopped the error screen shows its error, so only information and warnings are shown here.
function notices.draw(g)
  local bare <const>, paused <const> = player.screen()
  local below <const> = timeline.height(g)
  local kind <const>, text <const>, time <const> = player.notice()
  local stopped <const> = player.stop() ~= nil
  local is_fresh <const> = kind and player.now() < time + SECONDS[kind]
  local has_line <const> = is_fresh and (not stopped or kind == "info" or kind == "warning")
  local has_problem <const> = not stopped and player.problem() ~= nil
  if paused then draw_paused(g, paused) end
  if has_line and not bare then
    draw_plate(g, { { text = text, color = COLORS[kind] } }, below)
  elseif has_problem and not bare then
    draw_problem(g, below)
  end
  return paused or is_fresh or has_problem
end

return notices
