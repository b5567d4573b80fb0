-- Regressions are planted in the games, one at a time: the game's recordings name the frame, the object and the field
-- that differ first, and the line of the plant, as what wrote the field or as what was edited.
local host <const> = require "host"
local player <const> = require "player"

-- The game, a recording of it, a file, a text in it and the one that replaces it; then the field that differs.
local PLANTS <const> = {
  { "breakout", "plays-itself", "balls.lua", "ball.y = paddle.Y - 9", "ball.y = paddle.Y - 8", "Ball.y" },
  { "breakout", "plays-itself", "pools/Shard.lua", "drag = 0.8", "drag = 0.9", "Shard.vx" },
  { "cubes", "the-hand", "main.lua", "math.random(14, 26)", "math.random(14, 27)", "Sphere.radius" },
  { "cubes", "clicks-and-keys", "main.lua", ', pools:alloc("Cube", 5)', ', pools:alloc("Cube", 4)', "Cube.remaining" },
  { "fireworks", "the-show", "shells.lua", "0.75 + 0.25 * random()", "0.75 + 0.26 * random()", "Spark.remaining" },
  { "fireworks", "clicks", "shells.lua", "spark.vx, spark.vy, spark.radius = vx, vy, radius",
    "spark.vx, spark.vy, spark.radius = vx, vy + 1, radius", "Spark.vy" },
  { "footprints", "the-fight", "pools/Walker.lua", "48 + math.random() * 30", "48 + math.random() * 31",
    "Walker.pace" },
  { "footprints", "the-fight", "pools/Walker.lua", "walker.reload <= 0 then", "walker.reload <= 0.1 then",
    "Walker.reload" },
  { "garden", "first-gardens", "effects.lua", "math.random(-5, 5)", "math.random(-5, 6)", "Speck.spin" },
  { "garden", "undo-and-redo", "rules.lua", "moves + 1", "moves + 2", "Gardener.moves" },
  { "platformer", "all-six-rooms", "pools/Gull.lua", "SPEED <const> = 46", "SPEED <const> = 47", "Gull.x" },
  { "platformer", "falls", "pools/Enemy.lua", "enemy.scale_x = enemy.way", "enemy.scale_x = -enemy.way",
    "Crab.scale_x" },
  { "random_spawn", "tosses", "coins.lua", "math.random() < 0.5", "math.random() < 0.6", "Coin.heads" },
  { "random_spawn", "clicks-and-keys", "pools/Comet.lua", 'pools:alloc("Dust", 0.9', 'pools:alloc("Dust", 0.8',
    "Dust.remaining" },
  { "scenes", "the-hand", "pools/Toy.lua", "toy.angle = 0.12", "toy.angle = 0.13", "Lantern.angle" },
  { "scenes", "both-ways", "pools/Toy.lua", "math.random(-12, 12)", "math.random(-12, 13)", "Lantern.vy" },
  { "search_vs_queue", "passes", "pools/Look.lua", "a = { 0.9, 0.25, 0 }", "a = { 0.9, 0.26, 0 }", "Look.a" },
  { "search_vs_queue", "started-again", "lanes.lua", "0.5", "0.6", "Look.x" },
  { "shooter", "plays-itself", "pools/Drone.lua", "drone.age * 1.7", "drone.age * 1.8", "Drone.x" },
  { "shooter", "two-players", "pools/Enemy.lua", "enemy.health - damage", "enemy.health - 2 * damage",
    "Drone.health" },
  { "storm", "blasts", "gusts.lua", "520 * pool.depth", "530 * pool.depth", "Mote.vx" },
  { "storm", "three-thousand", "pools/Airborne.lua", "0.62 + 0.38 * near", "0.6 + 0.38 * near", "Mote.r" },
  { "survivors", "plays-itself", "weapons.lua", "bolt.left = bolt.left - 1", "bolt.left = bolt.left - 2",
    "Bolt.alive" },
  { "survivors", "first-minute", "pools/Enemy.lua", "enemy.health - damage", "enemy.health - damage - 1",
    "Ghoul.health" },
}

-- Plants one in a copy of the game that has only this recording. Returns its line.
local function plant(game, recording, file, from, to)
  player.sh(("cp -R $SP_ROOT/scripts/%s . && find %s/recordings -type f ! -name %s.input -delete"):format(game, game,
    recording))
  local path <const> = ("/%s/%s"):format(game, file)
  local text <const> = player.read(path)
  local at <const>, last <const> = text:find(from, 1, true)
  player.expect(at, "'%s' is not in %s", from, path)
  player.save(path, text:sub(1, at - 1) .. to .. text:sub(last + 1))
  return select(2, text:sub(1, at):gsub("\n", "")) + 1
end

for i, it in ipairs(PLANTS) do
  local game <const>, recording <const>, file <const>, from <const>, to <const>, wanted <const> = table.unpack(it)
  player.test(("regression %d, in %s/%s, is named"):format(i, game, file), function()
    if host.tool ~= "" then return end
    local line <const> = plant(game, recording, file, from, to)
    local got <const> = player.run { err = false, status = 1, sh = "spawnpool --check --stats - " .. game }
    local said <const>, found <const> = got.err, got.out
    local pool <const>, field <const> = wanted:match "^(%w+)%.([%w_]+)$"
    local place <const> = ("%s:%d"):format(file, line)
    player.expect(found:find(('"pool":"%s",'):format(pool), 1, true)
      and found:find(('"field":"%s",'):format(field), 1, true) and found:find('"frame":%d+,')
      and said:find(place, 1, true), "expected %s and %s, got %s%s", wanted, place, said, found)
  end)
end
