-- The timeline: a strip at the bottom of the window with small pictures of the last minutes, and marks at input,
-- reloads and errors. A frame is chosen with the mouse or the keys; Enter continues from it. A stretch can be marked,
-- which is played in a loop.
local panel <const> = require "panel"
local past <const> = require("spawnpool").timeline

local timeline <const> = {}

local SECOND <const> = 60 -- frames that an arrow key moves; one with Shift, ten seconds with Ctrl
local MARGIN <const>, GAP <const> = panel.MARGIN, panel.MARGIN / 2
local STRIP <const>, MARKS <const> = 36, 8 -- heights: of the pictures, and of the marks below them
local COLORS <const> = { input = { 150, 160, 190 }, reload = panel.GREEN, error = panel.RED }
local HELP <const> = "arrows, mouse   Enter: continue here   Space: play   [ ] loop   Esc: close"

local left, top, width = 0, 0, 0 -- the strip, as drawn last
local is_held = false            -- the mouse moves the chosen frame
local marks, opened = {}, 0      -- { frame, kind, frame, kind, ... }, and of which opening

function timeline.is_shown() return past.at() ~= nil end

-- {== Events: each returns whether it was used ====================================

local function choose(frame)
  past.choose(frame)
  return true
end

local function choose_at(x)
  local _, first <const>, last <const> = past.at()
  return width > 0 and choose(first + ((x - left) / width * (last - first + 1)) // 1)
end

-- Marks an end of the stretch at the chosen frame. If that end is already there, both are removed; if they are out of
-- order, the other one.
local function mark(is_end)
  local at <const> = past.at()
  local from, to = past.stretch()
  if (is_end and to or from) == at then
    from, to = nil, nil
  elseif is_end then
    from, to = from and from < at and from or nil, at
  else
    from, to = at, to and to > at and to or nil
  end
  past.mark(from, to)
  return true
end

local keys <const> = {
  left = function(at, by) return choose(at - by) end,
  right = function(at, by) return choose(at + by) end,
  home = function() return choose(0) end,
  ["end"] = function(_, _, last) return choose(last) end,
}

local once <const> = { -- not when the key repeats
  space = function() past.play(not past.pace()) end,
  ["["] = function() mark(false) end,
  ["]"] = function() mark(true) end,
}

local function leave(go_on)
  is_held = false
  past.leave(go_on)
  return true
end

function timeline.key_pressed(key, ctrl, shift, repeats)
  local at <const>, _, last <const> = past.at()
  if not at then return false end
  if keys[key] then return keys[key](at, shift and 1 or ctrl and 10 * SECOND or SECOND, last) end
  if key == "return" or key == "keypad enter" then return leave(true) end
  if key == "escape" then return leave(false) end
  if key == "backspace" then past.run_back(true) end
  if once[key] and not repeats then once[key]() end
  return key == "backspace" or once[key] ~= nil
end

function timeline.key_released(key)
  local _, backs <const> = past.pace()
  if key ~= "backspace" or not backs then return false end
  past.run_back(false)
  return true
end

function timeline.mouse_pressed(x, y, button)
  local is_on <const> = x >= left and x < left + width and y >= top and y < top + STRIP + MARKS
  is_held = past.at() ~= nil and button == 1 and is_on
  return is_held and choose_at(x)
end

function timeline.mouse_moved(x) return is_held and choose_at(x) end

function timeline.mouse_released()
  local was <const> = is_held
  is_held = false
  return was
end

-- }==

-- {== Drawing ====================================================================

-- In a narrow window there is no room for the list of keys, which F1 shows, too.
local function is_narrow(g) return g.width < 560 end

-- Returns the height that it takes at the bottom of the window.
function timeline.height(g)
  if not past.at() then return 0 end
  local _, note <const> = past.progress()
  local foot <const> = (note or not is_narrow(g)) and panel.row + MARGIN or 0
  return GAP + panel.row + GAP + STRIP + MARKS + GAP + foot + MARGIN
end

local function draw_head(g, y, at, last)
  local plays <const>, backs <const>, step <const> = past.pace()
  local frame <const> = is_narrow(g) and "" or (", frame %d"):format(at)
  local how <const> = backs and ", backwards" or plays and ", playing" or ""
  panel.text_cut(g, left, y, width, panel.WHITE, ("%.1f s before now%s%s"):format((last - at) * step, frame, how))
end

local function draw_stretch(g, place)
  local from <const>, to <const> = past.stretch()
  if not from and not to then return end
  local x <const>, x_end <const> = place(from or to), place(to or from)
  panel.fill(g, x, top, x_end - x, STRIP, panel.YELLOW, 70)
  for _, at in ipairs { x, x_end - 5 } do
    panel.fill(g, at == x and x - 1 or x_end - 1, top - 3, 2, STRIP + 6, panel.YELLOW)
    panel.fill(g, at, top - 3, 5, 2, panel.YELLOW)
    panel.fill(g, at, top + STRIP + 1, 5, 2, panel.YELLOW)
  end
end

local function draw_strip(g, at, first, last)
  local function place(frame) return left + width * math.max(frame - first, 0) / math.max(last - first, 1) end
  local progress <const> = past.progress()
  panel.fill(g, left, top, width, STRIP, { 255, 255, 255 }, 18)
  past.strip(left, top, width, STRIP)
  for i = 1, #marks, 2 do
    local kind <const> = marks[i + 1]
    local is_input <const> = kind == "input"
    panel.fill(g, place(marks[i]), top + STRIP + 2, is_input and 1 or 2, MARKS, COLORS[kind], is_input and 160 or 255)
  end
  draw_stretch(g, place)
  panel.fill(g, place(at) - 1, top - 2, 2, STRIP + MARKS + 6, panel.WHITE)
  if progress then panel.fill(g, left, top + STRIP - 2, width * progress, 2, panel.GREEN) end
end

function timeline.draw(g)
  local at <const>, first <const>, last <const>, opening <const> = past.at()
  if not at then return false end
  if opening ~= opened then marks, opened = past.marks(), opening end
  local _, note <const> = past.progress()
  local height <const> = timeline.height(g)
  local y <const> = g.height - height
  left, width, top = 2 * MARGIN, g.width - 4 * MARGIN, y + GAP + panel.row + GAP
  panel.plate(g, MARGIN, y, width + 2 * MARGIN, height - MARGIN)
  draw_head(g, y + GAP, at, last)
  draw_strip(g, at, first, last)
  if note or not is_narrow(g) then
    panel.text_cut(g, left, top + STRIP + MARKS + GAP, width, note and panel.YELLOW or panel.GREY, note or HELP)
  end
  return true
end

-- }==

return timeline
