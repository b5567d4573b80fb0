-- The HUD: frame rate and times, the last reload, then a row for each pool: type, live, idle, peak, limit, and a bar.
-- Its second level adds curves over the last five seconds, events per second, the time in functions of the class, and
-- how often its file was loaded. Numbers stand in columns of fixed width, so that text does not move while they change.
local panel <const> = require "panel"
local player <const> = require("spawnpool").player

local MARGIN <const> = panel.MARGIN
local LEAST <const> = 16 -- letters: in a narrower window the HUD is not shown
local HEAD_LETTERS <const> = 48
local FRAME_MS <const> = 16.67 -- of a frame at 60 per second; with more work frames are late
local RENEW <const> = 0.5 -- seconds between two updates of the numbers
local POINTS <const>, STEP <const> = 100, 0.05 -- of a curve: five seconds in all
local FRAMES <const> = 300
local CURVE_ROWS <const> = 2.6

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

-- Returns the smallest of 1, 2, 5, 10, 20, 50 ... that is not below a value, so that scales rarely change.
local function round_up(value)
  local decade = 1
  if value <= 1 or value == math.huge then return math.max(value, 1) end
  while decade * 10 < value do decade = decade * 10 end
  for step = 1, 5 do
    if step ~= 3 and step ~= 4 and value <= decade * step then return decade * step end
  end
  return decade * 10
end

local function greatest(values)
  local most = 0
  for _, value in ipairs(values) do most = math.max(most, value) end
  return most
end

local NEW <const> = { points = {}, top = 1, alloc_rate = 0, recycle_rate = 0, us = 0, refused = 0, evicted = 0,
  version = 0 }

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
    it = setmetatable({ points = {} }, { __index = NEW })
    history[id] = it
  end
  it.seen = now
  if point_due then
    add_point(it.points, live)
    it.top = round_up(greatest(it.points))
  end
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
  if not point_due and not rates_due then return end
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

-- Chooses the pools that are shown, where `rows` fit; one row is for the line below them, if not all fit.
local function choose(rows, count)
  shown, all = math.max(count <= rows and count or rows - 1, 0), count
  first = math.min(first, all - shown + 1)
end

-- }==

