-- Pages tell more of their examples than their code shows. Each such claim is a list of steps, in the order of time:
--
--   30                     so many frames pass
--   "+right", "click:3,4"  events of player.push
--   "? EXPRESSION"         is so in the game, by pools, view, live(type), first(type), at(type), all(type, fn)
--   "= TEXT"               is written in the picture, or in one of the next two
--   function(t)            does the rest, by t.frames(count) and t.push(events), and what else a runner has
local host <const> = require "host"
local pages <const> = require "pages"
local player <const> = require "player"

local check <const>, claims <const> = pages.check, {}

-- {== Steps ====================================================================

local HELP <const> = [[
  local spawnpool <const> = require "spawnpool"
  local pools <const>, view <const> = spawnpool.pools, spawnpool.view
  local function live(type) return pools:pool(type).live end
  local function first(type)
    for object in pools:pool(type):each() do return object end
  end
  local function at(type) return ("%d,%d"):format(first(type).x // 1, first(type).y // 1) end
  local function all(type, fn)
    for object in pools:pool(type):each() do
      if not fn(object) then return false end
    end
    return live(type) > 0
  end
  return ]]

function claims.ask(expression) return host.ask(HELP .. expression) end

local function await_text(text, t)
  for _ = 1, 3 do
    for _, it in ipairs(host.texts()) do
      if it.text == text then return end
    end
    t.frames(1)
  end
  check(false, "'%s' is not shown", text)
end

-- Does the steps, by the words frames(count) and push(events).
function claims.act(steps, t)
  for i, step in ipairs(steps) do
    local sign <const>, text <const> = tostring(step):match "^([?=]) (.*)"
    if type(step) == "function" then
      step(t)
    elseif type(step) == "number" then
      t.frames(step)
    elseif sign == "=" then
      await_text(text, t)
    elseif sign then
      check(claims.ask(text) == true, "step %d is not so: %s", i, text)
    else
      t.push(step)
    end
  end
end

-- }==

-- Moves the mouse with the first object of a type, until something is so.
local function follow(type, expression)
  return function(t)
    for _ = 1, 600 do
      if claims.ask(expression) then return end
      t.push("move:" .. claims.ask(("at '%s'"):format(type)))
      t.frames(1)
    end
  end
end

-- {== Recipes ==================================================================

-- The games of docs/cookbook.md by their titles. A game with several runs is started again, and keeps what it stored.
claims.recipes = {
  ["A ship that moves"] = { {
    "+right", 30, "? first('Ship').x > 540 and first('Ship').x < 580 and first('Ship').y == 300",
    "+w", 30, "? math.abs(first('Ship').x - 673) < 8 and math.abs(first('Ship').y - 187) < 8", -- no faster
    120, "? first('Ship').x == 786 and first('Ship').y == 14",
  } },

  ["Two players"] = { {
    "+w +down", 40, "? all('Paddle', function(it) return it.x == 100 and it.y < 120 or it.x == 700 and it.y > 490 end)",
  } },

  ["A camera"] = { {
    2, "? all('Hero', function(it) return view:to_view(it.x, it.y) == 400 end)",
    "+right", 60, "? all('Hero', function(it) local x = view:to_view(it.x, it.y) return x > 410 and x < 600 end)",
    600, "? view:to_world(800, 0) > 2999.9", "= 2986, 1500",
  } },

  ["Animation"] = { {
    "= idle, frame 1", "+right", function(t)
      local seen <const> = {}
      for _ = 1, 60 do
        t.frames(1)
        seen[claims.ask "first('Hero').frame"] = true
      end
      assert(seen[2] and seen[3] and seen[4] and not seen[1], "it does not run")
    end, "-right", "= idle, frame 1",
  } },

  ["Boxes: click to throw"] = { {
    "click:640,80", 1, "? first('Crate').x == 730 and first('Crate').y == 80 and live 'Coin' == 5",
    "? (function() first('Crate').vx = -600 return true end)()", 60, "? live 'Coin' == 0",
  } },

  ["A font"] = { { "= Chapter one", "= HOP" } },

  ["A menu"] = { {
    "Up", 1, "= > Quit <", "Down", 1, "Down", 1, "Return", 1, "= Options",
    "move:400,300", "= > Options <", "move:10,250", "click:10,250", "= Play",
  } },

  ["A score"] = { {
    31, follow("Gem", "live 'Spark' > 0"), "? live 'Spark' == 12", "= 000010", "= +10",
    "move:-100,0", 400, "= 000010", "? live 'Gem' < 10", -- those that are missed end too
  } },

  ["Sound: space shoots"] = { {
    "= 1 voices", "move:300,0", "Space", "= 2 voices", 70,
    function(t) t.push("move:" .. claims.ask "at 'Bomb'") end, 1, "Space",
    120, "? pools:pool('Bomb'):stats().recycles == 1",
  } },

  ["Space scores, Enter ends"] = {
    { "Space Space Space", "= 3, best 0", "Return", "= 0, best 3" },
    { "= 0, best 3", "Return", "= 0, best 3" },
  },

  ["S saves, L loads"] = {
    { "l", "= 0 balls: nothing to load", "click:100,100 click:200,100 click:300,100", 30, "s", 1, "click:400,100",
      "= 4 balls: saved" },
    { "l", "= 3 balls: loaded", "? first('Ball').y > 110" },
  },

  ["Dodge"] = { {
    "move:400,580", "Space", 59, "= 1.0 s", "? live 'Player' == 1 and live 'Rock' > 3",
    follow("Rock", "live 'Player' == 0"), "? live 'Rock' == 0", "= space: again",
    60, "? live 'Rock' == 0", "Space", "= 0.0 s",
  } },

  ["Click: a missile that follows"] = { {
    "click:400,550", "click:200,550", 2, "? live 'Shield' == 6 and live 'Drone' == 6",
    "? first('Missile').target:recycle() and first('Missile').target == nil", 2, "? first('Missile').target.alive",
    480, "? pools:pool('Missile'):stats().recycles > 0 and live 'Drone' == 5 and live 'Shield' == 5",
  } },

  ["Bullet patterns"] = { {
    "? live 'Bullet' == 28", "move:400,600", 600, "? live 'Bullet' > 60 and live 'Bullet' < 400",
    "? first('Boss'):recycle()", 900, "? live 'Bullet' == 0",
  } },
}

-- }==

-- {== The guide ================================================================

local function picture(name, arguments)
  return { function(t) t.expect_picture(name, arguments) end }
end

-- S and L of the rain: the drops are those of the save again. And the whole game plays as its settings say.
local function expect_saves(t)
  local before <const> = claims.ask "pools:hash()"
  t.push "s"
  t.frames(120)
  assert(claims.ask "pools:hash()" ~= before, "nothing has changed")
  t.push "l"
  assert(claims.ask "pools:hash()" == before, "the save is not what is loaded")
  local out <const> = player.sh "spawnpool --headless --frames 1200 --seed 3 --stats - rain"
  local function count(type, name)
    return tonumber(out:match('.*"' .. type .. '",[^}]-"' .. name .. '":(%d+)'))
  end
  local ends <const> = count("Drop", "recycles") + count("Hail", "recycles")
  assert(ends > 33 and count("Drop", "total") == 16, out)
  assert(count("Splash", "allocs") == 8 * ends and count("Voice", "allocs") == ends, out)
  local checked <const> = player.sh "spawnpool --check rain 2>&1"
  assert(checked:find "checked 5 files: no problems", checked)
end

-- These are so after a block of a game of docs/guide.md: they are found by the game's folder, and by the number of the
-- block among those of the game.
claims.guide = {
  ["scripts/shooter"] = {},
  rain = {
    [1] = picture("guide-1.png", "--frames 200 --seed 1"),
    [4] = picture("guide-2.png", "--frames 600 --seed 4"),
    [9] = picture("guide-3.png", "--frames 584 --seed 3"),
    [12] = { function(t) t.start "rain" end, 240, expect_saves },
  },
  hop = {
    [5] = { "+Space", 15, "? all('Hero', function(it) return it.y < 52 end)", "-Space", 60 },
    [8] = { function(t) t.start "hop" end, 2, "? live 'Drop' == 4 and live 'Lamp' == 1" },
    [11] = { function(t) t.start "hop" end, 600,
      "? live 'Crab' == 1 and all('Hero', function(it) return it.y == 74 end)" },
  },
}

-- }==

-- How the player comes to the picture of a game in docs/gallery.md. A game that `measures` shows other times in each
-- run: its picture is only made anew, not compared.
claims.gallery = {
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

return claims
