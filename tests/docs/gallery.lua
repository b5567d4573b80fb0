-- docs/gallery.md: each game that comes with the player has its line and a picture, which looks as the game does today.
-- `make golden` makes the pictures anew: look at them before they are committed.
local examples <const> = require "examples"
local golden <const> = require "golden"
local host <const> = require "host"
local pages <const> = require "pages"

local check <const>, place <const> = pages.check, examples.place

-- How the player comes to the picture. A game that `measures` shows other times in each run: its picture is only made
-- anew, not compared.
local PICTURES <const> = {
  breakout = { "--frames 1300 --seed 1" },
  cubes = { "--frames 300 --seed 1" },
  fireworks = { "--frames 900 --seed 1" },
  footprints = { "--frames 600 --seed 1" },
  garden = { "--frames 205 --seed 1 --size 1280x720 --exec 'require(\"play\").enter(4, true)'", "-- 4" },
  platformer = { "--frames 60 --seed 1 --size 1280x720", "-- 1" },
  random_spawn = { "--frames 600 --seed 1" },
  scenes = { "--frames 240 --seed 1" },
  search_vs_queue = { "--frames 330 --seed 1", measures = true },
  shooter = { "--frames 1700 --seed 3" },
  storm = { "--frames 60 --seed 1", "-- 10000", measures = true },
  survivors = { "--frames 2400 --seed 1" },
}

local function expect_picture(name, how)
  if how.measures and not golden.renews then return end
  local shown <const> = "docs/gallery-" .. name .. ".png"
  local whole <const>, half <const> = place "whole.png", place "half.png"
  examples.play(("%s --screenshot '%s' scripts/%s %s"):format(how[1], whole, name, how[2] or ""))
  host.picture_halve(whole, golden.target(shown, half))
  if not how.measures then golden.expect(shown, half, 0.01) end
end

return function(page)
  local played <const> = {}
  local _, list <const> = host.run(host.build .. "/spawnpool games")
  for name, line in list:gmatch "([%w_]+)  +([^\n]+)\n" do
    local how <const> = check(PICTURES[name], "tests/docs/gallery.lua lacks %s", name)
    local section <const> = check(page.text:match("\n## " .. name .. "\n(.-)\n[#-]"), "no part about %s", name)
    check(section:find("](gallery-" .. name .. ".png)", 1, true), "%s has no picture", name)
    local said <const> = section:gsub("%s+", " ")
    check(said:find(line:gsub("%s+", " "):sub(2), 1, true), "%s is not: %s", name, line)
    expect_picture(name, how)
    played[name] = true
  end
  pages.expect_same_names(played, PICTURES, "spawnpool games")
end