-- {== Columns ==================================================================

local texts, kept = {}, 0 -- of numbers, which are drawn in many frames

local function text_of(number)
  local text = texts[number]
  if not text then
    if kept == 1000 then texts, kept = {}, 0 end
    text, kept = ("%d"):format(number), kept + 1
    texts[number] = text
  end
  return text
end

local pool <const> = {} -- the one whose row is drawn

local function read_pool(i)
  pool.type, pool.live, pool.idle, pool.total, pool.peak, pool.limit, pool.id = player.pool(i)
  pool.is_full = pool.limit and pool.live >= pool.limit
  pool.history = history[pool.id] or NEW
end

local function draw_type(g, x, y, w) panel.text_cut(g, x, y, w - panel.letter, panel.WHITE, pool.type) end

-- Returns a function that draws a number at the right of its column. `read` returns the number, and its text and colour
-- if they are others. `is_event`: zeros are left out, so that it is seen where something happens.
local function number(read, is_event)
  return function(g, x, y, w)
    local value <const>, text <const>, color <const> = read()
    if value == 0 and is_event then return end
    panel.text_right(g, x + w, y, value > 0 and (color or panel.GREY) or panel.DARK, text or text_of(value))
  end
end

local function rounded(value) return (value + 0.5) // 1 | 0 end

local function live() return pool.live, nil, pool.is_full and panel.YELLOW or panel.WHITE end
local function limit() return pool.limit or 1, not pool.limit and "-" or nil end
local function allocs() return rounded(pool.history.alloc_rate) end
local function recycles() return rounded(pool.history.recycle_rate) end
local function refused() return pool.history.refused, nil, panel.YELLOW end
local function evicted() return pool.history.evicted, nil, panel.YELLOW end

local function hooks()
  local us <const> = pool.history.us
  return us, (us < 10 and "%.1fus" or "%.0fus"):format(us), us >= 1000 and panel.YELLOW or panel.WHITE
end

local function version()
  local count <const> = pool.history.version
  return count, count > 0 and "v" .. text_of(count) or "-"
end

local function draw_curve(g, x, y, w, h, values, most, top, color)
  panel.fill(g, x, y, w, h, WHITE, 14)
  panel.color(g, color)
  player.curve(x, y, w, h, values, most, top)
end

local function draw_live_curve(g, x, y, w)
  local it <const> = pool.history
  draw_curve(g, x + panel.letter, y + 1, w - panel.letter, panel.row - 4, it.points, POINTS, it.top, LIVE_COLOR)
end

-- Live and idle objects relative to the limit, with a mark at the peak.
local function draw_bar(g, x, y, w)
  local top <const> = pool.limit and pool.limit >= pool.total and pool.limit or math.max(pool.peak, pool.total)
  local unit <const>, h <const> = top > 0 and (w - panel.letter) / top or 0, (panel.row * 0.45 + 0.5) // 1
  x, y, w = x + panel.letter, (y + panel.row * 0.25 + 0.5) // 1, w - panel.letter
  panel.fill(g, x, y, w, h, WHITE, 22)
  panel.fill(g, x + pool.live * unit, y, pool.idle * unit, h, IDLE_COLOR)
  panel.fill(g, x, y, pool.live * unit, h, pool.is_full and panel.YELLOW or LIVE_COLOR)
  if pool.peak > 0 then panel.fill(g, x + math.min(pool.peak * unit, w) - 1, y - 1, 1, h + 2, panel.WHITE) end
end

-- In their order from the left: title, letters, function that draws it, level from which on it is shown. In a narrow
-- window those of a high rank are left out.
local COLUMNS <const> = {
  { title = "type", letters = 14, draw = draw_type, level = 1, rank = 1 },
  { title = "live", letters = 6, draw = number(live), level = 1, rank = 2 },
  { title = "idle", letters = 6, draw = number(function() return pool.idle end), level = 1, rank = 10 },
  { title = "peak", letters = 6, draw = number(function() return pool.peak end), level = 1, rank = 9 },
  { title = "limit", letters = 6, draw = number(limit), level = 1, rank = 3 },
  { title = "alloc/s", letters = 8, draw = number(allocs, true), level = 2, rank = 5 },
  { title = "recyc/s", letters = 8, draw = number(recycles, true), level = 2, rank = 6 },
  { title = "refused", letters = 8, draw = number(refused, true), level = 2, rank = 8 },
  { title = "evicted", letters = 8, draw = number(evicted, true), level = 2, rank = 11 },
  { title = "hooks", letters = 7, draw = number(hooks, true), level = 2, rank = 4 },
  { title = "ver", letters = 4, draw = number(version), level = 2, rank = 7 },
  { title = "5 s", letters = 12, draw = draw_live_curve, level = 2, rank = 12 },
  { title = "", letters = 17, draw = draw_bar, level = 1, rank = 13 },
}
local BY_RANK <const> = table.move(COLUMNS, 1, #COLUMNS, 1, {})
table.sort(BY_RANK, function(a, b) return a.rank < b.rank end)

local layout <const> = {} -- which columns are shown, for a level and a number of letters

-- Chooses the columns that fit; returns how many letters they take.
local function choose_columns(letters)
  if layout.level == hud.level and layout.room == letters then return layout.used end
  layout.level, layout.room, layout.used = hud.level, letters, 0
  for _, column in ipairs(BY_RANK) do
    local is_fit <const> = column.level <= hud.level and layout.used + column.letters <= letters
    layout[column] = is_fit
    if is_fit then layout.used = layout.used + column.letters end
  end
  return layout.used
end

local function draw_titles(g, x, y)
  for _, column in ipairs(COLUMNS) do
    if layout[column] then
      local w <const> = panel.letter * column.letters
      if column.draw == draw_type then panel.text(g, x, y, panel.GREY, column.title)
      else panel.text_right(g, x + w, y, panel.GREY, column.title) end
      x = x + w
    end
  end
end

local function draw_pool(g, x, y, i)
  read_pool(i)
  for _, column in ipairs(COLUMNS) do
    if layout[column] then
      local w <const> = panel.letter * column.letters
      column.draw(g, x, y, w)
      x = x + w
    end
  end
end

-- }==

-- {== The head =================================================================

local OUTCOMES <const> = { reloaded = "ok", refused = "refused", reverted = "taken back" }
local OUTCOME_COLORS <const> = { reloaded = panel.GREEN, refused = panel.RED, reverted = panel.YELLOW }

-- Draws the result of the last reload, if there was one, and its line; returns the y below it.
local function draw_reload(g, x, y, w)
  local done <const>, last <const>, line <const> = player.reloads()
  if not last then return y end
  local result <const> = ("%d reload%s, last %s"):format(done, done == 1 and "" or "s", OUTCOMES[last])
  panel.text_cut(g, x, y, w, OUTCOME_COLORS[last], result)
  if hud.level == 1 then return y + panel.row end
  panel.text_cut(g, x, y + panel.row, w, panel.GREY, line)
  return y + 2 * panel.row
end

-- Draws frames per second, frame times, and Lua's memory, as far as they fit.
local function draw_speed(g, x, y, w)
  local right <const> = x + w + 1
  for _, part in ipairs {
    { ("%3.0f fps"):format(fps), panel.GREEN },
    { ("work p50 %.2f  p99 %.2f ms"):format(p50, p99), p99 > FRAME_MS and panel.YELLOW or panel.WHITE },
    { ("Lua %.2f MiB"):format(memory / 1048576), panel.WHITE },
  } do
    local wide <const> = panel.letter * #part[1]
    if x + wide > right then break end
    panel.text(g, x, y, part[2], part[1])
    x = x + wide + 2 * panel.letter
  end
  return y + panel.row
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

-- Draws the curves of frame times and memory side by side; returns the y below them.
local function draw_curves(g, x, y, w)
  local half <const>, h <const> = (w - MARGIN) / 2 // 1, panel.row * CURVE_ROWS // 1
  y = (y + panel.row * 0.3) // 1
  draw_frames(g, x, y, half, h)
  draw_heap(g, x + w - half, y, half, h)
  return y + h + panel.row * 0.4 // 1
end

-- }==

-- Returns the height of all above the pools.
local function head_height(has_curves)
  local _, last <const> = player.reloads()
  local curves <const> = has_curves and panel.row * 0.3 + panel.row * CURVE_ROWS // 1 + panel.row * 0.4 // 1 or 0
  return panel.row * (2 + (last and hud.level or 0)) + curves
end

local function draw_more(g, x, y, w)
  local line <const> = shown == 0 and ("%d pool%s"):format(all, all == 1 and "" or "s")
    or ("%d to %d of %d pools: wheel, Shift+F2"):format(first, first + shown - 1, all)
  panel.text_cut(g, x, y, w, panel.GREY, line)
end

local function draw_all(g, letters)
  local has_curves <const> = hud.level == 2 and letters >= HEAD_LETTERS
  local row <const>, x <const>, top <const>, head <const> = panel.row, 2 * MARGIN, 2 * MARGIN, head_height(has_curves)
  local w <const> = math.max(choose_columns(letters), math.min(letters, HEAD_LETTERS)) * panel.letter
  choose((g.height - 2 * top - head) // row | 0, player.pools())
  local h <const> = head + row * (shown + (shown < all and 1 or 0))
  area.x, area.y, area.right, area.bottom = MARGIN, MARGIN, w + 3 * MARGIN, h + 3 * MARGIN
  panel.plate(g, MARGIN, MARGIN, w + 2 * MARGIN, h + 2 * MARGIN)
  local y = draw_speed(g, x, draw_reload(g, x, top, w), w)
  if has_curves then y = draw_curves(g, x, y, w) end
  draw_titles(g, x, y)
  for i = 0, shown - 1 do draw_pool(g, x, y + row * (i + 1), first + i) end
  if shown < all then draw_more(g, x, y + row * (shown + 1), w) end
end

-- Returns where the HUD ends at this x; 0 where it does not reach.
function hud.bottom_at(x) return hud.level > 0 and x < area.right and area.bottom or 0 end

function hud.draw(g)
  if hud.level == 0 then return false end
  local now <const>, letters <const> = player.now(), ((g.width - 4 * MARGIN) / panel.letter + 0.01) // 1 | 0
  if now - read_at >= RENEW then
    fps, p50, p99 = player.speed()
    memory, read_at = player.memory(), now
  end
  if hud.level == 2 then take(now) end
  area.right = 0
  if letters >= LEAST then draw_all(g, letters) end
  return true
end

return hud
