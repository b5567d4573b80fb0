-- The HUD: frame rate and times, the last reload, then a line for each pool: type, live, idle, peak, limit, and a bar.
-- Its second level adds curves over the last five seconds, events per second, the time in functions of the class, and
-- how often its file was loaded; pools flow into as many columns as fit. Numbers stand in columns of fixed width, so
-- that text does not move while they change.
local panel <const> = require "panel"
local player <const> = require("spawnpool").player

local MARGIN <const> = panel.MARGIN
local LETTERS <const> = 55 -- of a row
local LEAST <const> = 16 -- letters: in a narrower window the HUD is not shown
local FRAME_MS <const> = 16.67 -- of a frame at 60 per second; with more work frames are late
local RENEW <const> = 0.5 -- seconds between two updates of the numbers
local POINTS <const>, STEP <const> = 100, 0.05 -- of a curve: five seconds in all
local FRAMES <const> = 300
local BAR_LEAST <const> = 24 -- a shorter bar is left out
local TYPE_MOST <const>, TYPE_LEAST <const>, NUMBER <const> = 13, 7, 6 -- letters of columns
local TITLES <const> = { "live", "idle", "peak", "limit" }
local EVENT_TITLES <const> = { "alloc/s", "recyc/s", "refused", "evicted", "hooks", "ver" }
local EVENT_RIGHTS <const> = { 19, 27, 35, 43, 51, 55 } -- letters
local CURVE_ROWS <const>, POOL_ROWS <const>, CURVE_LETTERS <const> = 3, 2.2, 11

local WHITE <const>, FRAME_COLOR <const>, HEAP_COLOR <const> = { 255, 255, 255 }, { 120, 200, 255 }, { 205, 150, 255 }
local LIVE_COLOR <const>, IDLE_COLOR <const> = { 88, 190, 120 }, { 96, 104, 130 }

local hud <const> = { level = 0 } -- 0: off, 1: compact, 2: with curves

local fps, p50, p99, memory, read_at = 0, 0, 0, 0, -math.huge
local first, shown, all = 1, 0, 0 -- pools: the first one that is shown, how many are, how many there are
local area <const> = { x = 0, y = 0, right = 0, bottom = 0 } -- of what was drawn last

