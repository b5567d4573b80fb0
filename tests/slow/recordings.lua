-- Each game is played by random hands, and every frame twice from the same state. A title screen would prove nothing:
-- tests/demo/recorded.lua says how much must happen at least. The recordings in its folder come out as before.
local host <const> = require "host"
local player <const> = require "player"
local recorded <const> = require "recorded"

local LINE <const> = "synctest: (%d+) frames were played again, (%d+) differ; the game made (%d+) objects and heard "
  .. "(%d+) inputs\n"

local function play_twice(it)
  local frames <const> = (host.tool ~= "" and 120 or 600) // (it.share or 1)
  player.save("/in", recorded.random(it, frames, 3))
  local said <const> = player.run { err = false, sh =
    ([[spawnpool --headless --synctest --replay in "$SP_ROOT"/scripts/%s]]):format(it.name) }.err
  local again <const>, differing <const>, made <const>, heard <const> = said:match(LINE)
  player.expect(tonumber(again) == frames and differing == "0", said)
  local share <const> = host.tool ~= "" and 10 or 1
  player.expect(tonumber(made) >= it.made // share and tonumber(heard) >= it.heard // share, "too little: %s", said)
end

-- Two recordings of a minute each.
local function check(it)
  if host.tool ~= "" then return end
  local out <const> = player.run({ err = false, sh = ([[cp -R "$SP_ROOT"/scripts/%s . && spawnpool --check %s]]):format(
    it.name, it.name) }).out
  local _, count <const> = out:gsub("%.input: as before, 60%.0 s\n", "")
  player.expect(count == 2, out)
end

local names <const> = {}
for i, it in ipairs(recorded.games) do
  names[i] = it.name .. "\n"
  player.test(it.name .. " comes out the same when every frame is played twice", function() play_twice(it) end)
  player.test(it.name .. " comes out as in its recordings", function() check(it) end)
end

player.test("every game of the folder is played", function()
  player.expect(player.sh [[cd "$SP_ROOT/scripts" && LC_ALL=C ls]] == table.concat(names), "the list of games differs")
end)

-- Edits of code are named by tests/demo/player/recordings.lua; this is one of a class.
player.test("an edit of a class names the frame, the object, the field and the line", function()
  if host.tool ~= "" then return end
  player.sh [[cp -R "$SP_ROOT"/scripts/breakout . && rm breakout/recordings/keyboard.input &&
    sed -i.old 's/drag = 0.8/drag = 0.9/' breakout/pools/Shard.lua && rm breakout/pools/Shard.lua.old]]
  local line <const> = player.sh "grep -n 'drag = 0.9' breakout/pools/Shard.lua":match "%d+"
  player.run { err = { "pools/Shard.lua:" .. line }, status = 1, sh = "spawnpool --check --stats - breakout",
    out = { '"frame":', '"pool":"Shard",', '"field":"vx",', '"by":"effects.lua:' } }
end)
