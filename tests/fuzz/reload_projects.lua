-- Random projects, edited while they run: lua5.4 tests/fuzz/reload_projects.lua [edits] [seed]
--
-- After each edit reload_oracle.lua says what must hold. Each project has a process of its own. A case that fails is
-- made shorter and printed as a script:
--   lua5.4 tests/fuzz/reload_projects.lua FILE        plays such a script again
--   lua5.4 tests/fuzz/reload_projects.lua one SEED    plays the project of one seed, and prints its script
-- KEEP=N goes on until there are N failures, and makes none shorter.
package.path = "tests/lua/?.lua;" .. package.path

local LUA <const> = arg[-1]
local print <const> = print
local PLAIN <const>, MINUTE <const> = 15, 60 -- seconds that a project, a script may take

io.stdout:setvbuf "line"

-- {== In the process of one project ===========================================

-- The last line says what came of it.
local function tell(count, failure)
  print(failure and "-- FAILED " .. failure.text:gsub("\n", "\n--   ") or
    ("-- PASSED %d %d"):format(count.ok, count.refused))
  os.exit(failure == nil)
end

-- The reloader under test. What a project prints must not come between the lines of its script.
local function reloader()
  _G.print = function() end -- luacheck: ignore
  require "spawnpool"
  return require "spawnpool.reload"
end

local function play_seed(seed)
  local reload <const> = reloader()
  local play <const>, scripts <const> = require "reload_play", require "reload_script"
  local count <const>, failure <const> = play.random(seed, reload, io.write)
  io.write(scripts.TAIL)
  tell(count, failure)
end

local function play_file(path)
  local reload <const> = reloader()
  local f <close> = assert(io.open(path, "rb"))
  local case <const> = require("reload_script").read(f:read "a")
  tell(require("reload_case").replay(case, reload))
end

-- }==

-- {== In the process that looks after them ====================================

-- Where the projects lie: one that hangs cannot remove its own.
local folder

local function with_folder(body, ...)
  folder = require("reload_world").folder()
  local done <const>, value <const> = pcall(body, ...)
  os.execute(("rm -rf '%s'"):format(folder))
  if not done then error(value, 0) end
  os.exit(value)
end

-- What a process printed: its counts, or the kind and the text of its failure.
local function run(what, seconds)
  local limit <const> = ("SP_TEST_FOLDERS='%s' timeout %d"):format(folder, seconds)
  local command <const> = ("%s '%s' %s %s 2>/dev/null"):format(limit, LUA, arg[0], what)
  local pipe <const> = assert(io.popen(command))
  local output <const> = pipe:read "a"
  local _, how <const>, code <const> = pipe:close()
  local ok <const>, refused <const> = output:match "%-%- PASSED (%d+) (%d+)\n$"
  if ok then return { ok = tonumber(ok), refused = tonumber(refused), output = output } end
  local text <const> = output:match "%-%- FAILED (.*)$" or
    (code == 124 and "hang: it takes longer than %d s\n" or "crash: the process ended (%d, %s)\n"):format(
      code == 124 and seconds or code, how)
  return { ok = 0, refused = 0, output = output, kind = text:match "^%w+", text = text }
end

local function trial(case)
  local path <const> = os.tmpname()
  local f <close> = assert(io.open(path, "wb"))
  f:write(require("reload_script").text(case))
  f:close()
  local result <const> = run(path, MINUTE)
  os.remove(path)
  return result
end

local function tell_short(seed, result)
  local scripts <const> = require "reload_script"
  local case <const> = scripts.shrink(scripts.read(result.output), function(shorter)
    return trial(shorter).kind == result.kind
  end)
  print(("%s-- %s-- seed %d; again with: lua5.4 %s FILE, or: lua5.4 %s one %d"):format(scripts.text(case),
    trial(case).text or result.text, seed, arg[0], arg[0], seed))
end

local function play_seeds(edits, seed)
  local ok, refused, projects, failures = 0, 0, 0, 0
  local most <const> = tonumber(os.getenv "KEEP") or 1
  while ok + refused < edits and failures < most do
    local result <const> = run("one " .. seed, PLAIN)
    ok, refused, projects = ok + result.ok, refused + result.refused, projects + 1
    if result.kind then
      failures = failures + 1
      print(("seed %d: %s"):format(seed, result.text:match "[^\n]*"))
      if most == 1 then tell_short(seed, result) end
    end
    seed = seed + 1
  end
  print(("%d projects, %d edits went through, %d were refused; %d failures"):format(projects, ok, refused, failures))
  return failures == 0
end

-- }==

if arg[1] == "one" then play_seed(tonumber(arg[2])) end
if arg[1] and not tonumber(arg[1]) then play_file(arg[1]) end
with_folder(play_seeds, tonumber(arg[1]) or 2000, tonumber(arg[2]) or 1)
