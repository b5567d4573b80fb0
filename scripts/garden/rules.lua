-- scripts/garden/rules.lua
-- The rules say which cell holds what, and what a step does. All that a step changes is in fields of objects, so that a
-- snapshot of the pools is all that undo needs (history.lua).
local spawnpool <const> = require "spawnpool"
local effects <const> = require "effects"
local history <const> = require "history"

local pools <const> = spawnpool.pools
local rules <const> = { COLUMNS = 20, ROWS = 12, gardener = nil } -- of the view, which cuts the last row

local MIDDLE <const> = 6 -- row
local pots <const>, gardeners <const> = pools:pool "Pot", pools:pool "Gardener"
local cells = {} -- row * COLUMNS + column -> "#" a hedge, "." paved, "x" a bed; none: lawn

local function key_of(column, row) return row * rules.COLUMNS + column end

function rules.cell(column, row) return cells[key_of(column, row)] end

-- Paves the cells that the gardener could reach if there were no pots.
local function pave(column, row)
  local key <const> = key_of(column, row)
  if cells[key] and cells[key] ~= "bed" then return end
  cells[key] = cells[key] == "bed" and "x" or "."
  pave(column + 1, row)
  pave(column - 1, row)
  pave(column, row + 1)
  pave(column, row - 1)
end

local function put(mark, column, row)
  local key <const> = key_of(column, row)
  if mark == "#" then cells[key] = "#" end
  if mark == "x" or mark == "*" then cells[key] = "bed" end
  if mark == "o" or mark == "*" then pots:alloc(0, column, row) end
  if mark == "@" then rules.gardener = gardeners:alloc(0, column, row) end
end

local function settle(pot) pots:settle(pot, rules.cell(pot.column, pot.row) == "x") end

-- Sets a garden up in the middle of the view.
---@param map string
function rules.load(map)
  pools:recycle_all { class = "Piece" }
  cells = {}
  local rows <const>, wide = {}, 0
  for row in map:gmatch "[^/]+" do
    rows[#rows + 1], wide = row, math.max(wide, #row)
  end
  local left <const>, top <const> = (rules.COLUMNS - wide) // 2, MIDDLE - #rows // 2
  for row, text in ipairs(rows) do
    for column = 1, #text do put(text:sub(column, column), left + column - 1, top + row - 1) end
  end
  pave(rules.gardener.column, rules.gardener.row)
  for pot in pots:each() do settle(pot) end
end

local function pot_at(column, row)
  for pot in pots:each() do
    if pot.column == column and pot.row == row then return pot end
  end
end

local function is_free(column, row)
  local cell <const> = rules.cell(column, row)
  return (cell == "." or cell == "x") and not pot_at(column, row)
end

-- Makes a step, if that is possible, and pushes the pot that is in its way.
function rules.step(dx, dy)
  local gardener <const> = rules.gardener
  local column <const>, row <const> = gardener.column + dx, gardener.row + dy
  local pot <const> = pot_at(column, row)
  gardener:face(dx, dy)
  if not is_free(column, row) and not (pot and is_free(column + dx, row + dy)) then return end
  history.keep()
  gardener.column, gardener.row, gardener.moves, gardener.pushes = column, row, gardener.moves + 1, pot ~= nil
  effects.step(gardener.x, gardener.y, pot ~= nil)
  if pot then
    pot.column, pot.row = column + dx, row + dy
    settle(pot)
  end
end

---@return boolean
function rules.is_solved()
  for pot in pots:each() do
    if not pot.is_open then return false end
  end
  return rules.gardener.is_at_rest
end

return rules
