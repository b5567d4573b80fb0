-- The same work in slow motion: each looks at one cell per step. The search looks at every taken cell on its way to a
-- free one; the others know the position. Every look leaves a light, an object that fades by itself.
local spawnpool <const> = require "spawnpool"
local bars <const> = require "bars"

local pools <const> = spawnpool.pools
local lanes <const> = {}

local CELLS <const> = 32
local LOOKS <const> = 1 -- per step
local NAMES <const> = { "search", "queue", "spawnpool" }
local STEP <const> = 42

local width, height, left, right = 800, 600, 104, 96

---@class Lane
---@field name string
---@field taken boolean[] per cell
---@field out integer[] the cells taken, in order
-- the next cell to look at
-- whether all are being returned
---@field rounds integer

---@param name string
---@return Lane
local function new_lane(name)
  return { name = name, taken = {}, out = {}, at = 1, giving = false, rounds = 0 }
end

local all <const> = {}
for i, name in ipairs(NAMES) do all[i] = new_lane(name) end

local function cell_x(i) return left + (i - 0.5) * (width - left - right) / CELLS end

local function lane_y(i) return height - 30 - (#all - i) * STEP end

local function light(lane, number, cell)
  local color <const> = bars.COLORS[lane.name]
  pools:alloc("Look", 0.5, { x = cell_x(cell), y = lane_y(number), r = color[1], g = color[2], b = color[3] })
end

-- Returns the last one taken.
local function give(lane)
  local cell <const> = table.remove(lane.out)
  lane.taken[cell] = nil
  if #lane.out == 0 then
    lane.giving, lane.rounds, lane.at = false, lane.rounds + 1, 1
    spawnpool.audio.play("round", { volume = 0.5 })
  end
  return cell
end

-- Looks at one cell, and takes it if it is free. Only the search starts at the first cell again.
local function look(lane)
  local cell <const> = lane.at
  lane.at = cell % CELLS + 1
  if not lane.taken[cell] then
    lane.taken[cell] = true
    table.insert(lane.out, cell)
    lane.giving = #lane.out == CELLS
    if lane.name == "search" then lane.at = 1 end
  end
  return cell
end

function lanes.step()
  for number, lane in ipairs(all) do
    for _ = 1, LOOKS do light(lane, number, lane.giving and give(lane) or look(lane)) end
  end
end

local function draw_lane(g, number, lane)
  local color <const>, y <const> = bars.COLORS[lane.name], lane_y(number)
  local side <const> = math.min((width - left - right) / CELLS - 4, 20)
  g:color(color[1], color[2], color[3], 1)
  local name <const>, rounds <const> = bars.readable(g, 14), bars.readable(g, 13)
  g:text(18, y - 10 - (name - 14) * 0.58, lane.name, name)
  for cell = 1, CELLS do
    local taken <const> = lane.taken[cell]
    g:color(color[1], color[2], color[3], taken and 0.55 or 0.3)
    g:rect(cell_x(cell) - side / 2, y - side / 2, side, side, taken and "fill" or "line")
  end
  g:color(0.92, 0.95, 1, 0.95)
  local done <const> = ("%d round%s"):format(lane.rounds, lane.rounds == 1 and "" or "s")
  g:text(width - right + 12, y - 10 - (rounds - 13) * 0.58, done, rounds)
end

function lanes.draw(g)
  width, height, left = g.width, g.height, bars.left(g)
  right = bars.readable(g, 13) * 96 / 13
  g:color(0.66, 0.72, 0.95, 0.9)
  local size <const> = bars.readable(g, 12)
  g:text(18, lane_y(1) - 28 - size, "one look at a time", size)
  for number, lane in ipairs(all) do draw_lane(g, number, lane) end
end

return lanes
