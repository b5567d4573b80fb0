-- The slider at the lower edge for the number of sprites; its scale is logarithmic.
local slider <const> = { held = false, count = 0 }

local LEAST <const>, MOST <const> = 1000, 200000
local SPAN <const> = math.log(MOST / LEAST)
local PACE <const> = 0.35 -- of its length per second, while a key is held
local STEPS <const> = { 1000, 2000, 5000, 10000, 20000, 50000, 100000, 150000, 200000 } -- of the keys 1 to 9
local MARKS <const> = { { 1000, "1k" }, { 10000, "10k" }, { 50000, "50k" }, { 200000, "200k" } }

local part = 0 -- position of the knob, from 0 to 1
local left, top, length = 200, 560, 400
local u = 1 -- the size of everything: 1 in a window of 800x600

local function part_of(count) return math.log(count / LEAST) / SPAN end

---@param count integer
function slider.set(count)
  slider.count = math.max(LEAST, math.min(count, MOST))
  part = part_of(slider.count)
end

-- Rounds to two significant figures: the slider is not more precise than that.
local function set_part(to)
  part = math.max(0, math.min(to, 1))
  local exact <const> = LEAST * math.exp(part * SPAN)
  local unit <const> = 10 ^ (math.floor(math.log(exact, 10) + 1e-9) - 1)
  slider.count = math.min(math.tointeger(math.floor(exact / unit + 0.5) * unit), MOST)
end

---@param width number of the picture
---@param height number
---@param unit number the size of what is written
function slider.place(width, height, unit)
  u = unit
  length = math.min(width * 0.7, 560 * u)
  left, top = (width - length) / 2, height - 44 * u
end

-- Grabs the knob, if x, y is on the slider.
---@return boolean
function slider.grab(x, y)
  slider.held = x > left - 16 * u and x < left + length + 16 * u and math.abs(y - top) < 20 * u
  if slider.held then slider.drag(x) end
  return slider.held
end

function slider.drag(x) set_part((x - left) / length) end

---@param way integer -1, 0 or 1
---@param dt number
function slider.lean(way, dt)
  if way ~= 0 then set_part(part + way * PACE * dt) end
end

---@param number? number of a key
function slider.digit(number)
  if STEPS[number] then slider.set(STEPS[number]) end
end

function slider.draw(g)
  local knob <const> = left + part * length
  g:color(0.05, 0.02, 0.06, 0.62)
  g:rect(left - 26 * u, top - 20 * u, length + 52 * u, 50 * u)
  g:color(1, 0.92, 0.84, 0.28)
  g:line(left, top, left + length, top, 4 * u)
  g:color(1, 0.68, 0.34, 0.95)
  if part > 0 then g:line(left, top, knob, top, 4 * u) end
  for i = 1, #MARKS do
    local x <const> = left + part_of(MARKS[i][1]) * length
    g:color(1, 0.92, 0.84, 0.55)
    g:rect(x - 0.5 * u, top + 5 * u, u, 5 * u)
    g:text(x, top + 11 * u, MARKS[i][2], 12 * u, "center")
  end
  g:color(1, 0.68, 0.34, 0.3)
  g:circle(knob, top, (slider.held and 15 or 12) * u)
  g:color(1, 0.95, 0.88, 1)
  g:circle(knob, top, 7 * u)
end

return slider
