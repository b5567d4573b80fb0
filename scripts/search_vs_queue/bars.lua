-- The results as bars, on screen and in print.
local spawnpool <const> = require "spawnpool"
local bench <const> = require "bench"

local pools <const> = spawnpool.pools
local bars <const> = {}

bars.COLORS = {
  search = { 0.96, 0.45, 0.42 },
  queue = { 0.98, 0.72, 0.38 },
  spawnpool = { 0.36, 0.86, 0.80 },
}

local LEAST_SIZE <const> = 9 -- points of the window: smaller letters cannot be read
local TOP <const> = 84
local ROW <const>, GROUP <const>, HEIGHT <const> = 25, 110, 15
local LEAST <const>, DECADES <const> = 10, 3 -- the scale: from 10 ns to 10 us per pair
local MARKS <const> = { "10 ns", "100 ns", "1 us", "10 us" }

-- The margins of the bars are for text: they are wider in a small window, whose letters are larger.
local left, right = 104, 220
local small = false

local texts <const> = {} -- entry -> { median, text }
local shown <const> = {} -- entry -> number of samples that had their flash

-- {== Figures ===============================================================

---@param entry Entry
local function nanoseconds(entry) return entry.median / bench.PAIRS * 1e9 end

-- Returns how many times faster it is than the search at the same size.
---@param entry Entry
---@return number?
local function gain(entry)
  for _, other in ipairs(bench.entries) do
    if other.count == entry.count and other.name == "search" and other.median and entry.median then
      return other.median / entry.median
    end
  end
  return nil
end

---@param entry Entry
---@return string
local function figures(entry)
  local times <const> = gain(entry)
  if small then
    local text <const> = ("%.0f ns"):format(nanoseconds(entry))
    return times and entry.name ~= "search" and ("%s  x%.1f"):format(text, times) or text
  end
  local text <const> = ("%.0f ns   %.1f ms"):format(nanoseconds(entry), entry.median * 1000)
  return times and entry.name ~= "search" and ("%s   x%.1f"):format(text, times) or text
end

function bars.print()
  print(("%d pairs per sample: total time, median of %d"):format(bench.PAIRS, #bench.entries[1].samples))
  for _, entry in ipairs(bench.entries) do
    print(("%5d objects x %5d rounds   %-10s %8.1f ms %8.0f ns per pair   x%.1f"):format(entry.count,
      bench.PAIRS // entry.count, entry.name, entry.median * 1000, nanoseconds(entry), gain(entry)))
  end
end

-- }==

-- {== On screen =============================================================

---@param g spawnpool.Graphics
---@param size number
---@return number size in units of the view
function bars.readable(g, size) return math.max(size, LEAST_SIZE / g.scale) end

-- Returns where the bars begin.
---@param g spawnpool.Graphics
---@return number x
function bars.left(g)
  return math.max(104, 30 + g:measure("spawnpool", bars.readable(g, 14)))
end

local function fit(g)
  small = bars.readable(g, 13) > 13
  left, right = bars.left(g), 220
end

---@param g spawnpool.Graphics
---@param ns number
local function place(g, ns)
  local part <const> = math.log(math.max(ns, LEAST) / LEAST, 10) / DECADES
  return left + (g.width - left - right) * math.min(part, 1)
end

local function draw_scale(g)
  for i, mark in ipairs(MARKS) do
    local x <const> = place(g, LEAST * 10 ^ (i - 1))
    g:color(1, 1, 1, 0.09)
    g:line(x, TOP - 6, x, TOP + 3 * GROUP - 22)
    g:color(0.66, 0.72, 0.95, 0.8)
    local size <const> = bars.readable(g, 12)
    g:text(x - (small and 30 or 14), small and TOP - 32 or TOP - 26, mark, size)
  end
end

---@param entry Entry
local function label_of(entry)
  local kept <const> = texts[entry] or {}
  texts[entry] = kept
  if kept.median ~= entry.median or kept.small ~= small then
    kept.median, kept.small, kept.text = entry.median, small, figures(entry)
  end
  return kept.text
end

-- One glow per new sample, from a pool.
local function flash(entry, x, y)
  local count <const>, before <const> = #entry.samples, shown[entry] or 0
  shown[entry] = count
  if count == before or count == 0 then return end
  local color <const> = bars.COLORS[entry.name]
  pools:alloc("Glint", 0.9, { x = x, y = y, r = color[1], g = color[2], b = color[3] })
end

local function draw_bar(g, entry, y)
  local color <const> = bars.COLORS[entry.name]
  local finish <const> = place(g, nanoseconds(entry))
  g:color(color[1] * 0.75, color[2] * 0.75, color[3] * 0.75, 0.9)
  g:rect(left, y, finish - left, HEIGHT)
  g:color(color[1], color[2], color[3], 1)
  g:rect(finish - 3, y, 3, HEIGHT)
  g:color(1, 1, 1, 0.55)
  for _, seconds in ipairs(entry.samples) do
    g:rect(place(g, seconds / bench.PAIRS * 1e9), y + 3, 1, HEIGHT - 6)
  end
  g:color(0.92, 0.95, 1, 0.95)
  local size <const> = bars.readable(g, 13)
  g:text(g.width - right + 28, y - 2 - (size - 13) * 0.58, label_of(entry), size)
  flash(entry, finish, y + HEIGHT / 2)
end

-- The current work: a line under its bar grows with the sample.
local function draw_work(g, entry, y)
  local now <const>, sample <const>, part <const> = bench.now()
  if now ~= entry then return end
  local color <const> = bars.COLORS[entry.name]
  g:color(color[1], color[2], color[3], sample == 0 and 0.4 or 1)
  g:rect(left, y + HEIGHT + 2, (g.width - left - right) * part, 2)
  g:circle(10, y + HEIGHT / 2, 4)
end

local function draw_head(g)
  local size <const>, about <const> = bars.readable(g, 12), bars.readable(g, 13)
  g:color(1, 1, 1, 0.95)
  g:text(16, small and 1 or 12, "Take all, return all in reverse: 10 000 pairs", bars.readable(g, 18))
  g:color(0.66, 0.72, 0.95, 0.9)
  g:text(g.width - right + (small and 48 or 28), small and TOP - 32 or TOP - 26,
    small and "per pair, gain" or "per pair, total, gain", size)
  g:text(16, small and 25 or 36, small and "Shorter bars are better. Each line is ten times the time."
    or "Shorter bars are better. Each line to the right is ten times as long a time.", about)
end

function bars.draw(g)
  fit(g)
  draw_head(g)
  draw_scale(g)
  for i, entry in ipairs(bench.entries) do
    local group <const>, row <const> = (i - 1) // 3, (i - 1) % 3
    local y <const> = TOP + group * GROUP + 17 + row * ROW
    if row == 0 then
      g:color(0.66, 0.72, 0.95, 0.9)
      local size <const> = bars.readable(g, 12)
      g:text(18, y - 9 - size, ("%d objects"):format(entry.count), size)
    end
    local color <const> = bars.COLORS[entry.name]
    g:color(color[1], color[2], color[3], 1)
    local size <const> = bars.readable(g, 14)
    g:text(18, y - 2 - (size - 14) * 0.58, entry.name, size)
    if entry.median then draw_bar(g, entry, y) end
    draw_work(g, entry, y)
  end
end

-- }==

return bars
