-- Random projects that are played between edits: lua5.4 tests/fuzz/played_projects.lua [games] [seed]
--
-- tests/lua/played_game.lua says what must hold after each edit. Each game has a process of its own. One that fails is
-- made shorter, by turns that it can do without, and printed.
--   lua5.4 tests/fuzz/played_projects.lua one SEED [TURNS]    plays one game, its turns "1,2,5", and prints its script
--   lua5.4 tests/fuzz/played_projects.lua soak [reloads]      the same edits again and again: memory stays flat
-- KEEP=N goes on until there are N failures, and makes none shorter. RELOADER=FILE: another reloader of modules than
-- the library, a file that returns a table with watch and now; with heal(message) and poll it may take code back.
package.path = "tests/lua/?.lua;" .. package.path

local kit <const> = require "reload_kit"

local LUA <const> = arg[-1]
local MINUTE <const> = 60 -- seconds that a game may take
local TURNS <const> = 12

io.stdout:setvbuf "line"

-- {== In the process of one game ==============================================

local function reloader()
  local file <const> = os.getenv "RELOADER"
  if not file then
    require "spawnpool"
    return require "spawnpool.reload"
  end
  local reload <const> = dofile(file)
  reload.is_for_modules = true
  return reload
end

local function play(seed, turns)
  local chosen = nil
  for turn in (turns or ""):gmatch "%d+" do
    chosen = chosen or {}
    chosen[tonumber(turn)] = true
  end
  local reload <const> = reloader()
  local done <const>, wrong <const> = xpcall(require "played_game", function(e)
    return type(e) == "table" and e.text or debug.traceback(e)
  end, seed, reload, chosen, function(text) io.write(text) end)
  print(done and "-- PASSED" or "-- FAILED " .. wrong:gsub("\n", "\n--   "))
  os.exit(done)
end

-- }==

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
  local reload <const> = reloader()
  local folder <const> = kit.folder()
  kit.make_folder(folder .. "/pools")
  for _, edit in ipairs { { "main.lua", "return require 'user'" }, EDITS[2], EDITS[5], EDITS[8] } do
    kit.write(folder, edit[1], edit[2])
  end
  package.path = folder .. "/?.lua;" .. package.path
  reload.watch(folder)
  require "main"
  local pools <const> = require("spawnpool").new { path = folder .. "/pools/?.lua" }
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

local folder -- where the projects lie: a game that hangs cannot remove its own

-- Plays a game. Returns its failure, nil when there is none, and its output.
local function run(seed, turns)
  local command <const> = ("SP_TEST_FOLDERS='%s' timeout %d '%s' %s one %d %s 2>/dev/null"):format(folder, MINUTE, LUA,
    arg[0], seed, turns)
  local pipe <const> = assert(io.popen(command))
  local output <const> = pipe:read "a"
  local _, how <const>, code <const> = pipe:close()
  if output:find "%-%- PASSED\n$" then return nil, output end
  return output:match "%-%- FAILED (.*)$" or ("the process ended (%s %d)\n"):format(how, code), output
end

-- Failures are alike when they differ in numbers only.
local function kind_of(text) return (text:match("[^\n]*"):gsub("0x%x+", "0"):gsub("%d+", "0")) end

-- Makes a failing list of turns shorter: leaves out halves, then smaller parts, then single ones, from the end, as
-- long as `fails` says so of the rest. Asks at most `most` times.
local function shrink(list, fails, most)
  local size = (#list + 1) // 2
  while size > 0 and #list > 0 do
    local has_dropped = false
    for from = (#list - 1) // size * size + 1, 1, -size do
      local rest <const> = table.move(list, 1, from - 1, 1, {})
      table.move(list, from + size, #list, from, rest)
      if most > 0 and from <= #list and fails(rest) then list, has_dropped = rest, true end
      most = most - 1
    end
    if size > 1 or not has_dropped then size = size // 2 end -- one may have waited for another
  end
  return list
end

local function tell_short(seed, text)
  local list <const> = {}
  for turn = 1, TURNS do list[turn] = turn end
  local turns <const> = shrink(list, function(shorter)
    local wrong <const> = run(seed, table.concat(shorter, ",") .. ",0")
    return wrong ~= nil and kind_of(wrong) == kind_of(text)
  end, 40)
  local short <const> = table.concat(turns, ",") .. ",0"
  local wrong <const>, output <const> = run(seed, short)
  print(("%s-- seed %d: %s-- again with: lua5.4 %s one %d %s"):format(output, seed, wrong or text, arg[0], seed, short))
end

local function play_seeds(games, seed)
  local most <const>, failures = tonumber(os.getenv "KEEP") or 1, 0
  local played = 0
  while played < games and failures < most do
    local wrong <const> = run(seed, "")
    played = played + 1
    if wrong then
      failures = failures + 1
      print(("seed %d: %s"):format(seed, wrong:match "[^\n]*"))
      if most == 1 then tell_short(seed, wrong) end
    end
    seed = seed + 1
  end
  print(("%d games, %d failures"):format(played, failures))
  return failures == 0
end

-- }==

if arg[1] == "one" then play(tonumber(arg[2]), arg[3]) end
if arg[1] == "soak" then soak(tonumber(arg[2]) or 10000) end
folder = kit.folder()
local done <const>, value <const> = pcall(play_seeds, tonumber(arg[1]) or 500, tonumber(arg[2]) or 1)
os.execute(("rm -rf '%s'"):format(folder))
if not done then error(value, 0) end
os.exit(value)
