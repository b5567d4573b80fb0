-- The games in scripts/: each plays its recording as ever and looks as ever. Recordings and pictures are
-- in tests/demo/golden; `make golden` makes them again.
local golden <const> = require "golden"
local recorded <const> = require "recorded"

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

for _, it in ipairs(recorded.games) do
  test(it.name .. " plays its recording as ever and looks as ever", function() expect_as_recorded(it) end)
end

-- `make soak-replays` plays longer, and every game.
test("what random hands play is replayed", function()
  local longer <const>, chosen <const> = tonumber(os.getenv "SP_REPLAY_FRAMES"), os.getenv "SP_REPLAY_GAME" or ""
  for _, it in ipairs(recorded.games) do
    local is_played <const> = chosen == it.name or chosen == "" and (longer or it.name == "cubes")
    local frames <const>, of_game <const> = (longer or 120) // (it.share or 1), " $SP_ROOT/scripts/" .. it.name
    for seed = 1, is_played and tonumber(os.getenv "SP_REPLAY_TIMES") or is_played and 1 or 0 do
      save("/in", recorded.random(it, frames, seed))
      sh("spawnpool --headless --replay in --record-input out" .. of_game)
      run { sh = "spawnpool --headless --replay out" .. of_game,
        err = { (": %d frames, "):format(frames), ", all as recorded\n" } }
    end
  end
end)

test("every game of the folder is played, and the libraries that drew are written down", function()
  local names <const> = {}
  for i, it in ipairs(recorded.games) do names[i] = "scripts/" .. it.name .. "/main.lua\n" end
  equal(sh "cd $SP_ROOT && ls scripts/*/main.lua", table.concat(names))
  golden.has_same_libraries()
  sh "grep -q '^SDL .*, SDL_image .*, SDL_ttf .*, FreeType ' $SP_ROOT/tests/demo/golden/libraries.txt"
end)

-- A picture in three layers: a ground, one object, and a line of text. `how` changes one of them.
local function scene_of(how)
  save("main.lua", ([[return { width = 320, height = 240, draw = function(g)
    g:clip(0, 0, %d, 240) g:color(%s, 0.1, 0.3) g:rect(0, 0, 320, 240)
    g:color(1, 0.8, 0) g:circle(%d / 2, 120, 8) g:color(1, 1, 1) g:text(20, 20, "a line") end }]]):format(
      how.cut or 320, how.ground or "0.2", how.x or 300))
  sh "spawnpool --headless --frames 2 --screenshot out.png game"
  sh(("cp out.png %s.png"):format(how.name))
  return player.path("/" .. how.name .. ".png")
end

test("the means of a picture show what is missing, displaced or cut off, and no other edges", function()
  local kept <const> = scene_of { name = "kept" }
  local function is_fine(how) return select(2, golden.difference_of_means(kept, scene_of(how))) end
  expect(is_fine { name = "shifted", x = 301 } and is_fine { name = "lighter", ground = "0.25" })
  expect(not is_fine { name = "missing", x = -100 }, "a missing object")
  expect(not is_fine { name = "displaced", x = 312 }, "a displaced object")
  expect(not is_fine { name = "cut", cut = 214 }, "a view that is cut off")
end)

local SOLVE <const> = [[
local levels, rules, pools = require "levels", require "rules", require("spawnpool").pools
local WAYS <const> = { u = { 0, -1 }, r = { 1, 0 }, d = { 0, 1 }, l = { -1, 0 } }
for _, level in ipairs(levels) do
  rules.load(level[2])
  for letter in level[3]:gmatch "." do rules.step(table.unpack(WAYS[letter:lower()])) end
  local closed = 0
  for pot in pools:pool("Pot"):each() do closed = closed + (pot.is_open and 0 or 1) end
  print(rules.gardener.moves - #level[3], closed)
end]]

test("each garden is solved by its solution", function()
  save("/solve.lua", SOLVE)
  run { game = "$SP_ROOT/scripts/garden", args = "--frames 1 --exec \"$(cat solve.lua)\"", out = ("0\t0\n"):rep(12) }
end)
