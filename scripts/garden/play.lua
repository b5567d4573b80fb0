-- scripts/garden/play.lua
-- One garden: a person's steps, or those of its solution when the game plays by itself.
local spawnpool <const> = require "spawnpool"
local effects <const> = require "effects"
local history <const> = require "history"
local levels <const> = require "levels"
local records <const> = require "records"
local rules <const> = require "rules"
local words <const> = require "words"

local input <const> = spawnpool.input
local play <const> = { level = 1, is_demo = false, solved_for = 0 }

local NAMES <const> = { "up", "right", "down", "left" }
local WAYS <const> = { u = { 0, -1 }, r = { 1, 0 }, d = { 0, 1 }, l = { -1, 0 } } -- by their first letters

local wish -- the way that was pressed last, until it is gone
local at = 0 -- letters of the solution that are played
local is_record = false

---@param level integer
---@param is_demo? boolean the solution is played
function play.enter(level, is_demo)
  play.level, play.is_demo, play.solved_for = level, is_demo or false, 0
  wish, at = nil, 0
  history.clear()
  rules.load(levels[level][2])
end

-- {== Steps ==================================================================

local function go(name)
  local dx <const>, dy <const> = table.unpack(WAYS[name:sub(1, 1):lower()])
  rules.gardener:face(dx, dy)
  if not rules.can_step(dx, dy) then return end
  history.keep()
  rules.step(dx, dy)
end

local function read_steps()
  local way = nil
  for _, name in ipairs(NAMES) do
    if input.pressed(name) then wish = name end
    if input.down(name) then way = name end
  end
  if not rules.gardener.is_at_rest then return end
  if wish or way then go(wish or way) end
  wish = nil
end

local function play_solution()
  if not rules.gardener.is_at_rest then return end
  at = at + 1
  go(levels[play.level][3]:sub(at))
end

-- While they are held, undo and redo go on at the pace of a step.
local function read_history()
  if not rules.gardener.is_at_rest and not input.pressed("undo", "redo") then return end
  local done <const> = input.down "undo" and history.undo() or input.down "redo" and history.redo()
  if done then effects.sound "undo" end
end

-- }==

---@param dt number
function play.update(dt)
  if play.solved_for > 0 then
    play.solved_for = play.solved_for + dt
  elseif rules.is_solved() then
    play.solved_for = dt
    is_record = not play.is_demo and records.add(play.level, rules.gardener.moves)
    effects.celebrate()
  elseif play.is_demo then
    play_solution()
  elseif input.pressed "again" then -- a step too: undo goes back over it
    history.keep()
    rules.load(levels[play.level][2])
  else
    read_steps()
    read_history()
  end
end

function play.draw(g)
  local best <const>, moves <const> = records.best(play.level), rules.gardener.moves
  words.write(g, 6, 1, ("%d  %s"):format(play.level, levels[play.level][1]), "left", words.GOLD)
  words.write(g, 314, 1, (best and "%d moves   best %d" or "%d moves"):format(moves, best), "right")
  if play.solved_for > 0 then
    local y <const> = 138 + math.floor(50 * math.max(0, 1 - 4 * play.solved_for) ^ 2)
    words.board(g, y, "In full bloom!", ("%d moves%s"):format(moves, is_record and ": a new best" or ""))
  elseif play.is_demo then
    words.write(g, 160, 165, "It plays by itself. Space: back", "center")
  elseif play.level == 1 then
    words.write(g, 160, 165, "Push the pots into the beds. Z undo, Y redo, R again", "center")
  end
end

return play
