-- Charts as SVG: bars beside each other, and curves on logarithmic axes. The colours are of middle brightness and the
-- ground is left clear, so that they can be read on white and on black.

local charts <const> = {}

local WIDTH <const> = 760
local COLOURS <const> = {
  text = "#7a838d", strong = "#2f9e54", limit = "#8b6fd0", ours = "#2f9e54", peer = "#8d98a5", grid = "#8d98a5",
}
-- Curves of one's own beside each other.
local OWN <const> = { "#2f9e54", "#3c86d8", "#d0782a", "#8b6fd0", "#c2539a", "#7a838d" }

local function escape(text)
  return (text:gsub("[&<>\"]", { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;" }))
end

-- {== Pen ====================================================================

local function pen(height, title)
  local lines <const> = {
    ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img"'):format(WIDTH,
      height, WIDTH, height) .. (' font-family="system-ui, sans-serif" font-size="13" fill="%s">'):format(COLOURS.text),
    ("<title>%s</title>"):format(escape(title)),
  }
  local it <const> = {}

  local function add(format, ...)
    lines[#lines + 1] = format:format(...)
  end

  -- `extra` is more attributes.
  function it.text(x, y, text, extra)
    add('<text x="%.1f" y="%.1f" %s>%s</text>', x, y, extra or "", escape(text))
  end
  function it.bar(x, y, w, h, colour)
    add('<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="2" fill="%s"/>', x, y, w, h, colour)
  end
  function it.line(x1, y1, x2, y2, extra)
    add('<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="%s" %s/>', x1, y1, x2, y2, COLOURS.grid, extra or "")
  end
  function it.curve(points, colour, extra)
    local parts <const> = {}
    for i, point in ipairs(points) do
      parts[i] = ("%.1f,%.1f"):format(point.x, point.y)
      add('<circle cx="%.1f" cy="%.1f" r="3.5" fill="%s"/>', point.x, point.y, colour)
    end
    add('<polyline points="%s" fill="none" stroke="%s" stroke-width="2" %s/>', table.concat(parts, " "), colour,
      extra or "")
  end
  function it.finish()
    lines[#lines + 1] = "</svg>\n"
    return table.concat(lines, "\n")
  end

  it.text(0, 16, title, 'font-weight="600"')
  return it
end

local function weight_of(kind)
  return kind == "ours" and ('font-weight="600" fill="%s"'):format(COLOURS.strong) or ""
end

-- }==

-- {== Bars ===================================================================

local BAR <const>, STEP <const>, TOP <const>, LABELS <const>, NUMBERS <const> = 16, 25, 34, 250, 110

-- `rows` have label, kind ("ours", "peer", "limit"), and the figure: value, min, max. They are put in order, limits
-- first; `unit` follows each value.
function charts.bars(title, unit, rows, short)
  table.sort(rows, function(a, b)
    if (a.kind == "limit") ~= (b.kind == "limit") then return a.kind == "limit" end
    return a.figure.value < b.figure.value
  end)
  local it <const> = pen(TOP + #rows * STEP + 4, title)
  local most = 0
  for _, row in ipairs(rows) do most = math.max(most, row.figure.max) end
  local scale <const> = (WIDTH - LABELS - NUMBERS) / most
  for i, row in ipairs(rows) do
    local y <const>, figure <const> = TOP + (i - 1) * STEP, row.figure
    local middle <const> = y + BAR / 2
    local right <const> = LABELS + figure.max * scale
    it.text(LABELS - 10, middle + 4.5, row.label, 'text-anchor="end" ' .. weight_of(row.kind))
    it.bar(LABELS, y, math.max(figure.value * scale, 1), BAR, COLOURS[row.kind])
    if figure.max > figure.min then
      it.line(LABELS + figure.min * scale, middle, right, middle, 'stroke-width="1.5"')
    end
    it.text(math.max(right, LABELS + figure.value * scale) + 8, middle + 4.5, short(figure.value) .. " " .. unit,
      weight_of(row.kind))
  end
  return it.finish()
end

-- }==

-- {== Curves =================================================================

local LEFT <const>, RIGHT <const>, HEAD <const>, DEPTH <const>, FOOT <const> = 60, 240, 40, 250, 34

local function decades(series)
  local low, high = math.huge, 0
  for _, row in ipairs(series) do
    for _, figure in pairs(row.figures) do
      low, high = math.min(low, figure.value), math.max(high, figure.value)
    end
  end
  return math.floor(math.log(low, 10)), math.ceil(math.log(high, 10))
end

local function power(exponent)
  if exponent < 0 then return ("%." .. -exponent .. "f"):format(10 ^ exponent) end
  local thousands <const> = math.min(exponent // 3, 2)
  return ("%d%s"):format(math.tointeger(10 ^ (exponent - 3 * thousands)), ("kM"):sub(thousands, thousands))
end

-- Labels at the ends of the curves, from the top down, at least a line apart.
local function label_ends(it, ends, x)
  table.sort(ends, function(a, b) return a.y < b.y end)
  local last = -math.huge
  for _, entry in ipairs(ends) do
    local y <const> = math.max(entry.y, last + 16)
    it.text(x, y + 4.5, entry.label, ('fill="%s" %s'):format(entry.colour, entry.ours and 'font-weight="600"' or ""))
    last = y
  end
end

-- `series` have label, kind, and figures by column; `columns` are names of sizes, each ten times the one before. Both
-- axes are logarithmic. Without peers the curves have colours of their own.
function charts.curves(title, unit, columns, series)
  local low <const>, high <const> = decades(series)
  local it <const> = pen(HEAD + DEPTH + FOOT, title)
  local right <const>, bottom <const> = WIDTH - RIGHT, HEAD + DEPTH
  local function y_of(value) return bottom - (math.log(value, 10) - low) / (high - low) * DEPTH end
  local function x_of(i) return LEFT + 20 + (i - 1) / (#columns - 1) * (right - LEFT - 40) end

  for exponent = low, high do
    local y <const> = y_of(10 ^ exponent)
    it.line(LEFT, y, right, y, 'stroke-width="0.5" stroke-opacity="0.6"')
    it.text(LEFT - 8, y + 4.5, power(exponent) .. " " .. unit, 'text-anchor="end"')
  end
  for i, column in ipairs(columns) do it.text(x_of(i), bottom + 22, column, 'text-anchor="middle"') end

  local mixed = false
  for _, row in ipairs(series) do mixed = mixed or row.kind ~= "ours" end
  local ends <const> = {}
  for k, row in ipairs(series) do
    local colour <const> = mixed and COLOURS[row.kind] or OWN[k]
    local points <const> = {}
    for i, column in ipairs(columns) do
      local figure <const> = row.figures[column]
      if figure then points[#points + 1] = { x = x_of(i), y = y_of(figure.value) } end
    end
    it.curve(points, colour, row.kind == "limit" and 'stroke-dasharray="5 4"' or "")
    ends[#ends + 1] = { y = points[#points].y, label = row.label, colour = colour, ours = mixed and row.kind == "ours" }
  end
  label_ends(it, ends, right + 8)
  return it.finish()
end

-- }==

return charts
