-- The error screen of a stopped script, over the last good frame: what and where, the source line, callers, what
-- happens next, and a hint. The same text is on stderr.
local panel <const> = require "panel"
local timeline <const> = require "timeline"
local player <const> = require("spawnpool").player

local error_screen <const> = {}

local MARGIN <const> = panel.MARGIN
local EDGE <const> = 2 * MARGIN
local MANY <const> = 100
local GAPS <const> = 1.5 -- rows: half of one each before the source line, the hint and the end
local SOURCE_ROWS <const> = 3

-- Splits an error text of the script host, which has one part per line.
local function split(message)
  local parts <const> = { message = message:match "^[^\n]*", source = "", hint = "", rest = {} }
  for line in message:gsub("^[^\n]*\n?", ""):gmatch "[^\n]+" do
    local source <const>, hint <const> = line:match "^    (.*)", line:match "^  hint: (.*)"
    if source and parts.source == "" then parts.source = source
    elseif hint and parts.hint == "" then parts.hint = hint
    elseif not source and not hint then parts.rest[#parts.rest + 1] = line:match "^[ \t]*(.*)" end
  end
  return parts
end

-- Gives each part rows, from those that are left. In a small window the hint has priority, then the message; callers
-- come last.
local function share(parts, w, left)
  local rows <const> = {}
  local function give(name, most)
    local width <const> = name == "source" and w - MARGIN or w
    local had <const> = rows[name] and #rows[name] or 0
    rows[name] = panel.rows(width, parts[name], math.max(math.min(most, had + left), 0))
    left = left - (#rows[name] - had)
  end
  give("message", 1)
  give("hint", MANY)
  give("message", MANY)
  give("source", 1)
  give("meanwhile", MANY)
  give("keys", MANY)
  give("source", SOURCE_ROWS)
  rows.rest = {}
  left = left - 1 -- one row is a gap
  for _, line in ipairs(parts.rest) do
    local more <const> = panel.rows(w, line, left)
    table.move(more, 1, #more, #rows.rest + 1, rows.rest)
    left = left - #more
    if left <= 0 then break end
  end
  return rows
end

local ORDER <const> = { "message", "source", "hint", "rest", "meanwhile", "keys" }
local BEFORE <const> = { source = 0.5, hint = 0.5, rest = 0.5, meanwhile = 0.5 } -- rows
local COLORS <const> = { message = panel.WHITE, source = panel.YELLOW, hint = panel.GREEN, rest = panel.GREY,
  meanwhile = panel.WHITE, keys = panel.GREY }

-- Returns the height of all parts.
local function height_of(rows)
  local count = 0
  for _, name in ipairs(ORDER) do
    if #rows[name] > 0 then count = count + #rows[name] + (BEFORE[name] or 0) end
  end
  return count * panel.row
end

-- Highlights the source line, as an editor does.
local function draw_source_back(g, x, y, w, count)
  local h <const> = panel.row * count + 6
  panel.fill(g, x - MARGIN, y - 3, w + 2 * MARGIN, h, { 255, 255, 255 }, 22)
  panel.fill(g, x - MARGIN, y - 3, 3, h, panel.RED)
end

local function draw_parts(g, rows, x, y, w)
  for _, name in ipairs(ORDER) do
    if #rows[name] > 0 then
      y = y + (BEFORE[name] or 0) * panel.row
      if name == "source" then draw_source_back(g, x, y, w, #rows.source) end
      y = panel.draw_rows(g, name == "source" and x + MARGIN or x, y, COLORS[name], rows[name])
    end
  end
end

-- A finished game is played by people who have not written it.
local function draw_for_players(g, log)
  local x <const>, w <const> = EDGE + MARGIN, g.width - 2 * EDGE - 2 * MARGIN
  local rows <const> = panel.rows(w, "An error in the game has ended it. What was saved before is kept. "
    .. (log ~= "" and "What its author needs to find the error is in this file: " .. log
      or "A start from a terminal shows the error."), MANY)
  local top <const> = EDGE + MARGIN + panel.title_row
  panel.plate(g, EDGE, EDGE, g.width - 2 * EDGE, top + (#rows + 1.5) * panel.row - EDGE + MARGIN)
  panel.title(g, x, EDGE + MARGIN, panel.RED, "The game has stopped")
  local y <const> = panel.draw_rows(g, x, top, panel.WHITE, rows)
  panel.draw_rows(g, x, y + 0.5 * panel.row, panel.GREY, { "Esc closes it" })
  return true
end

function error_screen.draw(g)
  local message <const>, meanwhile <const>, has_timeline <const>, log <const> = player.stop()
  if not message then return false end
  if log then return draw_for_players(g, log) end
  local parts <const> = split(message)
  parts.meanwhile = meanwhile
  parts.keys = has_timeline and "Backspace goes back one second   F5 tries again   Ctrl+C copies this   Esc quits"
    or "Ctrl+C copies this   F5 tries again   ` opens the console   Esc quits"
  local below <const> = timeline.height(g)
  local x <const>, y <const>, w <const> = EDGE + MARGIN, EDGE + MARGIN, g.width - 2 * EDGE - 2 * MARGIN
  local top <const>, bottom <const> = y + panel.title_row, g.height - below - EDGE - MARGIN
  local rows <const> = share(parts, w, math.max(((bottom - top) / panel.row - GAPS + 0.01) // 1 | 0, 0))
  panel.plate(g, EDGE, EDGE, g.width - 2 * EDGE, top + height_of(rows) - EDGE + MARGIN)
  panel.title(g, x, y, panel.RED, "The script has stopped")
  draw_parts(g, rows, x, top, w)
  return true
end

return error_screen
