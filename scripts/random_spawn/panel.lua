-- The objects of each pool: a bright square per live object, a dim one per idle object.
local spawnpool <const> = require "spawnpool"
local stage <const> = require "stage"

local pools <const> = spawnpool.pools
local panel <const> = {}

local TYPES <const> = { "Sun", "Ring", "Moon", "Comet" }
local DOT <const>, GAP <const>, ROW <const> = 5, 2, 48

local labels <const> = {} -- type -> the text and its counts

-- Builds a text only when a number in it changes.
---@param pool spawnpool.Pool
local function label_of(pool)
  local label <const> = labels[pool.type] or {}
  labels[pool.type] = label
  local live <const>, idle <const> = pool.live, pool.idle
  if label.live ~= live or label.idle ~= idle then
    label.live, label.idle = live, idle
    label.text = ("%s   %d live, %d idle"):format(pool.type, live, idle)
  end
  return label.text
end

-- Draws the squares from y on; returns their height.
local function draw_squares(g, pool, y)
  local live <const>, total <const> = pool.live, pool.total
  for i = 0, total - 1 do
    if i < live then g:color(0.42, 0.84, 0.8, 0.9) else g:color(1, 1, 1, 0.14) end
    g:rect(17 + i % ROW * (DOT + GAP), y + i // ROW * (DOT + GAP), DOT, DOT)
  end
  return (total + ROW - 1) // ROW * (DOT + GAP)
end

function panel.draw(g)
  local y, size <const> = 12, stage.readable(g, 13)
  for i = 1, #TYPES do
    local pool <const> = pools:pool(TYPES[i])
    g:color(0.9, 0.93, 1, 0.95)
    g:text(16, y, label_of(pool), size)
    y = y + size * 24 / 13 + draw_squares(g, pool, y + size * 19 / 13)
  end
  g:color(0.7, 0.75, 0.95, 0.85)
  local large <const> = stage.readable(g, 14)
  local about <const> = large > 14 and "Five coins are tossed:\nheads (+) spawns, tails (-) despawns"
    or "Five coins are tossed: heads (+) spawns, tails (-) despawns"
  g:text(g.width - 16, 12, about, large, "right")
  g:text(g.width - 16, g.height - 12 - large * 8 / 7, "H heads    T tails    S or click: a sun ends    R again", large,
    "right")
end

return panel
