-- The lower part of the frame: counts and squares per pool, the last calls, the keys.
local spawnpool <const> = require "spawnpool"
local scene <const> = require "scene"
local stage <const> = require "stage"
local toys <const> = require "toys"

local pools <const> = spawnpool.pools
local panel <const> = {}

local COLUMNS <const> = { "live", "idle", "total", "peak", "allocs", "created", "destroyed" }
local DOT <const>, GAP <const> = 7, 2
local LEAST <const> = 9 -- points: smaller letters cannot be read

-- Positions below the upper edge of the panel, and the columns. A small window has larger letters, and fewer columns.
local LARGE <const> = {
  head = 8, first = 30, step = 24, name = 84, note = 86, keys = 109, left = 96, width = 58, columns = #COLUMNS,
  squares = 5,
  help = "1  2 scene    C survive or clear    D dequeue    E enqueue    A enqueue all    click: one",
}
local SMALL <const> = {
  head = 2, first = 28, step = 26, name = 80, note = 80, keys = 106, left = 118, width = 72, columns = 4, squares = 10,
  help = "1 2 scene   C clear   D dequeue   E enqueue   A all   click: one",
}
local layout = LARGE

local shown <const> = {} -- type -> contents of its columns: [i] the number, [-i] its text

---@param type string
---@param column integer
---@param number integer
local function text_of(type, column, number)
  local row <const> = shown[type] or {}
  shown[type] = row
  if row[column] ~= number then row[column], row[-column] = number, ("%d"):format(number) end
  return row[-column]
end

-- Bright: live. Dim: idle. The outlines are room for further idle objects.
local function draw_squares(g, pool, x, y)
  local u <const>, live <const>, idle <const> = stage.unit, pool.live, pool.idle
  for i = 0, live + pool.idle_limit - 1 do
    local at <const> = x + i * (DOT + GAP)
    if at > stage.width - 12 then return end
    if i < live then g:color(1, 0.78, 0.42, 0.95) else g:color(0.6, 0.7, 1, 0.75) end
    g:rect(at * u, y * u, DOT * u, DOT * u, i < live + idle and "fill" or "line")
  end
end

---@return number size in units of the scene
local function readable(size) return math.max(size, LEAST / stage.unit) end

local function write(g, x, y, text, size)
  local u <const> = stage.unit
  g:text(x * u, y * u, text, readable(size) * u)
end

local function draw_pool(g, type, y)
  local pool <const> = pools:pool(type)
  local stats <const> = pool:stats()
  g:color(0.92, 0.94, 1, 0.95)
  write(g, 16, y, type, 14)
  for i = 1, layout.columns do
    write(g, layout.left + (i - 1) * layout.width, y, text_of(type, i, stats[COLUMNS[i]]), 14)
  end
  draw_squares(g, pool, layout.left + layout.columns * layout.width + 24, y + layout.squares)
end

local function draw_head(g, y)
  g:color(0.62, 0.7, 0.95, 0.9)
  for i = 1, layout.columns do write(g, layout.left + (i - 1) * layout.width, y, COLUMNS[i], 12) end
end

local function draw_calls(g)
  for i, call in ipairs(toys.calls) do
    g:color(1, 1, 1, 1.1 - i * 0.3)
    write(g, 16, 10 + (i - 1) * readable(14) * 10 / 7, call, 14)
  end
end

function panel.draw(g)
  local top <const>, u <const> = stage.height - stage.PANEL, stage.unit
  layout = readable(12) > 14 and SMALL or LARGE
  g:color(0.04, 0.05, 0.10, 1)
  g:rect(0, top * u, g.width, stage.PANEL * u)
  g:color(0.6, 0.7, 1, 0.35)
  g:rect(0, top * u, g.width, 1)
  draw_head(g, top + layout.head)
  for i, type in ipairs(toys.TYPES) do draw_pool(g, type, top + layout.first + (i - 1) * layout.step) end
  g:color(1, 1, 1, 0.95)
  write(g, 16, top + layout.name, scene.name(), 18)
  if scene.clears then g:color(1, 0.55, 0.45, 0.95) else g:color(0.5, 0.95, 0.7, 0.95) end
  write(g, layout.left, top + layout.note, scene.clears and "the next change of scene destroys the toys"
    or "toys come along to the next scene", 14)
  g:color(0.7, 0.77, 0.98, 0.9)
  write(g, 16, top + layout.keys, layout.help, 13)
  draw_calls(g)
end

return panel
