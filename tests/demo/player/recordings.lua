-- Recordings are tests: --check plays GAME/recordings/*.input, and names what differs from what was recorded.

local ENEMY <const> = [[local spawnpool <const> = require "spawnpool"
local Enemy <const> = spawnpool.class("Enemy", { fields = { hp = 5 } })
function Enemy:update()
  for e in self:each() do
    if e.age > 1 and e.hp > 3 then e.hp = e.hp - 1 end
    if e.age > 2 then e:recycle() end
  end
end
return Enemy
]]

local MAIN <const> = [[local spawnpool <const> = require "spawnpool"
local pools <const> = spawnpool.pools
local n = 0
spawnpool.class "Mark"
return { load = function() pools:alloc("Mark").r = 0.5 end, update = function()
  n = n + 1
  if n % 20 == 0 then pools:alloc("Enemy", 0, n, 10).vx = 5 end
  if n > 9000 then error "late" end
end }
]]

local function record()
  save("pools/Enemy.lua", ENEMY)
  save("main.lua", MAIN)
  sh "mkdir game/recordings && spawnpool --headless --frames 600 --record-input game/recordings/boss.input game"
end

local function edit(file, from, to)
  local text <const> = read(file)
  local at <const>, last <const> = assert(text:find(from, 1, true))
  save(file, text:sub(1, at - 1) .. to .. text:sub(last + 1))
end

local FINE <const> = "checked 2 files: no problems\n"

local function check(status, line, options)
  return run { sh = ("spawnpool --check %s game"):format(options or ""), status = status, out = FINE .. line }
end

test("a recording comes out as before, or what differs first is named with its line", function()
  record()
  check(0, "boss.input: as before, 10.0 s\n")
  for _, row in ipairs {
    { "pools/Enemy.lua", "e.age > 2", "e.age > 4",
      "2.3 s, then Enemy#1.alive false -> true (no longer recycled: pools/Enemy.lua:6)" },
    { "main.lua", "vx = 5", "vx = 6", "0.3 s, then Enemy#1.vx 5 -> 6 (main.lua:7)" },
    { "main.lua", "r = 0.5", "r = 0.6", "0.0 s, then Mark#1.r 0.5 -> 0.6 (main.lua:5)" },
    { "pools/Enemy.lua", "{ fields", "{ prealloc = 9, fields",
      "0.3 s, then pool Enemy: its counts, or the order of its idle objects; edited: pools/Enemy.lua:2" },
    { "main.lua", "n > 9000", "n > 90", "1.5 s, then stops with an error: game/main.lua:8: late" },
  } do
    edit(row[1], row[2], row[3])
    check(1, "boss.input: as before to " .. row[4] .. "\n")
    edit(row[1], row[3], row[2])
  end
  edit("pools/Enemy.lua", "e.hp - 1", "e.hp - 2")
  run { sh = "spawnpool --check --stats - game", status = 1, err = FINE
      .. "boss.input: as before to 1.3 s, then Enemy#1.hp 4 -> 3 (pools/Enemy.lua:5)\n",
    out = '{"recording":"boss.input","same":false,"seconds":1.3166666666666667,"frame":80,'
      .. '"edited":"pools/Enemy.lua:5","pool":"Enemy","object":1,"field":"hp",'
      .. '"before":"4","after":"3","by":"pools/Enemy.lua:5 in update"}\n' }
end)

test("--accept records the hashes again, of the game as it is now", function()
  record()
  edit("pools/Enemy.lua", "e.hp - 1", "e.hp - 2")
  run { sh = "spawnpool --check --accept game", out = "boss.input: accepted\n" .. FINE }
  check(0, "boss.input: as before, 10.0 s\n")
  local size <const> = #read "recordings/boss.input"
  expect(size < 600 * 50, "%d bytes for 600 frames", size)
  edit("pools/Enemy.lua", "e.hp - 2", "e.hp - 1")
  check(1, "boss.input: as before to 1.3 s, then Enemy#1.hp 3 -> 4 (pools/Enemy.lua:5)\n")
  edit("main.lua", "n > 9000", "n > 90")
  run { sh = "spawnpool --check --accept game", status = 1,
    out = "boss.input: not accepted: the game stops before its end\n" .. FINE }
  sh "ls game/recordings | grep -qx boss.input && [ $(ls game/recordings | wc -l) = 1 ]"
  edit("main.lua", "n > 90", "n > 9000")
  sh "sed -i '$d' game/recordings/boss.input && cp game/recordings/boss.input before"
  run { sh = "spawnpool --check --accept game", status = 1, out = "boss.input: not accepted: its end is missing: "
    .. 'record it again, or end it with a line of the kind "end"\n' .. FINE }
  sh "cmp before game/recordings/boss.input"
end)

test("a recording without texts, without hashes, or damaged, says so", function()
  record()
  sh [[cd game/recordings && grep -v '"kind":"file"' boss.input > a.input
    grep -v '"kind":"[hd][ai]' boss.input > b.input
    echo x > c.input && rm boss.input]]
  edit("pools/Enemy.lua", "e.hp - 1", "e.hp - 2")
  check(1, "a.input: as before to 2.0 s, then it differs; recordings that --accept has made tell the field\n"
    .. "b.input: as before to 10.0 s, then it has no hashes to compare: --check --accept adds them\n"
    .. "c.input: as before to 0.0 s, then game/recordings/c.input:1: not a recording of spawnpool\n")
end)

test("a save plays the recordings in the background, and one line names the first difference", function()
  record()
  run({ main = MAIN, args = "--size 800x400" }, function()
    edit("pools/Enemy.lua", "e.hp - 1", "e.hp - 2")
    press "F5"
    await_seen "boss.input: as before to 1.3 s, then Enemy#1.hp 4 -> 3 (pools/Enemy.lua:5)"
  end)
end)
