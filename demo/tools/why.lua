-- The inspector lists what wrote a field, newest first. For that the timeline plays the frames again that led to the
-- chosen one. Enter goes to the frame of a write.
local panel <const> = require "panel"
local past <const> = require("spawnpool").timeline

local why <const> = {}

local name, writes -- of the field; { frame, text, frame, text, ... }, nil while they are searched
local at, first = 1, 1 -- the chosen row, and the first that is drawn

function why.is_shown() return name ~= nil end

-- Asks for a field, "Bullet#12.vx", or for a life, "Bullet#12".
function why.ask(of)
  if past.why(of) then name, writes, at, first = of, nil, 1, 1 end
end

function why.close()
  if name and not writes then past.why(nil) end
  name = nil
end

local function step(by)
  at = math.max(1, math.min(at + by, writes and #writes // 2 or 1))
end

local keys <const> = {
  up = function() step(-1) end,
  down = function() step(1) end,
  escape = why.close,
  ["return"] = function()
    if writes and writes[1] then past.choose(writes[2 * at - 1]) end
  end,
}

-- Returns whether the key was used.
function why.key_pressed(key)
  if not name or not keys[key] then return false end
  keys[key]()
  return true
end

-- Draws it from y down to `bottom`.
function why.draw(g, x, y, w, bottom)
  writes = writes or past.writes()
  panel.text_cut(g, x, y, w, panel.WHITE, "Why " .. name .. "?")
  y = y + panel.row
  if not writes then
    panel.fill(g, x, y + 2, w * (past.progress() or 0), 3, panel.GREEN)
    return
  end
  if #writes == 0 then panel.text(g, x, y, panel.GREY, "nothing wrote it in the last minutes") end
  first = math.min(first, at)
  local row = first
  while 2 * row <= #writes do
    local rows <const> = panel.rows(w, ("%d  %s"):format(writes[2 * row - 1], writes[2 * row]), 3)
    if y + panel.row * #rows > bottom then break end
    if row == at then panel.fill(g, x - 3, y, w + 6, panel.row * #rows, { 110, 160, 255 }, 70) end
    y = panel.draw_rows(g, x, y, panel.GREY, rows)
    row = row + 1
  end
  if at >= row and row > first then first = first + 1 end
end

return why
