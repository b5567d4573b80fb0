-- The game of the moving picture on README.md, which edit_film.sh records: at the right sparks.lua runs, at the left an
-- editor shows it, types, and saves. The player reloads the saved file, as after any edit. Needs --trust: it writes.
local spawnpool <const> = require "spawnpool"
local sparks <const> = require "sparks"

local W <const>, H <const> = 640, 360
local PANEL <const> = 362                                -- width of the editor
local ROW <const>, SIZE <const>, LEFT <const>, TOP <const> = 16, 13, 34, 42
local ERASE <const>, TYPE <const>, SAVE <const> = 0.05, 0.09, 0.4 -- seconds for a letter, a letter, before the save

-- When the typing begins, in which line, what is replaced there, and by what.
local EDITS <const> = {
  { at = 1.2, line = 5, old = "spark", new = "ring" },
  { at = 3.4, line = 6, old = "0.7, b = 0.3", new = "0.3, b = 1" },
  { at = 6.0, line = 7, old = "160", new = "-160" },
}
local COLORS <const> = {
  plain = { 0.82, 0.85, 0.9 }, word = { 0.62, 0.75, 1 }, string = { 0.98, 0.76, 0.45 }, number = { 0.6, 0.9, 0.65 },
}
local WORDS <const> = { ["local"] = true, ["function"] = true, ["end"] = true, ["return"] = true, ["require"] = true }

local game <const> = { title = "An edit goes live", width = W, height = H }
local path
local lines <const> = {}
local now, number = 0, 1                                 -- seconds; of the current edit
local cursor                                             -- letters before it, while the editor types
local saved_at = -10

function game.load(args)
  path = args[1] .. "/sparks.lua"
  for line in io.lines(path) do lines[#lines + 1] = line end
end

-- {== Typing ==================================================================

local function save()
  local file <close> = assert(io.open(path, "w"))
  file:write(table.concat(lines, "\n"), "\n")
  cursor, saved_at, number = nil, now, number + 1
end

-- Returns the text shown for `old` after so many seconds, and whether it has been `new` for long enough.
local function typed(edit, seconds)
  local left <const> = #edit.old - math.floor(seconds / ERASE)
  if left > 0 then return edit.old:sub(1, left), false end
  local count <const> = math.floor((seconds - #edit.old * ERASE) / TYPE)
  return edit.new:sub(1, count), count * TYPE > #edit.new * TYPE + SAVE
end

local function type_on()
  local edit <const> = EDITS[number]
  if not edit or now < edit.at then return end
  if not edit.before then
    local first <const>, last <const> = lines[edit.line]:find(edit.old, 1, true)
    edit.before, edit.after = lines[edit.line]:sub(1, first - 1), lines[edit.line]:sub(last + 1)
  end
  local text <const>, done <const> = typed(edit, now - edit.at)
  lines[edit.line], cursor = edit.before .. text .. edit.after, #edit.before + #text
  if done then save() end
end

function game.update(dt)
  now = now + dt
  type_on()
  sparks.update((PANEL + W) / 2, H / 2)
end

-- }==

-- {== The editor ==============================================================

local function next_piece(line, at)
  local word <const> = line:match("^[%a_][%w_]*", at)
  if word then return word, WORDS[word] and "word" or "plain" end
  local text <const> = line:match('^"[^"]*"?', at)
  if text then return text, "string" end
  local digits <const> = line:match("^-?%d[%d.]*", at)
  return digits or line:match("^%s+", at) or line:sub(at, at), digits and "number" or "plain"
end

local function draw_code(g, x, y, line)
  local at = 1
  while at <= #line do
    local piece <const>, kind <const> = next_piece(line, at)
    g:color(table.unpack(COLORS[kind]))
    g:text(x, y, piece, SIZE)
    x, at = x + g:measure(piece, SIZE), at + #piece
  end
end

local function draw_line(g, i, line)
  local y <const>, edit <const> = TOP + (i - 1) * ROW, EDITS[number]
  local is_edited <const> = edit and edit.line == i and now > edit.at - 0.5
  if is_edited then
    g:color(0.35, 0.55, 1, 0.18)
    g:rect(0, y - 1, PANEL, ROW)
  end
  g:color(0.4, 0.44, 0.52)
  g:text(LEFT - 12, y, i, SIZE, "right")
  draw_code(g, LEFT, y, line)
  if is_edited and cursor then
    g:color(1, 1, 1)
    g:rect(LEFT + g:measure(line:sub(1, cursor), SIZE), y, 2, ROW - 2)
  end
end

local function draw_status(g)
  local light <const> = math.min(1, 3 - 1.5 * (now - saved_at))
  if cursor then
    g:color(0.98, 0.76, 0.45)
    g:text(LEFT - 22, H - 26, "not saved", SIZE)
  elseif light > 0 then
    g:color(0.5, 0.9, 0.6, light)
    g:text(LEFT - 22, H - 26, "saved: the game goes on with the new code", SIZE)
  end
end

function game.draw(g)
  g:color(0.085, 0.095, 0.125)
  g:rect(0, 0, PANEL, H)
  g:color(0.13, 0.145, 0.19)
  g:rect(0, 0, PANEL, 28)
  g:color(0.8, 0.84, 0.9)
  g:text(LEFT - 22, 6, "sparks.lua" .. (cursor and " *" or ""), SIZE)
  for i, line in ipairs(lines) do draw_line(g, i, line) end
  draw_status(g)
  g:color(0.55, 0.6, 0.68)
  g:text(W - 12, 8, spawnpool.pools:pool("Spark").live .. " live", SIZE, "right")
end

-- }==

return game
