-- The building blocks of the tools: dark plates with lines of monospaced text on them. Rows are broken by counting
-- letters. Sizes are units of `g`, which grow with the window.
local player <const> = require("spawnpool").player

local MARGIN <const> = 10 -- from the plate's edge to its text, and from the window's edge to the plate
local TEXT <const>, TITLE <const> = 13, 17
local LETTERS_LEAST <const> = 8 -- of a row, even in windows that are too narrow
local CUT <const> = ".."

local panel <const> = {
  MARGIN = MARGIN,
  WHITE = { 240, 240, 245 },
  GREY = { 160, 165, 180 },
  DARK = { 98, 102, 116 },
  GREEN = { 130, 225, 150 },
  YELLOW = { 250, 210, 100 },
  RED = { 255, 115, 105 },
  letter = 8, -- width of a letter
  row = 17, -- height of a row
  title_row = 26, -- and of a heading
}

local last -- the opaque colour that was set last in this drawing
local set_color, draw_text, draw_rect -- methods of `g`, each of which takes time to look up

-- Measures the letters: call it before each drawing.
function panel.measure(g)
  last, set_color, draw_text, draw_rect = nil, g.color, g.text, g.rect
  local w <const>, h <const> = g:measure("0", TEXT, "mono")
  local _, title <const> = g:measure("0", TITLE)
  panel.letter, panel.row, panel.title_row = w, h + 2, title + 6
end

-- Sets the colour of what is drawn next: red, green and blue from 0 to 255; `alpha` likewise, 255 if not given.
function panel.color(g, color, alpha)
  if color == last and not alpha then return end
  last = not alpha and color or nil
  set_color(g, color[1] / 255, color[2] / 255, color[3] / 255, (alpha or 255) / 255)
end

-- Draws a rectangle in a colour.
function panel.fill(g, x, y, w, h, color, alpha)
  panel.color(g, color, alpha)
  draw_rect(g, x, y, w, h)
end

local BACK <const>, EDGE <const> = { 14, 15, 22 }, { 255, 255, 255 }

-- Draws a plate, which hides nearly everything below it.
function panel.plate(g, x, y, w, h)
  panel.fill(g, x, y, w, h, BACK, 243)
  panel.color(g, EDGE, 40)
  g:rect(x, y, w, h, "line")
end

-- Draws a line that begins at x.
function panel.text(g, x, y, color, s)
  if color ~= last then panel.color(g, color) end
  draw_text(g, x, y, s, TEXT, "left", "mono")
end

-- Draws a line that ends at x, in ASCII.
function panel.text_right(g, x, y, color, s) panel.text(g, x - panel.letter * #s, y, color, s) end

-- Draws a heading, which is larger.
function panel.title(g, x, y, color, s)
  panel.color(g, color)
  g:text(x, y, s, TITLE)
end

-- Returns the width of a heading.
function panel.title_width(g, s) return (g:measure(s, TITLE)) end

-- Draws the first line of a text in the width w; a longer one is cut and ends in dots.
function panel.text_cut(g, x, y, w, color, s)
  local letters <const> = math.max((w / panel.letter + 0.01) // 1 | 0, 0) -- a width of so many letters holds them
  local line <const> = s:match "^[^\n]*"
  if #line <= player.span(line, letters) then return panel.text(g, x, y, color, line) end
  panel.text(g, x, y, color, line:sub(1, player.span(line, math.max(letters - #CUT, 0))) .. CUT)
end

-- Returns how many letters fit into the width w.
function panel.letters(w) return math.max(w / panel.letter // 1 | 0, LETTERS_LEAST) end

-- Returns the bytes of the first row of a text: up to a blank in its second half, if it does not fit.
local function row_length(s, line, letters)
  local room <const> = player.span(s, letters)
  if #line <= room then return #line end
  for i = room, room // 2 + 1, -1 do
    if s:byte(i + 1) == 32 then return i end
  end
  return room
end

-- Returns the rows of a text in the width w, `most` at most; a longer text ends in dots.
function panel.rows(w, s, most)
  local letters <const>, rows <const> = panel.letters(w), {}
  while s ~= "" and #rows < most do
    local line <const> = s:match "^[^\n]*"
    local length <const> = row_length(s, line, letters)
    local rest <const> = s:sub(length + 1):gsub("^[\n ]", "", 1)
    local is_cut <const> = #rows + 1 == most and rest ~= ""
    rows[#rows + 1] = is_cut and s:sub(1, math.min(#line, player.span(s, letters - #CUT))) .. CUT or s:sub(1, length)
    s = rest
  end
  return rows
end

-- Draws such rows; returns the y below them.
function panel.draw_rows(g, x, y, color, rows)
  for _, row in ipairs(rows) do
    panel.text(g, x, y, color, row)
    y = y + panel.row
  end
  return y
end

return panel
