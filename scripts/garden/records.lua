-- scripts/garden/records.lua
-- The fewest moves for each garden, kept from game to game by its name.
local storage <const> = require("spawnpool").storage
local levels <const> = require "levels"

local saved <const> = storage.load "best"
local best <const> = type(saved) == "table" and saved or {}
local records <const> = {}

---@return integer?
function records.best(level) return best[levels[level][1]] end

---@return boolean is_record fewer than ever
function records.add(level, moves)
  local before <const> = records.best(level)
  if before and before <= moves then return false end
  best[levels[level][1]] = moves
  storage.save("best", best)
  return before ~= nil
end

return records
