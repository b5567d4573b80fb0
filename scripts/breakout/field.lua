-- scripts/breakout/field.lua
-- The field and its bricks: a table of cells says which brick is where, so that a ball finds the one before it at once.
local spawnpool <const> = require "spawnpool"
local effects <const> = require "effects"
local session <const> = require "session"

local pools <const> = spawnpool.pools

local field <const> = { WIDTH = 960, HEIGHT = 600, TOP = 44 } -- TOP: the upper wall, below the score

local COLUMNS <const> = 44
local ROWS <const> = 24
local CELL_W <const>, CELL_H <const> = 21, 12 -- points
local LEFT <const> = (field.WIDTH - COLUMNS * CELL_W) / 2
local UPPER <const> = field.TOP + 46
local NOTES <const> = 8
local FEW <const> = 40 -- bricks: the last of a level
local STUCK <const> = 2.5 -- seconds without a hit until these fall by themselves
local PRIZE_EACH <const> = 14 -- bricks, more or less
local FIRST_PRIZE <const> = 4
local BOMBS <const> = 0.035 -- share of the bricks
local FUSE <const> = 5 -- frames from a bomb to the bricks around it

local COLORS <const> = {
  { 1, 0.36, 0.40 }, { 1, 0.60, 0.28 }, { 1, 0.86, 0.38 }, { 0.46, 0.90, 0.46 }, { 0.30, 0.82, 0.95 },
  { 0.48, 0.56, 1 }, { 0.80, 0.50, 1 },
}

local cells <const> = {} -- row * COLUMNS + column -> brick
local fuses <const> = {} -- keys of bricks that a bomb will break, and in how many frames: key, frames, ...
local left, since_hit = 0, 0
local until_prize = FIRST_PRIZE -- bricks

-- {== Building ==============================================================

local function add(column, row, color)
  local brick <const> = pools:alloc("Brick", 0, LEFT + (column - 0.5) * CELL_W, UPPER + (row - 0.5) * CELL_H)
  brick.r, brick.g, brick.b = COLORS[color][1], COLORS[color][2], COLORS[color][3]
  if math.random() < BOMBS then brick.sprite, brick.r, brick.g, brick.b = "bomb", 1, 1, 1 end
  brick.row = row
  cells[row * COLUMNS + column] = brick
  left = left + 1
end

-- Column by column, a frame each.
---@param level fun(column: integer, row: integer, columns: integer): integer?
function field.build(level)
  pools:recycle_all "Brick"
  for key in pairs(cells) do cells[key] = nil end
  for i = #fuses, 1, -1 do fuses[i] = nil end
  left, since_hit, until_prize = 0, 0, FIRST_PRIZE
  for column = 1, COLUMNS do
    for row = 1, ROWS do
      local color <const> = level(column, row, COLUMNS)
      if color then add(column, row, (color - 1) % #COLORS + 1) end
    end
  end
end

---@return boolean
function field.is_clear() return left == 0 end

-- }==

-- {== Hits ==================================================================

-- Returns the key of the brick at a position, or nil.
---@return integer?
function field.at(x, y)
  local column <const>, row <const> = (x - LEFT) // CELL_W + 1, (y - UPPER) // CELL_H + 1
  if column < 1 or column > COLUMNS or row < 1 or row > ROWS then return nil end
  local key <const> = math.tointeger(row * COLUMNS + column)
  return cells[key] and key
end

-- The bricks around a bomb break a moment later; bombs among them do the same.
local function explode(key, x, y)
  effects.blast(x, y)
  for row = -1, 1 do
    for column = -2, 2 do
      fuses[#fuses + 1] = key + row * COLUMNS + column
      fuses[#fuses + 1] = FUSE
    end
  end
end

-- Breaks a brick, unless that has just happened.
---@param key integer?
function field.strike(key)
  local brick <const> = key and cells[key]
  if not brick then return end
  local x <const>, y <const>, r <const>, g <const>, b <const> = brick.x, brick.y, brick.r, brick.g, brick.b
  cells[key] = nil
  left, since_hit = left - 1, 0
  session.add_brick()
  if brick.sprite == "bomb" then explode(key, x, y) end
  effects.note(NOTES - (brick.row - 1) * NOTES // ROWS, x / field.WIDTH * 2 - 1)
  effects.shatter(x, y, r, g, b)
  brick:recycle()
  until_prize = until_prize - 1
  if until_prize <= 0 then
    until_prize = math.random(PRIZE_EACH // 2, PRIZE_EACH * 3 // 2)
    pools:alloc("Prize", 0, x, y)
  end
  if left == 0 then spawnpool.audio.play "level" end
end

local function burn_fuses()
  local kept = 0
  for i = 1, #fuses, 2 do
    local key <const>, frames <const> = fuses[i], fuses[i + 1] - 1
    if frames <= 0 then
      field.strike(key)
    else
      fuses[kept + 1], fuses[kept + 2] = key, frames
      kept = kept + 2
    end
  end
  for i = #fuses, kept + 1, -1 do fuses[i] = nil end
end

-- The last bricks may be where no ball comes: they fall then.
---@param dt number
function field.update(dt)
  if #fuses > 0 then burn_fuses() end
  since_hit = since_hit + dt
  if since_hit < STUCK or left == 0 or left > FEW then return end
  since_hit = STUCK - 0.1
  field.strike((next(cells)))
end

-- }==

-- Walls, and a ground of fine lines.
function field.draw(g)
  local w <const>, h <const>, top <const> = field.WIDTH, field.HEIGHT, field.TOP
  for i = 0, 15 do
    local low <const> = i / 15
    g:color(0.035 + 0.02 * low, 0.03 + 0.012 * low, 0.08 + 0.055 * low)
    g:rect(0, h * i / 16, w, h / 16 + 1)
  end
  g:color(0.5, 0.55, 1, 0.045)
  for x = LEFT % 29, w, 29 do g:rect(x, top, 1, h) end
  for y = top + 14, h, 29 do g:rect(0, y, w, 1) end
  g:color(0.03, 0.025, 0.06)
  g:rect(0, 0, w, top)
  g:color(0.45, 0.5, 1, 0.35)
  g:rect(0, top - 2, w, 2)
end

return field
