-- The games in scripts/: each plays its recording as ever, looks as ever, goes on from the past as it did, and can be
-- read in every window. Recordings and pictures are in tests/demo/golden; `make golden` makes them again.
local golden <const> = require "golden"
local recorded <const> = require "recorded"

-- What a game may say: that a type has no class, and how far a long run is.
local function expect_quiet(err)
  local rest <const> = err:gsub("warning: unknown type [^\n]*\n", ""):gsub("spawnpool: frame %d[^\n]*\n", "")
  if rest ~= "" then error(rest, 2) end
end

local function play(name, args, rest)
  local got <const> = run { game = "$SP_ROOT/scripts/" .. name, args = args, rest = rest, err = false }
  expect_quiet(got.err)
  return got.out
end

-- {== Recordings =================================================================

local SCALED <const> = "replay: recorded in 800x600, which the game sees; the view is scaled to 640x480\n"

-- Plays random input, and keeps it with the hash of every second.
local function renew(it, path)
  save("/in", recorded.random(it, it.frames, 7, it.pad or false))
  sh(("spawnpool --headless --replay in --record-input out $SP_ROOT/scripts/%s"):format(it.name))
  local lines <const> = {}
  for line in read("/out"):gmatch "[^\n]+\n" do
    if not line:find '^{"kind":"[pdf][oi][ogl]' then lines[#lines + 1] = line end -- pools, digests, files
  end
  local file <close> = assert(io.open(path, "w"))
  file:write(table.concat(lines))
end

-- Played by the player in another window, so that the same hashes are found whatever is shown.
local function expect_as_recorded(it)
  local kept <const> = "tests/demo/golden/" .. it.name
  if golden.renews then renew(it, kept .. ".input") end
  local got <const> = run { err = { SCALED }, sh = ([[spawnpool --headless --replay $SP_ROOT/%s.input --size 640x480 \
    --screenshot out.png $SP_ROOT/scripts/%s]]):format(kept, it.name) }
  local played <const>, hashes <const> = got.err:match ": (%d+) frames, (%d+) hash%l*, all as recorded\n$"
  expect(tonumber(played) == it.frames and tonumber(hashes) > it.frames // 120, got.err)
  if golden.renews then sh(("cp out.png $SP_ROOT/%s.png"):format(kept)) end
  golden.expect(kept .. ".png", player.path "/out.png")
end

-- Random input, recorded and replayed: `make soak-replays` plays longer, and every game.
local function replay(it, frames, seed)
  save("/in", recorded.random(it, frames, seed))
  run { sh = ("spawnpool --headless --replay in --record-input out $SP_ROOT/scripts/%s"):format(it.name), err = false }
  run { sh = ("spawnpool --headless --replay out $SP_ROOT/scripts/%s"):format(it.name),
    err = { (": %d frames, "):format(frames), ", all as recorded\n" } }
end

for _, it in ipairs(recorded.games) do
  test(it.name .. " plays its recording as ever and looks as ever", function() expect_as_recorded(it) end)
end

test("what random hands play is replayed", function()
  local longer <const>, chosen <const> = tonumber(os.getenv "SP_REPLAY_FRAMES"), os.getenv "SP_REPLAY_GAME" or ""
  for _, it in ipairs(recorded.games) do
    local is_played <const> = chosen == it.name or chosen == "" and (longer or it.name == "cubes")
    for seed = 1, is_played and tonumber(os.getenv "SP_REPLAY_TIMES") or is_played and 1 or 0 do
      replay(it, (longer or 120) // (it.share or 1), seed)
    end
  end
end)

-- The second gamepad joins; then each hand moves its own ship.
test("two people play the shooter with two gamepads, or with two halves of the keyboard", function()
  local function ships()
    return ask [[local list = {}
      for ship in require('spawnpool').pools:pool 'Ship':each() do list[#list + 1] = math.floor(ship.x) end
      return table.concat(list, " ")]]
  end
  run({ game = player.root .. "/scripts/shooter", args = "--size 800x600", err = false }, function()
    host.plug_in(1)
    host.plug_in(2)
    player.frames(2)
    equal(select(2, ships():gsub("%d+", "")), 1)
    host.button("start", true, 2)
    player.frames(2)
    equal(ships(), "266 533")
    host.axis("leftx", -32768, 1)
    player.frames(30)
    expect(ships():find "^1?%d%d 533$", ships())
    host.axis("leftx", 0, 1)
    press("+right", 30)
    expect(ships():find "^1?%d%d [67]%d%d$", ships())
    press("-right +d +w", 40)
    expect(ships():find "^[23]%d%d [67]%d%d$", ships())
  end)
end)

test("every game of the folder is played, and the libraries that drew are written down", function()
  local names <const> = {}
  for i, it in ipairs(recorded.games) do names[i] = "scripts/" .. it.name .. "/main.lua\n" end
  equal(sh "cd $SP_ROOT && ls scripts/*/main.lua", table.concat(names))
  golden.has_same_libraries()
  sh "grep -q '^SDL .*, SDL_image .*, SDL_ttf .*, FreeType ' $SP_ROOT/tests/demo/golden/libraries.txt"
end)

-- }==

-- {== Windows ====================================================================

-- game_text.lua looks at all that a game writes; in the smallest window nobody reads.
local function expect_readable(it)
  sh(([[cp -r $SP_ROOT/scripts/%s/. game && mv game/main.lua game/game.lua &&
    cp $SP_ROOT/tests/demo/game_text.lua game/main.lua]]):format(it.name))
  for size, frames in pairs { ["320x240"] = it.writes, ["1920x1080"] = 5, ["600x900"] = 5, ["160x120"] = 5 } do
    local got <const> = run({ headless = true, args = "--seed 1 --size " .. size, rest = it.argument,
      out = { "text is drawn" }, err = false, exec = size == "160x120" and { "least = 0" } }, function()
        player.frames(frames)
      end)
    expect_quiet(got.err)
  end
end

for _, it in ipairs(recorded.games) do
  test("the text of " .. it.name .. " can be read in every window", function() expect_readable(it) end)
end

test("what is seen of a game is as large in every window", function()
  for _, name in ipairs { "shooter", "scenes" } do
    run({ game = player.root .. "/scripts/" .. name, args = "--size 320x240", out = false }, function()
      for _, size in ipairs { { 320, 240 }, { 1600, 1200 } } do
        host.window(table.unpack(size))
        player.frames(3)
        equal(ask "return require('stage').height", 600.0)
      end
    end)
  end
end)

-- The gallery shows them.
test("every game has a picture of the right size", function()
  for _, it in ipairs(recorded.games) do
    local file <close> = assert(io.open(("scripts/%s/thumbnail.png"):format(it.name), "rb"))
    local bytes <const> = file:read "a"
    equal({ bytes:sub(2, 4), (">I4I4"):unpack(bytes, 17) }, { "PNG", 320, 200, 25 }, it.name)
    expect(#bytes <= 40960, "%s: %d bytes", it.name, #bytes)
  end
end)

-- }==

-- {== What they show =============================================================

-- The pools in the line of --stats for a frame: { type = { live =, ... } }.
local function pools_of(lines, frame)
  local text <const> = lines:match(('{"frame":%d,[^\n]-("pools":%%[[^\n]*)'):format(frame))
  local pools <const> = {}
  for type, rest in text:gmatch '{"type":"(%w+)",([^}]*)' do
    pools[type] = {}
    for name, number in rest:gmatch '"(%w+)":(%d+)' do pools[type][name] = tonumber(number) end
  end
  return pools
end

-- From `warm` frames on, pools hand out what they have: `total` stays, while `allocs` grows. Returns the pools at the
-- end.
local function expect_reuse(name, warm, frames, types)
  local lines <const> = play(name, ("--frames %d --seed 1 --stats -"):format(frames))
  local early <const>, late <const> = pools_of(lines, warm), pools_of(lines, frames)
  for type in types:gmatch "%S+" do
    local made <const> = early[type].total
    expect(late[type].total == made, "%s: pool '%s' went on growing", name, type)
    expect(late[type].allocs > early[type].allocs + made, "%s: %s is not used", name, type)
  end
  return late
end

test("pools stop growing while allocs go on", function()
  expect_reuse("cubes", 600, 1800, "Cube Chip")
  expect_reuse("random_spawn", 600, 1800, "Ripple Dust")
  expect_reuse("footprints", 1200, 3600, "Footprint Splat Row Shadow Ember")
end)

-- Points pop up for what was hit, and only then. It is too good to lose all three ships in a minute.
test("the shooter plays itself, and its pools stop growing", function()
  local pools <const> = expect_reuse("shooter", 60, 2400, "Bullet Drone Exhaust Flash Popup Spark Star")
  expect(pools.Drone.allocs >= 20 and pools.Bullet.allocs >= 200 and pools.Popup.allocs >= 30)
  expect(pools.Ship.allocs <= 3 and pools.Ship.live == 1)
end)

test("games take a number of objects, and reject other words", function()
  local pools <const> = pools_of(play("shooter", "--frames 60 --seed 1 --stats -", "10000"), 60)
  expect(pools.Star.live >= 10000)
  run { game = "$SP_ROOT/scripts/shooter", args = "--frames 1", rest = "many", status = 1,
    err = { "how many more stars?" } }
  run { game = "$SP_ROOT/scripts/storm", args = "--frames 1", rest = "many", status = 1,
    err = { "how many? a whole number, please" } }
end)

-- All that a garden has changed is in its objects, so snapshots go back over every step, and forward again.
local SOLVE <const> = [[
local levels, rules, history, pools = require "levels", require "rules", require "history", require("spawnpool").pools
local WAYS <const> = { u = { 0, -1 }, r = { 1, 0 }, d = { 0, 1 }, l = { -1, 0 } }

local function state()
  local cells <const> = { rules.gardener.moves }
  for piece in pools:each { class = "Piece" } do cells[#cells + 1] = piece.column .. "," .. piece.row end
  return table.concat(cells, " ")
end

for _, level in ipairs(levels) do
  history.clear()
  rules.load(level[2])
  local first <const> = state()
  for letter in level[3]:gmatch "." do rules.step(table.unpack(WAYS[letter:lower()])) end
  local last <const>, moves <const>, closed, undone = state(), rules.gardener.moves, 0, 0
  for pot in pools:pool("Pot"):each() do closed = closed + (pot.is_open and 0 or 1) end
  while history.undo() do undone = undone + 1 end
  local is_back <const> = state() == first
  while history.redo() do undone = undone - 1 end
  print(moves - #level[3], closed, undone, is_back, state() == last)
end]]

test("each garden is solved by its solution, undone to its beginning, and redone", function()
  save("/solve.lua", SOLVE)
  run { game = "$SP_ROOT/scripts/garden", args = "--frames 1 --exec \"$(cat solve.lua)\"",
    out = ("0\t0\t0\ttrue\ttrue\n"):rep(12) }
end)

local function ask_garden(question)
  return ask("local play, rules, records = require 'play', require 'rules', require 'records' return " .. question)
end

test("a garden is played with keys: steps, undo, a new beginning, the fewest moves, the next one", function()
  local KEYS <const> = { u = "Up", r = "Right", d = "Down", l = "Left" }
  local function walk(way) press(KEYS[way:lower()], 12) end
  run({ game = player.root .. "/scripts/garden", out = false }, function()
    press("Space", 2)
    for way in ("dddll"):gmatch "." do walk(way) end
    for _ = 1, 2 do press("Z", 12) end
    equal({ ask_garden "rules.gardener.moves" }, { 3 })
    press("Y", 12)
    equal({ ask_garden "rules.gardener.moves" }, { 4 })
    press("R", 30)
    equal({ ask_garden "rules.gardener.moves", ask_garden "play.level" }, { 0, 1 })
    for way in ("dddlluRRurD"):gmatch "." do walk(way) end
    expect(ask_garden "play.solved_for" > 0)
    equal({ ask_garden "records.best(1)" }, { 11 })
    player.frames(140)
    equal({ ask_garden "play.level" }, { 2 })
  end)
end)

-- What hands do in each room of the platformer, six frames a letter: right, left or neither, in capitals with a jump.
local WAYS_THROUGH <const> = {
  "rRRrrrRRRRRRrRRRRrRRRrrrRRRRrRLRRr", "RRRrrRRRRRrrRRRrrrRRRRrrRRrRrRRrRr",
  "lRRRRRRLrRLJLLlrRRrrlRLRlrRrrrRRRRRrrRRrrrrrRRLr",
  "RRRrRrrRRrRrrrRRRRrRRrrRRrRRrLrlLLLLLlLLllLLllLLllLLlLLrLllLRLrRJJRlJrJlLRLRJrRRrrRRrRrrrrRrRrrrRRrRrRrRRrRrRrLr",
  "rrRRrRRrLRrRRlRrlLRrllLrlRRRRRrRRlJLlRR",
  "rRRrRRRrlJLRrL.JRLR.LlrLRLLlr.RRLlrlrRrrrRr",
}
local HOLDS <const> = { Right = "[rR]", Left = "[lL]", Space = "[RLJ]" }

-- A recording of these hands.
local function write_hands(number, letters)
  local lines <const>, frame = { recorded.head { width = "320", height = "180",
    arguments = ('["%d"]'):format(number) } }, 1
  local was = "."
  for letter in (letters .. "."):gmatch "." do
    for _, key in ipairs { "Right", "Left", "Space" } do
      local holds <const> = letter:find(HOLDS[key]) ~= nil
      if holds ~= (was:find(HOLDS[key]) ~= nil) then
        lines[#lines + 1] = recorded.line(frame, holds and "key_down" or "key_up", ('"key":"%s"'):format(key))
      end
    end
    was, frame = letter, frame + 6
  end
  save("/hands", table.concat(lines) .. recorded.line(frame, "end"))
end

local WATCH <const> = [[
local game <const>, world <const>, storage <const> = require "game", require "world", require("spawnpool").storage
local update <const>, first = game.update, nil
function game.update(dt)
  update(dt)
  first = first or world.number
  if world.number == first + 1 or storage.load "best" then
    print "through"
    require("spawnpool").quit()
  end
end
return game]]

test("each room of the platformer leads on to the next, and the last one to the end", function()
  sh "cp -R $SP_ROOT/scripts/platformer/. game && mv game/main.lua game/game.lua"
  save("main.lua", WATCH)
  for number, letters in ipairs(WAYS_THROUGH) do
    write_hands(number, letters)
    local got <const> = run { sh = "spawnpool --headless --replay hands game", err = false }
    expect(got.out:find "^through\n", "room %d: %s%s", number, got.out, got.err)
  end
end)

-- The highest that a jump comes, with the key held.
local function jump()
  local top = math.huge
  push "+Space"
  for _ = 1, 40 do
    player.frames(1)
    top = math.min(top, ask "return require('hero').it.y")
  end
  press("-Space", 20)
  return top
end

test("an edited jump of the platformer is another one at once, and nothing is lost", function()
  sh "cp -R $SP_ROOT/scripts/platformer/. game"
  run({ rest = "1", out = false, err = false }, function()
    local before <const> = jump()
    local file <const>, age <const> = read "hero.lua", ask "return require('hero').it.age"
    save("hero.lua", (file:gsub("= 238,", "= 300,")))
    equal(host.poll "now", "reloaded")
    local after <const> = jump()
    expect(after < before - 10, "%g, then %g", before, after)
    expect(ask "return require('hero').it.age" > age + 0.9)
    equal({ ask "return require('world').number" }, { 1 })
  end)
end)

-- With one sample instead of five, of a fifth of the work, a pass is short; it ends with the median of every kind,
-- one line each.
test("the benchmark prints its figures", function()
  sh [[cp -R $SP_ROOT/scripts/search_vs_queue/. game && cd game &&
    [ $(grep -c 'SAMPLES <const> = 5\|PAIRS = 10000 ' bench.lua) = 2 ] &&
    sed -i.old 's/SAMPLES <const> = 5/SAMPLES <const> = 1/; s/PAIRS = 10000 /PAIRS = 2000 /' bench.lua]]
  local out <const> = run { args = "--frames 150", out = { "2000 pairs per sample: total time, median of 1\n" } }.out
  for _, size in ipairs { 10, 100, 1000 } do
    for _, name in ipairs { "search", "queue", "spawnpool" } do
      local line <const> = ("%5d objects x %5d rounds   %-10s "):format(size, 2000 // size, name)
      expect(out:find(line, 1, true), "no line '%s' in:\n%s", line, out)
    end
  end
end)

-- }==
