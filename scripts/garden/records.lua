-- scripts/garden/records.lua
-- The fewest moves for each garden, kept from game to game by its name.
local storage <const> = require("spawnpool").storage
local levels <const> = require "levels"

local saved <const> = storage.load "best"
local best <const> = type(saved) == "table" and saved or {}
local records <const> = {}

function records.best(level) return best[levels[level][1]] end

function records.add(level, moves)
  best[levels[level][1]] = math.min(moves, records.best(level) or moves)
  storage.save("best", best)
end

return records
