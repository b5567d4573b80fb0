-- garden: push the pots into the beds, and every flower opens. Twelve gardens, with undo and redo of any depth: before
-- each step the game keeps a snapshot of all pools.
--
--   spawnpool scripts/garden               arrows, WASD or a pad: walk; Z undo, Y redo, R begin again, Esc the title
--   spawnpool scripts/garden -- 3          begins with the third garden
local spawnpool <const> = require "spawnpool"
local ground <const> = require "ground"
local levels <const> = require "levels"
local play <const> = require "play"
local title <const> = require "title"

local input <const> = spawnpool.input

local SHOWN_FOR <const> = 2.2 -- seconds, of a garden in bloom
local PATIENCE <const> = 8 -- seconds without input until the game plays by itself

local game <const> = {
  title = "Garden", width = 320, height = 180, scale = "integer", draw_below = ground.draw,
  actions = {
    up = { "up", "w", "pad:dpup", "pad:-lefty" }, down = { "down", "s", "pad:dpdown", "pad:lefty" },
    left = { "left", "a", "pad:dpleft", "pad:-leftx" }, right = { "right", "d", "pad:dpright", "pad:leftx" },
    undo = { "z", "u", "pad:b" }, redo = { "y", "x", "pad:x" }, again = { "r", "pad:y" },
    act = { "space", "return", "mouse:left", "pad:a", "pad:start" },
  },
}

local scene = title -- or play
local demo = 0 -- the last garden that was played by itself

local function show(next_scene, level, is_demo)
  scene = next_scene
  scene.enter(level, is_demo)
end

function game.load(args)
  local level <const> = math.tointeger(tonumber(args[1] or 0))
  assert(level and (level == 0 or levels[level]), "which garden? a number, please")
  show(level > 0 and play or title, level)
end

function game.update(dt)
  scene.update(dt)
  local acts <const> = input.pressed "act"
  if scene == title then
    if acts then show(play, title.chosen) end
    if title.idle > PATIENCE then
      demo = demo % #levels + 1
      show(play, demo, true)
    end
  elseif play.is_demo and (acts or play.solved_for > SHOWN_FOR) then
    show(title)
  elseif play.solved_for > SHOWN_FOR or play.solved_for > 0.4 and acts then
    if levels[play.level + 1] then show(play, play.level + 1) else show(title) end
  end
end

function game.draw(g)
  g:font("fonts/pixel.png", 10)
  ground.draw_air(g)
  scene.draw(g)
end

-- Esc leaves a garden, and the game at its title.
function game.key_pressed(key)
  if key ~= "escape" or scene == title then return end
  show(title)
  return true
end

return game
