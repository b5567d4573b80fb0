-- scripts/garden/title.lua
-- The title: a garden to choose. Its pot is in flower once it was solved.
local spawnpool <const> = require "spawnpool"
local levels <const> = require "levels"
local records <const> = require "records"
local words <const> = require "words"

local input <const>, pools <const> = spawnpool.input, spawnpool.pools
local title <const> = { chosen = 1, idle = 0, is_done = false }

local GAP <const>, ROW <const> = 23, 112

-- Chooses the first garden that is not solved; without one, all is done.
function title.enter()
  title.chosen, title.idle = 1, 0
  while levels[title.chosen + 1] and records.best(title.chosen) do title.chosen = title.chosen + 1 end
  title.is_done = records.best(title.chosen) ~= nil
  pools:recycle_all { class = "Piece" }
end

function title.update(dt)
  title.idle = title.idle + dt
  local by <const> = (input.pressed "right" and 1 or 0) - (input.pressed "left" and 1 or 0)
  if by ~= 0 then title.chosen, title.idle = (title.chosen + by - 1) % #levels + 1, 0 end
end

function title.draw(g)
  g:sprite("title", 160, 48, 0, 11)
  for level = 1, #levels do
    local x <const>, is_chosen <const> = 160 + (level - (#levels + 1) / 2) * GAP, level == title.chosen
    local lift <const> = is_chosen and math.floor(2 + 2 * math.sin(pools.time * 6)) or 0
    g:sprite("bed", x, ROW, 0, 1, 1, is_chosen and 2 or 1)
    g:sprite("pot", x, ROW - lift, 0, 1, 1, records.best(level) and 2 + level % 4 or 1)
  end
  local best <const> = records.best(title.chosen)
  words.board(g, 132, ("%d  %s"):format(title.chosen, levels[title.chosen][1]),
    best and ("Space: play, best %d moves"):format(best) or "Space: play")
  if title.is_done then words.write(g, 160, 84, "All gardens are in bloom!", "center", words.GOLD) end
end

return title
