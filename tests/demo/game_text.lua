-- Plays the game whose main.lua lies beside this one as game.lua, and looks at what it writes: letters of at least 8.5
-- points, within the window, and no two texts over one another, but for a text over its own shadow. Points that rise
-- from a hit ("+100") may be anywhere.
local game <const> = require "game"

local LEAST <const> = 8.5 -- points

local real -- the g of this frame
local alpha = 1
local texts = {} -- of this frame: { text, left, top, right, bottom }

local function describe(t) return ("%q at %.0f, %.0f to %.0f, %.0f"):format(t[1], t[2], t[3], t[4], t[5]) end

local function note(x, y, value, size, align)
  local text <const> = tostring(value)
  if alpha < 0.1 or not text:find "%S" or text:find "^%+" then return end
  size = size or 16
  local w <const>, h <const> = real:measure(text, size)
  local left <const> = align == "right" and x - w or align == "center" and x - w / 2 or x
  local line <const> = size * 0.25 -- above and below the letters
  local t <const> = { text, left, y + line, left + w, y + h - line }
  if size * real.scale < LEAST then error(("%.1f points: %s"):format(size * real.scale, describe(t))) end
  local is_cut <const> = left < 0 or left + w > real.width or t[3] < 0 or t[5] > real.height
  if is_cut then error("not seen: " .. describe(t)) end
  for _, other in ipairs(texts) do
    local is_shadow <const> = t[1] == other[1] and math.abs(t[2] - other[2]) + math.abs(t[3] - other[3]) <= 2.5
    if not is_shadow and t[2] < other[4] and other[2] < t[4] and t[3] < other[5] and other[3] < t[5] then
      error(describe(t) .. " lies over " .. describe(other))
    end
  end
  texts[#texts + 1] = t
end

local proxy <const> = setmetatable({}, {
  __index = function(_, name)
    local value <const> = real[name]
    if type(value) ~= "function" then return value end
    return function(_, ...)
      if name == "text" then note(...) end
      if name == "color" then alpha = select(4, ...) or 1 end
      return value(real, ...)
    end
  end,
})

local draw <const> = game.draw
local is_told = false

function game.draw(g)
  real, alpha, texts = g, 1, {}
  draw(proxy)
  if #texts > 0 and not is_told then
    is_told = true
    print "text is drawn"
  end
end

return game
