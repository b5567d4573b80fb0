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

-- Sets a garden up; in a demo its solution is played.
function play.enter(level, is_demo)
  play.level, play.is_demo, play.solved_for = level, is_demo or false, 0
  wish, at = nil, 0
  history.clear()
  rules.load(levels[level][2])
end

local function go(name) rules.step(table.unpack(WAYS[name:sub(1, 1):lower()])) end

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

-- Undo and redo go on, at the pace of a step, while they are held.
local function read_history()
  local function is_wished(name) return input.pressed(name) or rules.gardener.is_at_rest and input.down(name) end
  if is_wished "undo" and history.undo() or is_wished "redo" and history.redo() then effects.sound "undo" end
end

function play.update(dt)
  if play.solved_for > 0 then
    play.solved_for = play.solved_for + dt
  elseif rules.is_solved() then
    play.solved_for = dt
    if not play.is_demo then records.add(play.level, rules.gardener.moves) end
    effects.celebrate()
  elseif play.is_demo then
    play_solution()
  elseif input.pressed "again" then
    history.again()
  else
    read_steps()
    read_history()
  end
end

function play.draw(g)
  local best <const>, moves <const> = records.best(play.level), rules.gardener.moves
  words.write(g, 6, 4, ("%d  %s"):format(play.level, levels[play.level][1]))
  local made <const> = moves == 1 and "1 move" or moves .. " moves"
  words.write(g, 314, 4, best and made .. "   best " .. best or made, "right")
  if play.solved_for > 0 then
    words.board(g, 138, "In full bloom!", ("%d moves"):format(moves))
  elseif play.is_demo then
    words.write(g, 160, 165, "It plays by itself. Space: back", "center")
  elseif play.level == 1 then
    words.write(g, 160, 165, "Push the pots into the beds. Z undo, Y redo, R again", "center")
  end
end

return play
