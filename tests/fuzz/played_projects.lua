-- Random projects that are played between edits: lua5.4 tests/fuzz/played_projects.lua [games] [seed]
--
-- tests/lua/played_game.lua says what must hold after each edit. Each game has a process of its own. One that fails is
-- made shorter, by turns that it can do without, and printed.
--   lua5.4 tests/fuzz/played_projects.lua one SEED [TURNS]    plays one game, its turns "1,2,5", and prints its script
--   lua5.4 tests/fuzz/played_projects.lua soak [reloads]      the same edits again and again: memory stays flat
package.path = "tests/lua/?.lua;" .. package.path

local kit <const> = require "reload_kit"

local LUA <const> = arg[-1]
local MINUTE <const> = 60 -- seconds that a game may take
local TURNS <const> = 12

io.stdout:setvbuf "line"

local function play(seed, turns)
  local chosen <const> = turns and {}
  for turn in (turns or ""):gmatch "%d+" do chosen[tonumber(turn)] = true end
  require "spawnpool"
  local done <const>, wrong <const> = xpcall(require "played_game", function(e)
    return type(e) == "table" and e.text or debug.traceback(e)
  end, seed, require "spawnpool.reload", chosen, function(text) io.write(text) end)
  print(done and "-- PASSED" or "-- FAILED " .. wrong:gsub("\n", "\n--   "))
  os.exit(done)
end

-- {== The same edits again and again =========================================

local ROUNDS_TO_WARM_UP <const> = 20 -- after which tables have their size
-- KiB that may come and go: buffers, a list of the pools that doubles with a late peak, and what malloc keeps.
local SLACK <const> = { heap = 64, pools = 1, process = 2048 }

local BUS <const> = "local on <const> = {}\nreturn { on = function(f) on[#on + 1] = f end }"
local USER <const> = "local n = 0\nrequire('bus').on(function() n = n + 1 end)\nreturn { made = { 1, n = %s } }"
local CUBE <const> = "local Cube <const> = require('spawnpool').class('Cube', { limit = 9, fields = { hp = 1%s } })\n"
  .. "function Cube:on_spawn(o) o.x = 1 %s end\nreturn Cube"
-- Each save undoes the one before: one is refused, one taken back.
local EDITS <const> = {
  { "bus.lua", BUS .. " -- a remark" }, { "bus.lua", BUS }, { "user.lua", USER:format(2) }, { "user.lua", "return {" },
  { "user.lua", USER:format(1) }, { "pools/Cube.lua", CUBE:format(", power = 2", "") },
  { "pools/Cube.lua", CUBE:format("", "error 'new'") }, { "pools/Cube.lua", CUBE:format("", "") },
}

-- KiB after everything dead is gone: Lua's heap, the pools' storage, the process.
local function measure(pools, edits)
  collectgarbage()
  collectgarbage()
  local status <close> = io.open "/proc/self/status"
  local process <const> = status and tonumber(status:read("a"):match "VmRSS:%s*(%d+)") or 0
  local m <const> = { heap = collectgarbage "count", pools = pools:stats().bytes / 1024, process = process }
  print(("after %6d edits   Lua %9.1f KiB   pools %9.1f KiB   process %8d KiB"):format(edits, m.heap, m.pools, process))
  return m
end

local function soak(most)
  local spawnpool <const>, reload <const> = require "spawnpool", require "spawnpool.reload"
  local folder <const> = kit.folder()
  kit.make_folder(folder .. "/pools")
  for _, edit in ipairs { { "main.lua", "return require 'user'" }, EDITS[2], EDITS[5], EDITS[8] } do
    kit.write(folder, edit[1], edit[2])
  end
  package.path = folder .. "/?.lua;" .. package.path
  reload.watch(folder)
  require "main"
  local pools <const> = spawnpool.new { path = folder .. "/pools/?.lua" }
  local counts <const>, before = { ok = 0, refused = 0, reverted = 0 }, nil
  for edits = 1, most do
    kit.write(folder, table.unpack(EDITS[edits % #EDITS + 1]))
    local result = reload.now()
    pools:alloc("Cube", 0.01)
    pools:update(1 / 64)
    while result do
      local kind <const> = result.reverted and "reverted" or result.ok and "ok" or "refused"
      counts[kind] = counts[kind] + 1
      result = reload.poll()
    end
    if edits == ROUNDS_TO_WARM_UP * #EDITS then before = measure(pools, edits) end
  end
  local after <const>, rounds <const> = measure(pools, most), most // #EDITS
  for what, slack in pairs(SLACK) do assert(after[what] - before[what] <= slack, what .. " has grown") end
  assert(counts.refused >= rounds and counts.reverted >= rounds, "an edit was not refused, or not taken back")
  kit.remove(folder)
  os.exit(true)
end

-- }==

-- {== In the process that looks after them ====================================

-- Plays a game; one that hangs cannot remove its folder. Returns its failure, nil when there is none, and its output.
local function run(folder, seed, turns)
  local command <const> = ("SP_TEST_FOLDERS='%s' timeout %d '%s' %s one %d %s 2>/dev/null"):format(folder, MINUTE, LUA,
    arg[0], seed, turns or "")
  local pipe <const> = assert(io.popen(command))
  local output <const> = pipe:read "a"
  local _, how <const>, code <const> = pipe:close()
  if output:find "%-%- PASSED\n$" then return nil, output end
  return output:match "%-%- FAILED (.*)$" or ("the process ended (%s %d)\n"):format(how, code), output
end

-- Leaves out each turn that the failure can do without, and prints what is left. Failures are alike when they differ in
-- numbers only.
local function tell_short(folder, seed, wrong, output)
  local function kind_of(text) return (text:match("[^\n]*"):gsub("0x%x+", "0"):gsub("%d+", "0")) end
  local turns, kind <const> = ",", kind_of(wrong)
  for turn = 1, TURNS do turns = turns .. turn .. "," end
  for turn = TURNS, 1, -1 do
    local shorter <const> = turns:gsub(("," .. turn .. ","), ",")
    local its <const>, script <const> = run(folder, seed, shorter)
    if its and kind_of(its) == kind then turns, wrong, output = shorter, its, script end
  end
  print(("%s-- seed %d: %s-- again with: lua5.4 %s one %d %s"):format(output, seed, wrong, arg[0], seed, turns))
end

local function play_seeds(folder, games, seed)
  for i = seed, seed + games - 1 do
    local wrong <const>, output <const> = run(folder, i)
    if wrong then
      print(("seed %d: %s"):format(i, wrong:match "[^\n]*"))
      return tell_short(folder, i, wrong, output)
    end
  end
  print(("%d games"):format(games))
  return true
end

-- }==

if arg[1] == "one" then play(tonumber(arg[2]), arg[3]) end
if arg[1] == "soak" then soak(tonumber(arg[2]) or 10000) end
local folder <const> = kit.folder()
local done <const>, value <const> = pcall(play_seeds, folder, tonumber(arg[1]) or 500, tonumber(arg[2]) or 1)
kit.remove(folder)
if not done then error(value, 0) end
os.exit(value == true)
