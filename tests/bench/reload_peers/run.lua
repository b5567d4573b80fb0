-- `make bench-reload`: the scenarios of tests/lua/reload_scenarios.lua, by whoever can reload Lua modules: a row for
-- each scenario, a column for each reloader. Every cell is a process of its own, and one that does not come back in
-- time is a "no". The figures decide nothing: exit code 0 says that the programs ran.
--   lua5.4 tests/bench/reload_peers/run.lua [-v]     -v: what went wrong in each "no"
package.path = "tests/lua/?.lua;" .. package.path

local scenarios <const> = require "reload_scenarios"
local kit <const> = require "reload_kit"

local SECONDS <const> = 5
local PEERS <const> = { "none", "require", "spawnpool" }
local TITLES <const> = { none = "no reload", require = "require again", spawnpool = "spawnpool" }

-- A process that is stopped in the middle leaves its folder: all of them lie in this one.
local folder <const> = kit.folder()

local function command(peer, number)
  return ("TMPDIR='%s' SP_TEST_FOLDERS= timeout %d lua5.4 tests/bench/reload_peers/one.lua %s %s"):format(folder,
    SECONDS, peer, number or "")
end

local function is_here(peer)
  return os.execute(command(peer) .. " >/dev/null 2>&1") == true
end

-- "yes", or "no" and why.
local function play(peer, number)
  local pipe <close> = assert(io.popen(command(peer, number) .. " 2>&1"))
  local answer <const> = pipe:read "a"
  if answer:match "^yes\n" then return "yes" end
  return "no", answer:match "^no ([^\n]*)" or answer:match "^[^\n]+" or ("no answer in %d s"):format(SECONDS)
end

local function print_row(name, cells)
  local texts <const> = {}
  for i, cell in ipairs(cells) do texts[i] = ("%13s"):format(cell) end
  print(("%-98s %s"):format(name, table.concat(texts, " ")))
end

local function run(is_verbose)
  local peers <const>, titles <const>, passed <const> = {}, {}, {}
  for _, peer in ipairs(PEERS) do
    if is_here(peer) then
      peers[#peers + 1], titles[#titles + 1], passed[peer] = peer, TITLES[peer], 0
    else
      print(TITLES[peer] .. ": cannot be had here, its column is left out")
    end
  end
  print_row("after a reload", titles)
  for number, scenario in ipairs(scenarios) do
    local cells <const>, reasons <const> = {}, {}
    for i, peer in ipairs(peers) do
      cells[i], reasons[i] = play(peer, number)
      if cells[i] == "yes" then passed[peer] = passed[peer] + 1 end
    end
    print_row(scenario.name, cells)
    for i, peer in ipairs(peers) do
      if is_verbose and reasons[i] then print(("    %s: %s"):format(TITLES[peer], reasons[i])) end
    end
  end
  local totals <const> = {}
  for i, peer in ipairs(peers) do totals[i] = ("%d of %d"):format(passed[peer], #scenarios) end
  print_row("passed", totals)
end

local ok <const>, message <const> = pcall(run, arg[1] == "-v")
os.execute(("rm -rf '%s'"):format(folder))
if not ok then error(message, 0) end
