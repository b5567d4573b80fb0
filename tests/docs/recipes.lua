-- docs/cookbook.md: each of its blocks is a game, played by a plan of recipe_plans.lua.
local host <const> = require "host"
local pages <const> = require "pages"
local samples <const> = require "samples"

local check <const>, write <const>, place <const> = pages.check, pages.write, samples.place

local LINES_MOST <const> = 65
local FRAMES <const> = 1600 -- more than any plan takes

-- A picture of 128 x 32 pixels, as the sheet of the page is one.
local SHEET <const> = [[return { draw = function(g)
  for i = 0, 3 do
    g:color(i / 3, 1, 0.5)
    g:rect(i * 32 + 8, 4, 16, 28)
  end
end }]]

local function make_files(page)
  host.run(("cd '%s' && mkdir sprites stored"):format(host.folder))
  host.run(("cp tests/docs/recipe_p*.lua '%s' && cp -R scripts/shooter/sounds '%s'"):format(host.folder, host.folder))
  write(place "recipe.lua", SHEET)
  samples.play(("--frames 1 --size 128x32 --screenshot '%s' '%s'"):format(place "sprites/hero.png", place "recipe.lua"))
  write(place "sprites/hero.json", page:find("json", "{").code)
  write(place "main.lua", "return require 'recipe_play'")
end

local function expect_played(block, title, part)
  write(place "part.lua", ("return %d"):format(part))
  local status <const>, out <const>, err <const> = host.run(
    ("XDG_DATA_HOME='%s' %s/spawnpool --headless --seed 1 --frames %d '%s'"):format(place "stored", host.build, FRAMES,
      host.folder))
  check(status == 0 and out == "played\n" and err == "", "line %d, '%s', plan %d:\n%s%s", block.line, title, part, out,
    err)
end

return function(page)
  local plans <const> = dofile "tests/docs/recipe_plans.lua"
  make_files(page)
  for block in page:each "lua" do
    local title <const> = block.code:match '[{ ]title = "([^"]*)"'
    local _, lines <const> = block.code:gsub("\n", "")
    check(title and plans[title], "line %d: '%s' has no plan", block.line, title)
    check(lines <= LINES_MOST, "line %d: %d lines are no recipe", block.line, lines)
    write(place "recipe.lua", block.code)
    for part = 1, #plans[title] do expect_played(block, title, part) end
    plans[title] = nil
  end
  check(next(plans) == nil, "a plan without a recipe: %s", next(plans))
end
