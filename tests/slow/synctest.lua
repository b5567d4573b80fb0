-- Each game is played by random hands, and every frame twice from the same state. A title screen would prove nothing:
-- each says how much must happen at least. And the recordings in its folder come out as before.
local host <const> = require "host"
local player <const> = require "player"
local recorded <const> = require "recorded"
local spec <const> = require "spec"

local LINE <const> = "synctest: (%d+) frames were played again, (%d+) differ; the game made (%d+) objects and heard "
  .. "(%d+) inputs\n"

local function play(it)
  local frames <const> = (host.tool ~= "" and 120 or 600) // (it.share or 1)
  player.save("/in", recorded.random(it, frames, 3))
  local got <const> = player.run { err = false, sh =
    ("spawnpool --headless --synctest --replay in $SP_ROOT/scripts/%s"):format(it.name) }
  return got.err, frames
end

for _, it in ipairs(recorded.games) do
  player.test(it.name .. " comes out the same when every frame is played twice", function()
    local said <const>, frames <const> = play(it)
    local again <const>, differing <const>, made <const>, heard <const> = said:match(LINE)
    player.expect(tonumber(again) == frames and differing == "0", said)
    local share <const> = host.tool ~= "" and 10 or 1
    player.expect(tonumber(made) >= it.made // share and tonumber(heard) >= it.heard // share, "too little: %s", said)
  end)
end

-- What is played in scripts/GAME/recordings, each for a minute.
local RECORDINGS <const> = {
  breakout = "keyboard plays-itself", cubes = "clicks-and-keys the-hand", fireworks = "clicks the-show",
  footprints = "clicks-and-keys the-fight", garden = "first-gardens undo-and-redo",
  platformer = "all-six-rooms falls", random_spawn = "clicks-and-keys tosses", scenes = "both-ways the-hand",
  search_vs_queue = "passes started-again", shooter = "plays-itself two-players", storm = "blasts three-thousand",
  survivors = "first-minute plays-itself",
}

local function check(game, name)
  local got <const> = player.run { err = false, sh = ([[cp -R $SP_ROOT/scripts/%s . &&
    find %s/recordings -type f ! -name %s.input -delete && spawnpool --check %s]]):format(game, game, name, game) }
  player.expect(got.out:find("\n" .. name .. ".input: as before, 60.0 s\n", 1, true), got.out)
end

for _, it in ipairs(recorded.games) do
  for name in RECORDINGS[it.name]:gmatch "%S+" do
    player.test(("%s comes out as in its recording %s"):format(it.name, name), function()
      if host.tool == "" then check(it.name, name) end
    end)
  end
end

player.test("each recording in the folder of a game is played", function()
  for _, it in ipairs(recorded.games) do
    local there <const> = player.sh(("cd $SP_ROOT/scripts/%s/recordings && LC_ALL=C ls"):format(it.name))
    spec.equal(there, (RECORDINGS[it.name]:gsub("(%S+) ?", "%1.input\n")))
  end
end)

player.test("every game of the folder is played", function()
  local names <const> = {}
  for i, it in ipairs(recorded.games) do names[i] = it.name end
  table.sort(names)
  local there <const> = player.sh "cd $SP_ROOT/scripts && ls -d */ | tr -d / | LC_ALL=C sort | tr '\\n' ' '"
  player.expect(table.concat(names, " ") .. " " == there, there)
end)
