-- Text on the screen: the rows of the list, and the counts of the pools.
local spawnpool <const> = require "spawnpool"
local stage <const> = require "stage"

local pools <const> = spawnpool.pools
local panel <const> = {}

local TYPES <const> = { "Footprint", "Splat", "Dent", "Snowball", "Powder", "Row" }

local labels <const> = {} -- type -> the text and its counts

-- Builds a text only when a number in it changes.
---@param pool spawnpool.Pool
local function label_of(pool)
  local label <const> = labels[pool.type] or {}
  labels[pool.type] = label
  local live <const>, idle <const>, allocs <const> = pool.live, pool.idle, pool:stats().allocs
  if label.idle ~= idle or label.allocs ~= allocs then
    label.idle, label.allocs = idle, allocs
    label.text = ("%d live, %d idle, %d so far"):format(live, idle, allocs)
  end
  return label.text
end

local function draw_rows(g, x)
  g:color(1, 1, 1, 0.95)
  g:text(x, 30, "Standing", 18)
  for row in pools:pool("Row"):each() do
    g:color(1, 1, 1, 1)
    g:text(x + 10, row.y - 9, row.name, 14)
    g:text(x + 158, row.y - 9, row.score, 14)
  end
end

local function draw_counts(g, x)
  for i = 1, #TYPES do
    local y <const> = g.height - 26 - (#TYPES - i + 1) * 34
    g:color(0.82, 0.88, 1, 0.95)
    g:text(x, y, TYPES[i], 13)
    g:color(0.72, 0.79, 0.98, 0.85)
    g:text(x, y + 15, label_of(pools:pool(TYPES[i])), 12)
  end
end

function panel.draw(g)
  local x <const> = g.width - stage.LIST + 6
  draw_rows(g, x)
  draw_counts(g, x)
  g:color(0.10, 0.13, 0.27, 0.72)
  g:rect(0, g.height - 36, stage.width - stage.LIST, 36)
  g:color(0.92, 0.95, 1, 0.95)
  g:text(16, g.height - 28, "click: throw    A one more    X one less    C clear decals    R again", 13)
end

return panel
