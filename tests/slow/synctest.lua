-- Each game is played by random hands, and every frame twice from the same state. A title screen would prove nothing:
-- each says how much must happen at least.
local host <const> = require "host"
local player <const> = require "player"
local recorded <const> = require "recorded"

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

player.test("every game of the folder is played", function()
  local names <const> = {}
  for i, it in ipairs(recorded.games) do names[i] = it.name end
  table.sort(names)
  local there <const> = player.sh "cd $SP_ROOT/scripts && ls -d */ | tr -d / | LC_ALL=C sort | tr '\\n' ' '"
  player.expect(table.concat(names, " ") .. " " == there, there)
end)
