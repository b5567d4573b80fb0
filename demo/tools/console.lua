-- The console: a panel over the game in which Lua is typed and run, below the output of the game. While it is open, it
-- has the keys.
local edit_line <const> = require "edit_line"
local panel <const> = require "panel"
local player <const> = require("spawnpool").player

local MARGIN <const> = panel.MARGIN
local SHARE <const> = 0.5 -- of the window's height
local HISTORY <const> = 200 -- lines
local PENDING_MOST <const> = 65536 -- bytes of an unfinished text of several lines
local WHEEL <const> = 3 -- lines scrolled by a notch of the wheel
local COLUMN_GAP <const> = 2
local ROW_MOST <const> = 1000 -- bytes of a row of words
local ROWS_MOST <const> = 100 -- of a line of output
local COLORS <const> = { print = panel.WHITE, input = panel.GREY, reload = panel.GREEN, warning = panel.YELLOW,
  error = panel.RED, detail = panel.GREY, hint = panel.GREEN }

local console <const> = { shown = false }

local line <const> = edit_line.new()
local drops_text = false -- the key that opened the console also produces text
local pending -- lines of an unfinished text, or nil
local history <const> = {} -- entered lines, the oldest first
local chosen = 1 -- of the history; behind its end: the new line
local draft = "" -- the new line, while an old one is shown
local scrolled, page = 0, 10 -- lines scrolled back from the last one; lines scrolled by PageUp
local letters = 80 -- per row, as of the last drawing
local known = 0 -- lines of output that have been seen
local words, word_at, word_from, word_to = {}, 0, 0, 0 -- that complete the word in the line; 0: what all share

function console.toggle()
  console.shown = not console.shown
  drops_text = console.shown
  scrolled, words = 0, {}
  player.type(console.shown)
end

local function scroll(lines)
  local count <const> = player.lines()
  scrolled = math.max(math.min(scrolled + lines, count - 1), 0)
end

