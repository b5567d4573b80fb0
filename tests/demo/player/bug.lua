-- A bug as a file: what F9 writes plays in every player as it was played, and opens the timeline before its end.

-- What differs from run to run, and from machine to machine, decides where the dots are: clocks, the size of the heap,
-- the order of keys, what was stored, random seeds, measured times.
local MAIN <const> = [[local spawnpool <const> = require 'spawnpool'
  local names, storage = {}, spawnpool.storage
  for i = 1, 40 do names['key' .. i * 7919 % 1009] = i end
  names[{}], names[{}], names[print] = 41, 42, 43
  math.randomseed()
  spawnpool.class('Dot', { fields = { n = '' } })
  local runs = (storage.load 'runs' or 0) + 1
  storage.save('runs', runs)
  local function dot(x, y, n) spawnpool.pools:alloc('Dot', 2, x, y).n = tostring(n) end
  return { load = function(word) for name, i in pairs(names) do dot(i, os.clock() * 1000, name) end end,
    update = function() dot(math.random(), os.clock() + os.time() % 7, runs) end,
    draw = function(g) dot(g.update_ms, g.draw_ms, collectgarbage 'count') end,
    key_pressed = function(key) dot(1, 1, key) if key == 'b' then error 'boom' end end }]]

local ARGS <const> = "--no-watch --size 640x240 "

-- The name of the only zip in the folder.
local function found(below)
  local names <const> = sh(("cd ./%s && ls *.zip"):format(below or ""))
  expect(names:find "^game%-%d+%-%d+%.zip\n$", "%s", names)
  return names:sub(1, -2)
end

-- Programs look into the zips.
local function test(name, fn)
  player.test(name, function()
    if can("command -v zip unzip", "no zip and unzip") then fn() end
  end)
end

local function make(events, more)
  save("main.lua", MAIN)
  run { args = ARGS, at = events, rest = "one two", out = false, err = false, status = more and more.status }
  return found()
end

local function expect_same(command, status)
  return run { sh = "spawnpool --headless " .. command, out = false, status = status,
    err = { "1 hash, all as recorded" } }
end

test("what is written ends in the same state on another run", function()
  local zip <const> = make { [100] = "+left a", [200] = "-left", [610] = "click:3,4", [620] = "F9", [640] = "quit" }
  expect_same(zip)
  sh("mkdir unpacked && cd unpacked && unzip -q ../" .. zip)
  expect_same "unpacked"
  expect_same(("--replay %s game"):format(zip))
  run { sh = "cp -r game other && spawnpool --headless --replay " .. zip .. " other", out = false,
    err = { "all as recorded" } }
end)

test("nothing of the machine is in it but what the game had", function()
  save("notes.txt", "SECRET")
  save("/data.txt", "SECRET")
  local zip <const> = make({ [5] = "b", [40] = "F9", [50] = "quit" }, { status = 1 })
  local list <const> = sh("unzip -Z1 " .. zip)
  equal(list, "README.txt\nlog.txt\nmain.lua\nrecording.input\n")
  local all <const> = sh("unzip -p " .. zip)
  for _, secret in ipairs { "SECRET", host.root, path "", sh "hostname":sub(1, -2) .. "/" } do
    expect(not all:find(secret, 1, true), "%s is in it", secret)
  end
  expect_text(all, { "Nothing else of the machine" })
  expect_text(all, { "main.lua:13: boom" })
  expect_text(all, { "Lua 5.4", '"kind":"error"' })
  run { sh = "spawnpool --headless " .. zip, status = 1, out = false, err = { "boom", "1 hash, all as recorded" } }
end)

test("the window opens the timeline five seconds before the end, and plays it on demand", function()
  local zip <const> = make({ [300] = "F6", [330] = "F6", [500] = "b", [560] = "F9", [570] = "quit" }, { status = 1 })
  sh("mkdir unpacked && cd unpacked && unzip -q ../" .. zip)
  run({ game = "unpacked", args = ARGS, out = false, err = false }, function()
    await_seen " s before now, frame "
    local frame <const> = tonumber(seen(" s before now, frame ").text:match "frame (%d+)")
    expect(frame > 165 and frame < 180, "%d", frame) -- half a second was a pause
    press("Return", 100)
    expect_unseen " s before now"
  end)
end)

test("the run after going back to the past is the one that is written", function()
  expect_same(make { [200] = "F10", [202] = "Left Left", [220] = "Return", [300] = "a", [330] = "F9", [340] = "quit" })
end)

test("a finished game that stops leaves one beside its log, which plays too", function()
  local main <const> = MAIN:gsub("return { load", "return { id = 'org.test.bug', load")
  local env <const>, folder <const> = "XDG_DATA_HOME=$PWD/data ", "data/spawnpool/org.test.bug"
  run { main = main:gsub("update = function%(%)", "%0 if spawnpool.pools.time > 1.1 then error 'late' end"), status = 1,
    err = false, out = false, sh = env .. "spawnpool --headless --realtime --release game" }
  local zip <const> = found(folder)
  for _, command in ipairs { ("%s/%s"):format(folder, zip), ("--replay %s/error.log game"):format(folder) } do
    run { sh = "spawnpool --headless " .. command, status = 1, out = false,
      err = { "late", ", all as recorded; it ends in the error" } }
  end
end)

local SPARK <const> = [[local Spark <const> = require "spawnpool".class "Spark"
  function Spark:alloc(...)
    local spark <const> = Spark.super.alloc(self, ...)
    spark.vx = SPEED
    return spark
  end
  return Spark]]

local function reload(name, text)
  save(name, text)
  press("F5", 20)
end

-- Edits a class, then main.lua, which is refused; it gets a new module, which is edited; it fails, is taken back,
-- and is fixed.
test("a game that was edited meanwhile is edited again, in the same frames", function()
  local main <const> = [[local n = 0
    return { update = function() n = n + 1 require("spawnpool").pools:alloc("Spark", 2, n, 1) end }]]
  local more <const> = main:gsub("n, 1", "n, require 'more'.y")
  save("pools/Spark.lua", (SPARK:gsub("SPEED", "100")))
  run({ main = main, args = ARGS .. "--synctest --record-input in",
    out = { "reloaded pools/Spark.lua", "reloaded main.lua", "reloaded more.lua" },
    err = { "still running the previous", "is reverted", " 0 differ" } }, function()
      frames(30)
      reload("pools/Spark.lua", "-- faster\n" .. SPARK:gsub("SPEED", "200"))
      reload("main.lua", main .. " end")
      save("more.lua", "return { y = 40 }")
      reload("main.lua", more)
      reload("more.lua", "return { y = 50 }")
      reload("main.lua", (more:gsub("n = n", "n = m")))
      reload("main.lua", (more:gsub("more'.y", "%0 / 2")))
      press("F9", 10)
    end)
  local zip <const> = found()
  expect_same(zip, 0)
  run { sh = "spawnpool --headless --replay in game", out = false, err = { "3 hashes, all as recorded" } }
  for number, want in pairs { [20] = "-> 100  pools/Spark.lua:4", [60] = "-> 200  pools/Spark.lua:5" } do
    run { sh = ("spawnpool --replay %s --why 'Spark#%d:1.vx' game"):format(zip, number), out = { want }, err = false }
  end
end)

test("why there is none is said", function()
  run { main = MAIN, args = ARGS .. "--no-timeline", at = { [5] = "F9", [9] = "quit" }, out = false,
    err = "spawnpool: no bug file: this run is not recorded, as with --no-timeline and --trust\n" }
end)
