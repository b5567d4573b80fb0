-- The text on screen: the counts of each pool, the last calls with their results, and the keys.
local spawnpool <const> = require "spawnpool"
local stage <const> = require "stage"

local pools <const> = spawnpool.pools
local panel <const> = {}

local TYPES <const> = { "Cube", "Sphere", "Chip" }
local CALLS <const> = 4 -- shown at once
local DOT <const>, GAP <const>, ROW <const> = 6, 2, 40 -- of the squares: size, space, number in a row

local calls <const> = {} -- the newest first
local newest -- the call that calls[1] shows
local labels <const> = {} -- type -> the text and its counts

local LEAST <const> = 9 -- points of the window: smaller letters cannot be read

---@return number size in units of the view
local function readable(g, size) return math.max(size, LEAST / g.scale) end

-- {== Calls =================================================================

---@param call string
---@param result any
---@param reason? string
function panel.say(call, result, reason)
  if call == newest then table.remove(calls, 1) end -- the rhythm would push everything else out of view
  newest = call
  table.insert(calls, 1, ("%s   %s%s"):format(call, tostring(result), reason and (", %q"):format(reason) or ""))
  calls[CALLS + 1] = nil
end

local function draw_calls(g)
  local size <const> = readable(g, 14)
  for i = #calls, 1, -1 do
    g:color(0.8, 0.85, 1, 1 - (i - 1) / CALLS)
    g:text(16, stage.floor - 6 - i * size * 19 / 14, calls[i], size)
  end
end

-- }==

-- {== Pools =================================================================

-- Builds a text only when a number in it changes: most frames then make no garbage.
---@param pool any
---@return string
local function label_of(pool)
  local label = labels[pool.type]
  if not label then
    label = {}
    labels[pool.type] = label
  end
  local live <const>, total <const>, peak <const> = pool.live, pool.total, pool.peak
  if label.live ~= live or label.total ~= total or label.peak ~= peak then
    label.live, label.total, label.peak = live, total, peak
    label.text = ("%s   %d live, %d idle, peak %d"):format(pool.type, live, total - live, peak)
  end
  return label.text
end

-- One square per object of the pool: bright ones are live, dim ones idle.
local function draw_squares(g, pool, x, y)
  local live <const> = pool.live
  for i = 0, pool.total - 1 do
    if i < live then g:color(0.42, 0.84, 0.8, 0.95) else g:color(1, 1, 1, 0.13) end
    g:rect(x + i % ROW * (DOT + GAP), y + i // ROW * (DOT + GAP), DOT, DOT)
  end
  return (pool.total + ROW - 1) // ROW * (DOT + GAP)
end

local function draw_pools(g)
  local y, size <const> = 14, readable(g, 15)
  for _, name in ipairs(TYPES) do
    local pool <const> = pools:pool(name)
    g:color(0.9, 0.93, 1, 0.95)
    g:text(16, y, label_of(pool), size)
    y = y + size * 1.6 + draw_squares(g, pool, 17, y + size * 22 / 15) + 8
  end
end

-- }==

function panel.draw(g)
  draw_pools(g)
  draw_calls(g)
  g:color(0.7, 0.75, 0.95, 0.9)
  local size <const> = readable(g, 14)
  local y <const> = stage.floor + 52 - size * 17 / 7
  g:text(16, y, "click: recycle an object, or add a sphere where there is none", size)
  g:text(16, y + size * 12 / 7, "C cube     S sphere     P prewarm     R recycle all     F1 help", size)
end

return panel
