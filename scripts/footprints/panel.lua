-- Text on the screen: the rows of the list, and the counts of the pools.
local spawnpool <const> = require "spawnpool"
local stage <const> = require "stage"

local pools <const> = spawnpool.pools
local panel <const> = {}

local TYPES <const> = { "Footprint", "Splat", "Dent", "Snowball", "Powder", "Row" }

local LEAST <const> = 9 -- points of the window: smaller letters cannot be read
local KEYS <const> = { "click: throw", "A one more", "X one less", "C clear decals", "R again" }

local labels <const> = {} -- type -> the text and its counts
local keys <const> = {} -- their text, and the size that it was broken into lines for

---@return number size in units of the view
local function readable(g, size) return math.max(size, LEAST / g.scale) end

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
  local size <const> = readable(g, 14)
  g:text(x, 30, "Standing", readable(g, 18))
  for row in pools:pool("Row"):each() do
    g:color(1, 1, 1, 1)
    g:text(x + 10, row.y - size * 9 / 14, row.name, size)
    g:text(x + 158, row.y - size * 9 / 14, row.score, size)
  end
end

-- In a small window a pool has one line, with the number of live objects.
local function draw_small_counts(g, x, size)
  for i = 1, #TYPES do
    local y <const> = g.height - 10 - (#TYPES - i + 1) * size * 1.3
    g:color(0.82, 0.88, 1, 0.95)
    g:text(x, y, TYPES[i], size)
    g:text(g.width - 10, y, pools:pool(TYPES[i]).live, size, "right")
  end
end

local function draw_counts(g, x)
  local size <const> = readable(g, 12)
  if size > 12 then return draw_small_counts(g, x, size) end
  for i = 1, #TYPES do
    local y <const> = g.height - 26 - (#TYPES - i + 1) * 34
    g:color(0.82, 0.88, 1, 0.95)
    g:text(x, y, TYPES[i], 13)
    g:color(0.72, 0.79, 0.98, 0.85)
    g:text(x, y + 15, label_of(pools:pool(TYPES[i])), 12)
  end
end

-- Breaks the keys into as many lines as they need.
local function break_keys(g, width, size)
  local text, line = "", KEYS[1]
  for i = 2, #KEYS do
    local longer <const> = line .. "    " .. KEYS[i]
    if g:measure(longer, size) <= width - 24 then
      line = longer
    else
      text, line = text .. line .. "\n", KEYS[i]
    end
  end
  return text .. line
end

local function draw_keys(g, width)
  local size <const> = readable(g, 13)
  if size ~= keys.size then
    keys.size, keys.text = size, break_keys(g, width, size)
    keys.lines = select(2, keys.text:gsub("\n", "")) + 1
  end
  local text <const> = keys.text
  local height <const> = size * 15 / 13 * keys.lines
  g:color(0.10, 0.13, 0.27, 0.72)
  g:rect(0, g.height - height - 21, width, height + 21)
  g:color(0.92, 0.95, 1, 0.95)
  g:text(16, g.height - height - 13, text, size)
end

function panel.draw(g)
  local x <const> = g.width - stage.LIST + 6
  draw_rows(g, x)
  draw_counts(g, x)
  draw_keys(g, stage.width - stage.LIST)
end

return panel
