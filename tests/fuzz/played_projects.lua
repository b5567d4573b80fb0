-- Random projects that are played between edits: lua5.4 tests/fuzz/played_projects.lua [games] [seed]
--
-- tests/lua/played_game.lua says what must hold after each edit. Each game has a process of its own. One that fails is
-- made shorter, by turns that it can do without, and printed.
--   lua5.4 tests/fuzz/played_projects.lua one SEED [TURNS]    plays one game, its turns "1,2,5", and prints its script
-- KEEP=N goes on until there are N failures, and makes none shorter. RELOADER=FILE: another reloader of modules than
-- the library, a file that returns a table with watch and now; with heal(message) and poll it may take code back.
package.path = "tests/lua/?.lua;" .. package.path

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

local function tell_short(seed, text)
  local list <const> = {}
  for turn = 1, TURNS do list[turn] = turn end
  local turns <const> = require "shrink"(list, function(shorter)
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
folder = require("reload_world").folder()
local done <const>, value <const> = pcall(play_seeds, tonumber(arg[1]) or 500, tonumber(arg[2]) or 1)
os.execute(("rm -rf '%s'"):format(folder))
if not done then error(value, 0) end
os.exit(value)
