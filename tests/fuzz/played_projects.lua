-- Random projects that are played between edits: lua5.4 tests/fuzz/played_projects.lua [games] [seed]
--
-- tests/lua/played_game.lua says what must hold after each edit. Each game has a process of its own. One that fails is
-- made shorter, by turns that it can do without, and printed.
--   lua5.4 tests/fuzz/played_projects.lua one SEED [TURNS]    plays one game, its turns "1,2,5", and prints its script
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
local folder <const> = kit.folder()
local done <const>, value <const> = pcall(play_seeds, folder, tonumber(arg[1]) or 500, tonumber(arg[2]) or 1)
kit.remove(folder)
if not done then error(value, 0) end
os.exit(value == true)
