-- The cost: live objects, allocs per second, and the milliseconds of a frame. Updated twice a second, because numbers
-- that change with every frame are unreadable.
local spawnpool <const> = require "spawnpool"
local stage <const> = require "stage"
local weather <const> = require "weather"

local pools <const> = spawnpool.pools
local panel <const> = {}

local RENEW <const> = 0.5 -- seconds of game time
local ROW <const> = 19

local rows <const> = { { "live" }, { "allocs per second" }, { "update" }, { "draw" }, { "per sprite" } }

local since, allocs, frames, update_ms, draw_ms = 0, 0, 0, 0, 0

-- 12345 as "12 345".
---@param number integer
local function spaced(number)
  local text = tostring(number):reverse():gsub("(%d%d%d)", "%1 "):reverse()
  if text:sub(1, 1) == " " then text = text:sub(2) end
  return text
end

local function renew(seconds)
  local live <const>, now <const> = weather.live(), weather.allocs()
  local update <const>, draw <const> = update_ms / frames, draw_ms / frames
  rows[1][2] = spaced(live)
  rows[2][2] = spaced(math.floor((now - allocs) / seconds + 0.5))
  rows[3][2] = ("%.2f ms"):format(update)
  rows[4][2] = ("%.2f ms"):format(draw)
  rows[5][2] = ("%.0f ns"):format((update + draw) * 1e6 / math.max(live, 1))
  since, allocs, frames, update_ms, draw_ms = pools.time, now, 0, 0, 0
end

function panel.draw(g)
  frames, update_ms, draw_ms = frames + 1, update_ms + g.update_ms, draw_ms + g.draw_ms
  local seconds <const> = pools.time - since
  if seconds >= RENEW or not rows[1][2] and seconds > 0 then renew(seconds) end
  local u <const> = stage.unit
  g:color(0.05, 0.02, 0.06, 0.62)
  g:rect(14 * u, 14 * u, 306 * u, (ROW * #rows + 40) * u)
  for i = 1, #rows do
    local y <const> = (20 + (i - 1) * ROW) * u
    g:color(1, 0.86, 0.74, 0.75)
    g:text(26 * u, y, rows[i][1], 14 * u)
    g:color(1, 0.97, 0.92, 1)
    g:text(190 * u, y, rows[i][2] or "", 14 * u)
  end
  g:color(1, 0.9, 0.8, 0.7)
  g:text(26 * u, (26 + ROW * #rows) * u, "Click: a blast   Hold: stir   Space: a squall", 13 * u)
end

return panel
