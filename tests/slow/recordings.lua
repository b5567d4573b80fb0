-- Each game is played by random hands, and every frame twice from the same state. A title screen would prove nothing:
-- tests/demo/recorded.lua says how much must happen at least. The recordings in its folder come out as before; after an
-- edit of the game they name what differs.
local host <const> = require "host"
local player <const> = require "player"
local recorded <const> = require "recorded"

local LINE <const> = "synctest: (%d+) frames were played again, (%d+) differ; the game made (%d+) objects and heard "
  .. "(%d+) inputs\n"

local function play_twice(it)
  local frames <const> = (host.tool ~= "" and 120 or 600) // (it.share or 1)
  player.save("/in", recorded.random(it, frames, 3))
  local said <const> = player.run { err = false, sh =
    ("spawnpool --headless --synctest --replay in $SP_ROOT/scripts/%s"):format(it.name) }.err
  local again <const>, differing <const>, made <const>, heard <const> = said:match(LINE)
  player.expect(tonumber(again) == frames and differing == "0", said)
  local share <const> = host.tool ~= "" and 10 or 1
  player.expect(tonumber(made) >= it.made // share and tonumber(heard) >= it.heard // share, "too little: %s", said)
end

-- Two recordings of a minute each.
local function check(it)
  if host.tool ~= "" then return end
  local out <const> = player.run({ err = false, sh = ("cp -R $SP_ROOT/scripts/%s . && spawnpool --check %s"):format(
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
  player.expect(player.sh "cd $SP_ROOT/scripts && LC_ALL=C ls" == table.concat(names), "the list of games differs")
end)

-- {== Edits ======================================================================

-- The game, a recording of it, a file, a text in it and the one that replaces it; then the field that differs.
local EDITS <const> = {
  { "breakout", "plays-itself", "balls.lua", "ball.y = paddle.Y - 9", "ball.y = paddle.Y - 8", "Ball.y" },
  { "breakout", "plays-itself", "pools/Shard.lua", "drag = 0.8", "drag = 0.9", "Shard.vx" },
  { "cubes", "the-hand", "main.lua", "math.random(14, 26)", "math.random(14, 27)", "Sphere.radius" },
  { "cubes", "clicks-and-keys", "main.lua", ', pools:alloc("Cube", 5)', ', pools:alloc("Cube", 4)', "Cube.remaining" },
  { "footprints", "the-fight", "pools/Walker.lua", "walker.reload <= 0 then", "walker.reload <= 0.1 then",
    "Walker.reload" },
  { "platformer", "falls", "pools/Enemy.lua", "enemy.scale_x = enemy.way", "enemy.scale_x = -enemy.way",
    "Crab.scale_x" },
  { "random_spawn", "tosses", "coins.lua", "math.random() < 0.5", "math.random() < 0.6", "Coin.heads" },
  { "survivors", "plays-itself", "weapons.lua", "bolt.left = bolt.left - 1", "bolt.left = bolt.left - 2",
    "Bolt.alive" },
}

-- Edits a copy of the game that has only this recording. Returns the line.
local function edit(game, recording, file, from, to)
  player.sh(("cp -R $SP_ROOT/scripts/%s . && find %s/recordings -type f ! -name %s.input -delete"):format(game, game,
    recording))
  local path <const> = ("/%s/%s"):format(game, file)
  local text <const> = player.read(path)
  local at <const>, last <const> = text:find(from, 1, true)
  player.expect(at, "'%s' is not in %s", from, path)
  player.save(path, text:sub(1, at - 1) .. to .. text:sub(last + 1))
  return select(2, text:sub(1, at):gsub("\n", "")) + 1
end

-- As what wrote the field, or as what was edited.
for i, it in ipairs(EDITS) do
  player.test(("the frame, the object, the field and the line of edit %d are named"):format(i), function()
    if host.tool ~= "" then return end
    local place <const> = ("%s:%d"):format(it[3], edit(table.unpack(it)))
    local got <const> = player.run { err = false, status = 1, sh = "spawnpool --check --stats - " .. it[1] }
    local pool <const>, field <const> = it[6]:match "^(%w+)%.([%w_]+)$"
    player.expect(got.out:find(('"pool":"%s",'):format(pool), 1, true)
      and got.out:find(('"field":"%s",'):format(field), 1, true) and got.out:find '"frame":%d+,'
      and got.err:find(place, 1, true), "expected %s and %s, got %s%s", it[6], place, got.err, got.out)
  end)
end

-- }==