-- {== History ==================================================================

local history = {} -- by pool
local heap = {} -- bytes
local frames <const> = {}
local next_point, next_rates, restored = 0, 0, 0

local function forget()
  history, heap, next_point, next_rates = {}, {}, 0, 0
end

local function add_point(points, value)
  if #points == POINTS then table.move(points, 2, POINTS, 1) end
  points[math.min(#points + 1, POINTS)] = value
end

-- Counts from here on. `seconds` since the last count: nil for a pool that is new, also one at the place of a removed.
local function read_rates(it, i, now, frame)
  local allocs <const>, recycles <const>, refused <const>, evicted <const>, us <const>, version <const> =
    player.events(i)
  local seconds <const> = it.since and allocs >= it.allocs and now - it.since
  if seconds and seconds > 0 then
    it.alloc_rate, it.recycle_rate = (allocs - it.allocs) / seconds, (recycles - it.recycles) / seconds
    it.us = frame > it.frame and (us - it.total_us) / (frame - it.frame) or 0
  end
  it.since, it.frame, it.allocs, it.recycles, it.refused, it.evicted, it.total_us, it.version =
    now, frame, allocs, recycles, refused, evicted, us, version
end

local function take_pool(i, now, frame, point_due, rates_due)
  local _, live <const>, _, _, _, _, id <const> = player.pool(i)
  local it = history[id]
  if not it then
    it = { points = {}, alloc_rate = 0, recycle_rate = 0, us = 0 }
    history[id] = it
  end
  it.seen = now
  if point_due then add_point(it.points, live) end
  if rates_due or not it.since then read_rates(it, i, now, frame) end
end

-- Records points and rates when they are due.
local function take(now)
  local point_due <const>, rates_due <const> = now >= next_point, now >= next_rates
  local _, frame <const> = player.frames(frames, FRAMES)
  if player.restored() ~= restored then
    forget()
    restored = player.restored()
  end
  for i = 1, player.pools() do take_pool(i, now, frame, point_due, rates_due) end
  if point_due then
    add_point(heap, player.memory())
    next_point = now - next_point < 2 * STEP and next_point + STEP or now + STEP
  end
  if rates_due then
    next_rates = now + RENEW
    for id, it in pairs(history) do
      if it.seen ~= now then history[id] = nil end
    end
  end
end

-- }==

-- {== Levels and pages =========================================================

function hud.next()
  hud.level = (hud.level + 1) % 3
  player.time_hooks(hud.level == 2)
  if hud.level == 0 then forget() end
end

-- Shows the next pools where not all fit, and the first ones after the last.
function hud.page()
  if hud.level > 0 and shown < all then first = first + shown <= all and first + math.max(shown, 1) or 1 end
end

-- Scrolls the pools where not all fit. Returns whether the wheel was over the HUD.
function hud.wheel(x, y, steps)
  local is_over <const> = x >= area.x and x < area.right and y >= area.y and y < area.bottom
  if hud.level == 0 or shown >= all or not is_over then return false end
  if steps < 0 then first = first + 1 elseif steps > 0 and first > 1 then first = first - 1 end
  return true
end

-- Chooses the pools that are shown, where `fit` of `count` fit.
local function choose(fit, count)
  shown, all = math.min(fit, count), count
  first = math.min(first, all - shown + 1)
  return shown
end

-- }==

-- {== Rows =====================================================================

local function block_width(g) return math.max(math.min(panel.letter * LETTERS, g.width - 4 * MARGIN), 1) end
local function block_letters(g) return (block_width(g) / panel.letter + 0.01) // 1 | 0 end

local function plate(g, x, y, w, h)
  if area.right <= area.x then area.x, area.y, area.right, area.bottom = x, y, x, y end
  area.right, area.bottom = math.max(area.right, x + w), math.max(area.bottom, y + h)
  panel.plate(g, x, y, w, h)
end

-- Grey for zero, so that it recedes.
local function shade(number, color) return number > 0 and color or panel.DARK end

local integers, kept = {}, 0 -- the texts of numbers, which are drawn in many frames

local function text_of(number)
  local text = integers[number]
  if not text then
    if kept == 1000 then integers, kept = {}, 0 end
    text, kept = ("%d"):format(number), kept + 1
    integers[number] = text
  end
  return text
end

-- The letters of a type, and how many numbers fit: columns are left out from the right.
local function layout(g)
  local letters <const> = block_letters(g)
  local type <const> = math.min(math.max(letters - #TITLES * NUMBER, TYPE_LEAST), TYPE_MOST)
  return type, math.min(math.max((letters - type) // NUMBER, 0), #TITLES)
end

local function draw_titles(g, x, y)
  local type <const>, columns <const> = layout(g)
  panel.text(g, x, y, panel.GREY, "type")
  for i = 1, columns do panel.text_right(g, x + panel.letter * (type + NUMBER * i), y, panel.GREY, TITLES[i]) end
end

local function draw_bar(g, x, y, w, h, live, idle, total, peak, limit)
  if w < BAR_LEAST then return end
  local top <const> = limit and limit >= total and limit or math.max(peak, total)
  local unit <const> = top > 0 and w / top or 0
  panel.fill(g, x, y, w, h, WHITE, 22)
  panel.fill(g, x + live * unit, y, idle * unit, h, IDLE_COLOR)
  panel.fill(g, x, y, live * unit, h, limit and live >= limit and panel.YELLOW or LIVE_COLOR)
  if peak > 0 then panel.fill(g, x + math.min(peak * unit, w) - 1, y - 1, 1, h + 2, panel.WHITE) end
end

-- Draws the row of pool `i`; returns the pool.
local function draw_pool(g, x, y, i)
  local name <const>, live <const>, idle <const>, total <const>, peak <const>, limit <const>, id <const> =
    player.pool(i)
  local type <const>, columns <const> = layout(g)
  local letter <const>, is_full <const> = panel.letter, limit and live >= limit
  local function number(column, value, color)
    if column > columns then return end
    panel.text_right(g, x + letter * (type + NUMBER * column), y, shade(value or 1, color),
      value and text_of(value) or "-")
  end
  panel.text_cut(g, x, y, letter * type, panel.WHITE, name)
  number(1, live, is_full and panel.YELLOW or panel.WHITE)
  number(2, idle, panel.GREY)
  number(3, peak, panel.GREY)
  number(4, limit, panel.GREY)
  local left <const> = letter * (type + NUMBER * #TITLES + 2)
  draw_bar(g, x + left, (y + panel.row * 0.25 + 0.5) // 1, block_width(g) - left, (panel.row * 0.45 + 0.5) // 1, live,
    idle, total, peak, limit)
  return id
end

local function draw_more(g, x, y)
  local line <const> = shown == 0 and ("%d pools"):format(all)
    or ("%d to %d of %d pools: wheel, Shift+F2"):format(first, first + shown - 1, all)
  panel.text_cut(g, x, y, block_width(g), panel.GREY, line)
end

local OUTCOMES <const> = { reloaded = "ok", refused = "refused", reverted = "taken back" }
local OUTCOME_COLORS <const> = { reloaded = panel.GREEN, refused = panel.RED, reverted = panel.YELLOW }

-- Draws the result of the last reload; returns whether there was one.
local function draw_badge(g, x, y)
  local done <const>, last <const> = player.reloads()
  if not last then return false end
  local line <const> = ("%d reload%s, last %s"):format(done, done == 1 and "" or "s", OUTCOMES[last])
  panel.text_cut(g, x, y, block_width(g), OUTCOME_COLORS[last], line)
  return true
end

-- Draws frames per second, frame times, and Lua's memory, as far as they fit.
local function draw_speed(g, x, y)
  local right <const> = x + block_width(g) + 1
  for _, part in ipairs {
    { ("%3.0f fps"):format(fps), panel.GREEN },
    { ("p50 %.2f  p99 %.2f ms"):format(p50, p99), p99 > FRAME_MS and panel.YELLOW or panel.WHITE },
    { ("Lua %.2f MiB"):format(memory / 1048576), panel.WHITE },
  } do
    local w <const> = panel.letter * #part[1]
    if x + w <= right then panel.text(g, x, y, part[2], part[1]) else return end
    x = x + w + 2 * panel.letter
  end
end

-- }==

-- {== Compact ==================================================================

local function draw_compact(g)
  local _, last <const> = player.reloads()
  local count <const>, head <const>, row <const> = player.pools(), last and 3 or 2, panel.row
  local x <const>, top <const> = 2 * MARGIN, 2 * MARGIN
  choose(math.max((g.height - 4 * MARGIN) / row - (head + 1), 0) // 1 | 0, count)
  plate(g, MARGIN, MARGIN, block_width(g) + 2 * MARGIN, row * (head + shown + (shown < count and 1 or 0)) + 2 * MARGIN)
  local y <const> = draw_badge(g, x, top) and top + row or top
  draw_speed(g, x, y)
  draw_titles(g, x, y + row)
  for i = 0, shown - 1 do draw_pool(g, x, top + row * (head + i), first + i) end
  if shown < count then draw_more(g, x, top + row * (head + shown)) end
end

-- }==

-- {== With curves ==============================================================

-- Returns the smallest of 1, 2, 5, 10, 20, 50 ... that is not below a value, so that scales rarely change.
local function round_up(value)
  local decade = 1
  if value <= 1 or value == math.huge then return math.max(value, 1) end
  while decade * 10 < value do decade = decade * 10 end
  for _, step in ipairs { 1, 2, 5 } do
    if value <= decade * step then return decade * step end
  end
  return decade * 10
end

local function greatest(values)
  local most = 0
  for _, value in ipairs(values) do most = math.max(most, value) end
  return most
end

local function draw_curve(g, x, y, w, h, values, most, top, color)
  panel.fill(g, x, y, w, h, WHITE, 14)
  panel.color(g, color)
  player.curve(x, y, w, h, values, most, top)
end

local function draw_mark(g, x, y, w, h, value, top, color)
  if value <= top then panel.fill(g, x, (y + h - (h - 1) * value / top - 0.5) // 1, w, 1, color) end
end

local function draw_frames(g, x, y, w, h)
  local top <const> = round_up(p99 * 1.5)
  draw_curve(g, x, y, w, h, frames, FRAMES, top, FRAME_COLOR)
  draw_mark(g, x, y, w, h, p50, top, panel.GREEN)
  draw_mark(g, x, y, w, h, p99, top, panel.YELLOW)
  panel.text(g, x + 3, y, panel.GREY, "frame")
  panel.text_right(g, x + w - 3, y, panel.GREY, ("%g ms"):format(top))
end

local function draw_heap(g, x, y, w, h)
  local most <const> = greatest(heap) * 1.4
  local unit <const> = most >= 1000 * 1024 and 1048576 or 1024
  local top <const> = round_up(most / unit)
  draw_curve(g, x, y, w, h, heap, POINTS, top * unit, HEAP_COLOR)
  panel.text(g, x + 3, y, panel.GREY, "Lua heap")
  panel.text_right(g, x + w - 3, y, panel.GREY, (unit > 1024 and "%g MiB" or "%g KiB"):format(top))
end

local function head_height()
  local _, last <const> = player.reloads()
  return panel.row * ((last and 2 or 0) + 1.3 + CURVE_ROWS)
end

local function draw_head(g, x, y)
  local row <const>, w <const> = panel.row, block_width(g)
  local half <const>, h <const> = (w - MARGIN) / 2 // 1, row * (CURVE_ROWS - 0.4) // 1
  if draw_badge(g, x, y) then
    local _, _, line <const> = player.reloads()
    panel.text_cut(g, x, y + row, w, panel.GREY, line)
    y = y + 2 * row
  end
  draw_speed(g, x, y)
  y = (y + row * 1.3) // 1
  draw_frames(g, x, y, half, h)
  draw_heap(g, x + w - half, y, half, h)
end

local function draw_events(g, x, y, it)
  local function number(column, text, value, color)
    panel.text_right(g, x + panel.letter * EVENT_RIGHTS[column], y, shade(value, color), text)
  end
  number(1, text_of((it.alloc_rate + 0.5) // 1 | 0), it.alloc_rate, panel.GREY)
  number(2, text_of((it.recycle_rate + 0.5) // 1 | 0), it.recycle_rate, panel.GREY)
  number(3, text_of(it.refused), it.refused, panel.YELLOW)
  number(4, text_of(it.evicted), it.evicted, panel.YELLOW)
  number(5, (it.us < 10 and "%.1fus" or "%.0fus"):format(it.us), it.us, it.us >= 1000 and panel.YELLOW or panel.WHITE)
  panel.text_right(g, x + panel.letter * EVENT_RIGHTS[6], y, panel.GREY, it.version > 0 and "v" .. it.version or "-")
end

local function draw_pools(g, x, y, from, count)
  local row <const> = panel.row
  draw_titles(g, x, y)
  panel.text(g, x, y + row, panel.GREY, "last 5 s")
  for i, title in ipairs(EVENT_TITLES) do
    panel.text_right(g, x + panel.letter * EVENT_RIGHTS[i], y + row, panel.GREY, title)
  end
  for i = 0, count - 1 do
    local top <const> = y + (2 + POOL_ROWS * i) * row
    local it <const> = history[draw_pool(g, x, top, from + i)]
    draw_curve(g, x, top + row + 1, panel.letter * CURVE_LETTERS, row - 4, it.points, POINTS,
      round_up(greatest(it.points)), LIVE_COLOR)
    draw_events(g, x, top + row, it)
  end
end

-- Returns how many pools fit into a column whose titles begin at y.
local function pools_below(g, y)
  return math.max((g.height - 3 * MARGIN - y - 3 * panel.row) / (POOL_ROWS * panel.row), 0) // 1 | 0
end

local function draw_full(g)
  local w <const>, row <const>, top <const>, count <const> = block_width(g), panel.row, 2 * MARGIN, player.pools()
  local function is_last_column(x) return x + 2 * w + 5 * MARGIN > g.width end
  local x, head, fit = 2 * MARGIN, head_height(), 0
  local height = head
  repeat
    fit = fit + pools_below(g, top + height)
    local last <const> = is_last_column(x)
    x, height = x + w + 3 * MARGIN, 0
  until last
  local left, at = choose(fit, count), first
  x = 2 * MARGIN
  repeat
    local here <const> = math.min(left, pools_below(g, top + head))
    local high <const> = head + 2 * row + here * POOL_ROWS * row
    local last <const> = here == left or is_last_column(x)
    local has_more <const> = last and shown < count
    plate(g, x - MARGIN, top - MARGIN, w + 2 * MARGIN, high + 2 * MARGIN + (has_more and row or 0))
    if head > 0 then draw_head(g, x, top) end
    draw_pools(g, x, top + head, at, here)
    if has_more then draw_more(g, x, top + high) end
    at, left, head, x = at + here, left - here, 0, x + w + 3 * MARGIN
  until last
end

-- }==

function hud.draw(g)
  area.x, area.y, area.right, area.bottom = 0, 0, 0, 0
  if hud.level == 0 then return false end
  local now <const>, letters <const> = player.now(), block_letters(g)
  if now - read_at >= RENEW then
    fps, p50, p99 = player.speed()
    memory, read_at = player.memory(), now
  end
  if hud.level == 2 then take(now) end
  if hud.level == 2 and letters >= LETTERS then
    draw_full(g)
  elseif letters >= LEAST then
    draw_compact(g)
  end
  return true
end

return hud
