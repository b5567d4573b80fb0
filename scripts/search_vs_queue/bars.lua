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

local LEFT <const>, RIGHT <const>, TOP <const> = 104, 220, 84
local ROW <const>, GROUP <const>, HEIGHT <const> = 25, 110, 15
local LEAST <const>, DECADES <const> = 10, 3 -- the scale: from 10 ns to 10 us per pair
local MARKS <const> = { "10 ns", "100 ns", "1 us", "10 us" }

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
---@param ns number
local function place(g, ns)
  local part <const> = math.log(math.max(ns, LEAST) / LEAST, 10) / DECADES
  return LEFT + (g.width - LEFT - RIGHT) * math.min(part, 1)
end

local function draw_scale(g)
  for i, mark in ipairs(MARKS) do
    local x <const> = place(g, LEAST * 10 ^ (i - 1))
    g:color(1, 1, 1, 0.09)
    g:line(x, TOP - 6, x, TOP + 3 * GROUP - 22)
    g:color(0.66, 0.72, 0.95, 0.8)
    g:text(x - 14, TOP - 26, mark, 12)
  end
end

---@param entry Entry
local function label_of(entry)
  local kept <const> = texts[entry] or {}
  texts[entry] = kept
  if kept.median ~= entry.median then kept.median, kept.text = entry.median, figures(entry) end
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
  g:rect(LEFT, y, finish - LEFT, HEIGHT)
  g:color(color[1], color[2], color[3], 1)
  g:rect(finish - 3, y, 3, HEIGHT)
  g:color(1, 1, 1, 0.55)
  for _, seconds in ipairs(entry.samples) do
    g:rect(place(g, seconds / bench.PAIRS * 1e9), y + 3, 1, HEIGHT - 6)
  end
  g:color(0.92, 0.95, 1, 0.95)
  g:text(g.width - RIGHT + 28, y - 2, label_of(entry), 13)
  flash(entry, finish, y + HEIGHT / 2)
end

-- The current work: a line under its bar grows with the sample.
local function draw_work(g, entry, y)
  local now <const>, sample <const>, part <const> = bench.now()
  if now ~= entry then return end
  local color <const> = bars.COLORS[entry.name]
  g:color(color[1], color[2], color[3], sample == 0 and 0.4 or 1)
  g:rect(LEFT, y + HEIGHT + 2, (g.width - LEFT - RIGHT) * part, 2)
  g:circle(10, y + HEIGHT / 2, 4)
end

function bars.draw(g)
  g:color(1, 1, 1, 0.95)
  g:text(16, 12, "Take all, return all in reverse: 100 000 pairs", 18)
  g:color(0.66, 0.72, 0.95, 0.9)
  g:text(g.width - RIGHT + 28, TOP - 26, "per pair, total, gain", 12)
  g:text(16, 36, "Shorter bars are better. Each line to the right is ten times as long a time.", 13)
  draw_scale(g)
  for i, entry in ipairs(bench.entries) do
    local group <const>, row <const> = (i - 1) // 3, (i - 1) % 3
    local y <const> = TOP + group * GROUP + 17 + row * ROW
    if row == 0 then
      g:color(0.66, 0.72, 0.95, 0.9)
      g:text(18, y - 21, ("%d objects"):format(entry.count), 12)
    end
    local color <const> = bars.COLORS[entry.name]
    g:color(color[1], color[2], color[3], 1)
    g:text(18, y - 2, entry.name, 14)
    if entry.median then draw_bar(g, entry, y) end
    draw_work(g, entry, y)
  end
end

-- }==

return bars
