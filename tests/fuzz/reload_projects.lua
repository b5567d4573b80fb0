-- Random projects, edited while they run: lua5.4 tests/fuzz/reload_projects.lua [edits] [seed]
--
-- After each edit reload_oracle.lua says what must hold. Each project has a process of its own. A case that fails is
-- made shorter and printed as a script:
--   lua5.4 tests/fuzz/reload_projects.lua FILE        plays such a script again
--   lua5.4 tests/fuzz/reload_projects.lua one SEED    plays the project of one seed, and prints its script
--   lua5.4 tests/fuzz/reload_projects.lua cuts [seed] cuts each file of a project at every byte
--   lua5.4 tests/fuzz/reload_projects.lua soak [reloads] [seed]    the same edits again and again: memory stays flat
-- KEEP=N goes on until there are N failures, and makes none shorter.
package.path = "tests/lua/?.lua;" .. package.path

local LUA <const> = arg[-1]
local print <const> = print
local MINUTE <const> = 60 -- seconds that a project may take

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
  tell(require("reload_play").random(seed, reload, io.write))
end

local function play_file(path)
  local reload <const> = reloader()
  local f <close> = assert(io.open(path, "rb"))
  local case <const> = require("reload_script").read(f:read "a")
  tell(require("reload_case").replay(case, reload))
end

local function play_cuts(seed)
  local reload <const> = reloader()
  tell(require("reload_play").cuts(seed, reload, 1))
end

-- }==

-- {== The same edits again and again =========================================

local ROUNDS_TO_WARM_UP <const> = 20 -- after which tables have their size
-- KiB that may come and go: buffers, a list of the pools that doubles with a late peak, and what malloc keeps.
local HEAP_SLACK <const>, POOLS_SLACK <const>, PROCESS_SLACK <const> = 64, 1, 2048

local function process_kib()
  local status <close> = io.open("/proc/self/status")
  return status and tonumber(status:read("a"):match("VmRSS:%s*(%d+)")) or 0
end

-- KiB after everything dead is gone: Lua's heap, the pools' storage, the process.
local function measure(it)
  collectgarbage()
  collectgarbage()
  local m <const> = {
    heap = collectgarbage "count", pools = it.pools.pools:stats().bytes / 1024, process = process_kib(),
  }
  print(("after %6d edits   Lua %9.1f KiB   pools %9.1f KiB   process %8d KiB"):format(
    it.count.ok + it.count.refused, m.heap, m.pools, m.process))
  return m
end

local function soak(reloads, seed)
  local rounds = 0
  local before
  local count <const>, failure <const> = require("reload_play").rounds(seed, reloader(), function(it)
    rounds = rounds + 1
    if rounds == ROUNDS_TO_WARM_UP then before = measure(it) end
    assert(not it.is_over, "code that fails has no good version to go back to")
    if not before or it.count.ok + it.count.refused < reloads then return false end
    local after <const> = measure(it)
    assert(after.heap - before.heap <= HEAP_SLACK, "Lua's heap has grown")
    assert(after.pools - before.pools <= POOLS_SLACK, "the pools' storage has grown")
    assert(after.process - before.process <= PROCESS_SLACK, "the process has grown")
    return true
  end)
  tell(count, failure)
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

-- Returns the output of a process: its counts, or the kind and the text of its failure.
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
    local result <const> = run("one " .. seed, MINUTE)
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
if arg[1] == "cuts" then play_cuts(tonumber(arg[2]) or 3) end
if arg[1] == "soak" then soak(tonumber(arg[2]) or 10000, tonumber(arg[3]) or 3) end
if arg[1] and not tonumber(arg[1]) then play_file(arg[1]) end
with_folder(play_seeds, tonumber(arg[1]) or 2000, tonumber(arg[2]) or 1)
