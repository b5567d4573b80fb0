-- The games in scripts/, from outside: they run without a complaint, the same seed gives the same game, their pools
-- stop growing, and what they write fits into every window.
local player <const> = require "player"
local spec <const> = require "spec"

local test <const>, run <const>, expect <const> = player.test, player.run, player.expect

local MEASURE <const> = { search_vs_queue = true, storm = true } -- they show how fast the machine is
local REST <const> = { storm = "3000" } -- so many objects: it has a hundred thousand

local games <const> = {}
for name in io.popen("ls scripts/*/main.lua"):read("a"):gmatch "scripts/([^/]+)" do games[#games + 1] = name end

-- Plays a game, which may say no more than that a type has no class, or how far a long run is.
local function play(name, args, rest)
  local got <const> = run { game = "$SP_ROOT/scripts/" .. name, args = args, rest = rest or REST[name],
    err = false }
  local trouble <const> = got.err:gsub("warning: unknown type [^\n]*\n", ""):gsub("spawnpool: frame %d[^\n]*\n", "")
  if trouble ~= "" then error(name .. ": " .. trouble, 2) end
  return got.out
end

-- The pools in the line of --stats for a frame: { type = { live =, ... } }; and that part of the line.
local function pools_of(lines, frame)
  local text <const> = lines:match(('{"frame":%d,[^\n]-("pools":%%[[^\n]*)'):format(frame))
  local pools <const> = {}
  for type, rest in text:gmatch '{"type":"(%w+)",([^}]*)' do
    pools[type] = {}
    for name, number in rest:gmatch '"(%w+)":(%d+)' do pools[type][name] = tonumber(number) end
  end
  return pools, text
end

for _, name in ipairs(games) do
  test("the same seed gives the same game: " .. name, function()
    local frames <const> = MEASURE[name] and 8 or 300
    local function take(picture)
      local out <const> = play(name, ("--frames %d --seed 7 --stats - --screenshot %s"):format(frames, picture))
      return select(2, pools_of(out, frames))
    end
    spec.equal(take "first.png", take "second.png")
    if not MEASURE[name] then expect(player.read "/first.png" == player.read "/second.png", "another picture") end
  end)
end

test("no game is left out", function() spec.equal(#games, 10) end)

test("another seed gives another game", function()
  for name, rest in pairs { random_spawn = "", footprints = "", scenes = "", storm = "2000" } do
    local function seeded(seed)
      return select(2, pools_of(play(name, ("--frames 300 --seed %d --stats -"):format(seed), rest), 300))
    end
    expect(seeded(7) ~= seeded(8), name)
  end
  local function storm() return play("storm", "--frames 300 --seed 7 --exec 'print(pools:hash())'", "2000") end
  spec.equal(storm(), storm())
end)

-- With one sample instead of five, of a tenth of the work, a pass is short; it ends with the median of every kind, one
-- line each.
test("the benchmark prints its figures", function()
  player.sh [[cp -R $SP_ROOT/scripts/search_vs_queue/. game && cd game &&
    [ $(grep -c 'SAMPLES <const> = 5\|PAIRS = 100000 ' bench.lua) = 2 ] &&
    sed -i.old 's/SAMPLES <const> = 5/SAMPLES <const> = 1/; s/PAIRS = 100000 /PAIRS = 10000 /' bench.lua]]
  local out <const> = run { args = "--frames 150", out = { "10000 pairs per sample: total time, median of 1\n" } }.out
  for _, size in ipairs { 10, 100, 1000 } do
    for _, name in ipairs { "search", "queue", "spawnpool" } do
      local line <const> = ("%5d objects x %5d rounds   %-10s "):format(size, 10000 // size, name)
      expect(out:find(line, 1, true), "no line '%s' in:\n%s", line, out)
    end
  end
end)

-- From `warm` frames on, pools hand out what they have: `total` stays, while `allocs` grows. The pools after a minute.
local function expect_reuse(name, warm, types)
  local lines <const> = play(name, "--frames 3600 --seed 1 --stats -")
  local early <const>, late <const> = pools_of(lines, warm), pools_of(lines, 3600)
  for type in types:gmatch "%S+" do
    local made <const> = early[type].total
    expect(late[type].total == made, "%s: pool '%s' went on growing", name, type)
    expect(late[type].allocs > early[type].allocs + made, "%s: %s is not used", name, type)
  end
  return late
end

test("pools stop growing while allocs go on", function()
  expect_reuse("cubes", 600, "Cube Chip")
  expect_reuse("random_spawn", 600, "Ripple Dust")
  expect_reuse("footprints", 1200, "Footprint Splat Row Shadow Ember")
end)

-- Points pop up for what was hit, and only then. It is too good to lose all three ships in a minute.
test("the shooter plays itself, and its pools stop growing", function()
  local pools <const> = expect_reuse("shooter", 60, "Bullet Drone Exhaust Flash Popup Spark Star")
  expect(pools.Drone.allocs >= 20 and pools.Bullet.allocs >= 200 and pools.Popup.allocs >= 40)
  expect(pools.Ship.allocs <= 3 and pools.Ship.live == 1)
end)

test("the shooter takes more stars", function()
  local pools <const> = pools_of(play("shooter", "--frames 120 --seed 1 --stats -", "10000"), 120)
  expect(pools.Star.live >= 10000)
  run { game = "$SP_ROOT/scripts/shooter", args = "--frames 1", rest = "many", status = 1,
    err = { "how many more stars?" } }
  run { game = "$SP_ROOT/scripts/storm", args = "--frames 1", rest = "many", status = 1,
    err = { "how many? a whole number, please" } }
end)

for _, size in ipairs { "160x120", "1920x1080", "600x900" } do
  test("games fit a window of " .. size, function()
    for _, name in ipairs(games) do
      play(name, ("--frames %d --seed 1 --size %s"):format(MEASURE[name] and 3 or 120, size))
    end
  end)
end

-- game_text.lua looks at all that a game writes. Frames in the small window: `survivors` until cards lie on its table.
local WRITES <const> = { breakout = 40, cubes = 90, fireworks = 20, footprints = 60, random_spawn = 60, scenes = 120,
  search_vs_queue = 20, shooter = 60, storm = 10, survivors = 200 }

for _, name in ipairs(games) do
  test("the text can be read in every window: " .. name, function()
    player.sh(([[cp -r $SP_ROOT/scripts/%s/. game && mv game/main.lua game/game.lua &&
      cp $SP_ROOT/tests/demo/game_text.lua game/main.lua]]):format(name))
    for i, size in ipairs { "320x240", "1920x1080" } do
      run { args = ("--frames %d --size %s --screenshot out.png"):format(i == 1 and WRITES[name] or 5, size),
        rest = REST[name], out = { "text is drawn" }, err = false }
    end
  end)
end

-- What is seen is as large in every window: the world is scaled, not cut.
test("a game is as high in every window", function()
  for _, name in ipairs { "shooter", "scenes" } do
    for _, size in ipairs { "320x240", "1600x1200" } do
      run { game = "$SP_ROOT/scripts/" .. name, args = "--frames 12 --size " .. size
        .. " --exec 'spawnpool.pools:after(0.1, function() print(require(\"stage\").height) end)'", out = { "\n600" } }
    end
  end
end)

-- The gallery shows them.
test("every game has a picture of the right size", function()
  for _, name in ipairs(games) do
    local file <close> = assert(io.open(("scripts/%s/thumbnail.png"):format(name), "rb"))
    local bytes <const> = file:read "a"
    spec.equal({ bytes:sub(2, 4), (">I4I4"):unpack(bytes, 17) }, { "PNG", 320, 200, 25 }, name)
    expect(#bytes <= 40960, "%s: %d bytes", name, #bytes)
  end
end)
