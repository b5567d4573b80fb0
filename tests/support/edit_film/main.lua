-- The game of the moving picture on README.md, which edit_film.sh records: at the right sparks.lua runs, at the left an
-- editor shows it, types, and saves. The player reloads the saved file, as after any edit. Needs --trust: it writes.
local sparks <const> = require "sparks"

local W <const>, H <const> = 640, 360
local PANEL <const> = 362 -- width of the editor
local ROW <const>, SIZE <const>, LEFT <const>, TOP <const> = 16, 13, 34, 42
local LETTER <const>, SAVE <const> = 0.08, 0.4 -- seconds for a letter, and before the save

-- When the typing begins, in which line, what is replaced there, and by what.
local EDITS <const> = {
  { at = 1.2, line = 5, old = "spark", new = "ring" },
  { at = 3.4, line = 6, old = "0.7, b = 0.3", new = "0.3, b = 1" },
  { at = 6.0, line = 7, old = "160", new = "-160" },
}

-- What begins a piece of a line, and its color; anything else is plain.
local KINDS <const> = {
  { "^[%a_][%w_]*", 0.62, 0.75, 1 }, { '^"[^"]*"?', 0.98, 0.76, 0.45 }, { "^-?%d[%d.]*", 0.6, 0.9, 0.65 },
  { "^[^%w_\"]", 0.82, 0.85, 0.9 },
}

local game <const> = { title = "An edit goes live", width = W, height = H }
local path
local lines <const> = {}
local now, number = 0, 1 -- seconds; of the current edit
local is_typing = false

function game.load(args)
  path = args[1] .. "/sparks.lua"
  for line in io.lines(path) do lines[#lines + 1] = line end
end

-- {== Typing ==================================================================

local function save()
  local file <close> = assert(io.open(path, "w"))
  file:write(table.concat(lines, "\n"), "\n")
  is_typing, number = false, number + 1
end

-- Erases the old text letter by letter, types the new one, and saves.
local function type_on()
  local edit <const> = EDITS[number]
  if not edit or now < edit.at then return end
  edit.before = edit.before or lines[edit.line]
  local letters <const> = math.floor((now - edit.at) / LETTER)
  local text <const> = letters < #edit.old and edit.old:sub(1, #edit.old - letters)
    or edit.new:sub(1, letters - #edit.old)
  local first <const>, last <const> = edit.before:find(edit.old, 1, true)
  lines[edit.line] = edit.before:sub(1, first - 1) .. text .. edit.before:sub(last + 1)
  is_typing = true
  if (letters - #edit.old - #edit.new) * LETTER > SAVE then save() end
end

function game.update(dt)
  now = now + dt
  type_on()
  sparks.update((PANEL + W) / 2, H / 2)
end

-- }==

-- {== The editor ==============================================================

local function draw_piece(g, x, y, line, at)
  for _, kind in ipairs(KINDS) do
    local piece <const> = line:match(kind[1], at)
    if piece then
      g:color(kind[2], kind[3], kind[4])
      g:text(x, y, piece, SIZE)
      return x + g:measure(piece, SIZE), at + #piece
    end
  end
end

local function draw_line(g, i, line)
  local x, y <const>, at = LEFT, TOP + (i - 1) * ROW, 1
  if is_typing and EDITS[number].line == i then
    g:color(0.35, 0.55, 1, 0.18)
    g:rect(0, y - 1, PANEL, ROW)
  end
  g:color(0.4, 0.44, 0.52)
  g:text(LEFT - 12, y, i, SIZE, "right")
  while at <= #line do x, at = draw_piece(g, x, y, line, at) end
end

function game.draw(g)
  g:color(0.085, 0.095, 0.125)
  g:rect(0, 0, PANEL, H)
  g:color(0.13, 0.145, 0.19)
  g:rect(0, 0, PANEL, 28)
  g:color(0.8, 0.84, 0.9)
  g:text(LEFT - 22, 6, "sparks.lua" .. (is_typing and " *" or ""), SIZE)
  for i, line in ipairs(lines) do draw_line(g, i, line) end
end

-- }==

return game