-- {== Running ==================================================================

local function sign() return pending and ">> " or "> " end

local function keep_in_history(text)
  if text ~= "" and history[#history] ~= text then
    history[#history + 1] = text
    if #history > HISTORY then table.remove(history, 1) end
  end
  chosen = #history + 1
end

local function enter()
  local text <const> = line.text
  local whole <const> = pending and pending .. "\n" .. text or text
  player.add_line("input", sign() .. text)
  scrolled = 0
  keep_in_history(text)
  line:set ""
  pending = nil
  if player.eval(whole) == "more" and #whole < PENDING_MOST then pending = whole end
end

local function paste()
  local text <const> = player.clipboard():gsub("\r\n", "\n")
  local first <const>, rest <const> = text:match "^([^\n]*)(.*)$"
  line:insert(first)
  for more in rest:gmatch "\n([^\n]*)" do
    enter()
    line:insert(more)
  end
end

local function show_history(at)
  if at < 1 or at > #history + 1 then return end
  if chosen == #history + 1 then draft = line.text end
  chosen = at
  line:set(history[at] or draft)
end

-- }==

-- {== Completing ===============================================================

-- Lists the words in columns.
local function list_words()
  local longest = 0
  for _, word in ipairs(words) do longest = math.max(longest, #word) end
  local width <const> = longest + COLUMN_GAP
  local columns <const> = math.max(math.min(letters, ROW_MOST) // width, 1)
  for i = 1, #words, columns do
    local row <const> = {}
    for at = i, math.min(i + columns - 1, #words) do row[#row + 1] = words[at] .. (" "):rep(width - #words[at]) end
    player.add_line("detail", table.concat(row))
  end
end

-- Returns the bytes that all words share, in whole characters.
local function shared_of(list)
  local shared = list[1] or ""
  for _, word in ipairs(list) do
    local at = 0
    while at < #shared and shared:byte(at + 1) == word:byte(at + 1) do at = at + 1 end
    while at > 0 and (shared:byte(at + 1) or 0) & 0xc0 == 0x80 do at = at - 1 end
    shared = shared:sub(1, at)
  end
  return shared
end

local function begin_completion(text)
  local list <const>, begun <const> = player.complete(text)
  words, word_at = {}, 0
  for word in list:gmatch "[^\n]+" do words[#words + 1] = word end
  local shared <const>, typed <const> = shared_of(words), line.cursor
  if #shared > begun then line:insert(shared:sub(begun + 1)) end
  word_from, word_to = typed - begun, line.cursor
  if #words > 1 then list_words() end
end

-- The first Tab inserts what all words share; each further one replaces the word by the next, or the previous one.
local function complete(step)
  if #words > 1 then
    word_at = word_at == 0 and step < 0 and #words or (word_at - 1 + step) % #words + 1
    line:replace(word_from, word_to, words[word_at])
    word_to = line.cursor
    return
  end
  local before <const> = line.text:sub(1, line.cursor)
  if before:find "[^ ]" then begin_completion(pending and pending .. "\n" .. before or before) end
end

-- }==

-- {== Events ===================================================================

local CONTROL <const> = {
  v = paste,
  l = function()
    player.clear_lines()
    scrolled = 0
  end,
  c = function()
    line:set ""
    pending = nil
  end,
}

local PLAIN <const> = {
  ["`"] = console.toggle,
  escape = console.toggle,
  ["return"] = enter,
  ["keypad enter"] = enter,
  tab = function(shift) complete(shift and -1 or 1) end,
  pageup = function() scroll(page) end,
  pagedown = function() scroll(-page) end,
  up = function() show_history(chosen - 1) end,
  down = function() show_history(chosen + 1) end,
}

local KEEPS_WORDS <const> = { tab = true, ["left shift"] = true, ["right shift"] = true, pageup = true,
  pagedown = true }

-- Returns whether it was used: the console has all keys while it is open.
function console.key_pressed(key, ctrl, shift)
  if not console.shown then return false end
  local act <const> = (ctrl and CONTROL or PLAIN)[key]
  drops_text = false
  if not KEEPS_WORDS[key] then words = {} end
  if act then act(shift) else line:key(key, ctrl) end
  return true
end

function console.text_input(text)
  if not console.shown then return false end
  if not drops_text then
    words = {}
    line:insert(text)
  end
  drops_text = false
  return true
end

-- Returns whether it was used.
function console.wheel(steps)
  if console.shown then scroll(steps * WHEEL) end
  return console.shown
end

-- }==

-- {== Drawing ==================================================================

local function rows_of(w, text)
  local rows <const> = panel.rows(w, text, ROWS_MOST)
  return #rows > 0 and rows or { "" }
end

-- Scrolling back ends where the oldest line is at the top of so many rows. When the user has scrolled back, the visible
-- lines stay where they are.
local function limit_scrolling(rows, w)
  local lowest <const>, ever <const> = player.lines()
  local at = lowest
  if scrolled > 0 then scroll(ever - known) end
  known = ever
  page = math.max(rows - 1, 1)
  while scrolled > 0 and at > 0 do
    local count <const> = #rows_of(w, player.line(at - 1))
    if count > rows then break end
    rows, at = rows - count, at - 1
  end
  scrolled = math.min(scrolled, at)
end

local EMPTY <const> = "Lua that runs in the game: pools:stats(), or sel.x, the object that F3 has selected.\n"
  .. "What the game prints is shown here. Tab completes, Up brings back what you typed, ` closes."

-- Draws lines from the last one upwards, as many as fit; while there are none, what the console is for.
local function draw_lines(g, top, bottom, w)
  local y = bottom
  if not player.line(0) then
    local rows <const> = rows_of(w, EMPTY)
    if panel.row * #rows <= bottom - top then panel.draw_rows(g, 2 * MARGIN, top, panel.GREY, rows) end
    return
  end
  for back = scrolled, math.huge do
    local text <const>, kind <const>, times <const> = player.line(back)
    if not text then return end
    local rows <const> = rows_of(w, text)
    y = y - panel.row * #rows
    if y < top then return end
    panel.draw_rows(g, 2 * MARGIN, y, COLORS[kind], rows)
    if times > 1 then panel.text_right(g, 2 * MARGIN + w, y, panel.GREY, "x" .. times) end
  end
end

-- Draws the line that is typed; a long one is moved to show the cursor.
local function draw_input(g, y, w)
  local begin <const> = sign()
  local room <const> = panel.letters(w) - #begin - 1
  local from <const> = line:first_shown(room)
  local shown = line.text:sub(from + 1)
  local x <const> = 2 * MARGIN + panel.letter * #begin
  local before <const> = player.letters(line.text:sub(from + 1, line.cursor))
  shown = shown:sub(1, player.span(shown, room + 1))
  panel.text(g, 2 * MARGIN, y, panel.GREEN, begin)
  panel.fill(g, x + panel.letter * before, y, panel.letter, panel.row - 2, panel.GREEN, 110)
  panel.text(g, x, y, panel.WHITE, shown)
end

-- Shows at the right of the input what the keys do, in states other than typing.
local function draw_state(g, right, y)
  if scrolled > 0 then
    panel.text_right(g, right, y, panel.YELLOW, "PageDown: newer output")
  elseif #words > 1 and word_at > 0 then
    panel.text_right(g, right, y, panel.GREY, ("%d of %d"):format(word_at, #words))
  end
end

function console.draw(g)
  if not console.shown then return false end
  local row <const>, w <const> = panel.row, g.width - 4 * MARGIN
  local h <const> = math.max(g.height * SHARE, 3 * row + 2 * MARGIN)
  local bottom <const> = h - row
  letters = panel.letters(w)
  panel.plate(g, MARGIN, MARGIN, w + 2 * MARGIN, h)
  panel.fill(g, MARGIN, bottom - 4, w + 2 * MARGIN, row + 4 + MARGIN, { 255, 255, 255 }, 14)
  limit_scrolling((bottom - 8 - 2 * MARGIN) // row | 0, w)
  draw_lines(g, 2 * MARGIN, bottom - 8, w)
  draw_input(g, bottom, w)
  draw_state(g, 2 * MARGIN + w, bottom)
  return true
end

-- }==

return console
