-- `make bench`: runs every contestant of suites.lua, one after the other and round after round, pinned to one
-- processor, then prints one table with medians, spread and ratios, and writes build/bench.json. Figures decide
-- nothing: exit code 0 says that the programs ran.
--   lua5.4 tests/bench/bench.lua [--quick] [--json FILE] [SUITE...]

package.path = "tests/bench/?.lua;" .. package.path

local aims <const> = require "aims"
local machine <const> = require "machine"
local report <const> = require "report"
local suites <const> = require "suites"

-- {== Who can run ============================================================

local function found(command)
  return os.execute(command .. " >/dev/null 2>&1") == true
end

local function is_there(need)
  if not need:find("/") then return found("command -v " .. need) end
  local file <close> = io.open(need)
  return file ~= nil
end

local function missing(contestant)
  for _, need in ipairs(contestant.needs) do
    if not is_there(need) then return contestant.package and "not installed" or "not built" end
  end
  if contestant.threads and (tonumber(machine.output "nproc") or 1) < contestant.threads then
    return "too few processors"
  end
  if contestant.preload then
    local complaint <const> = machine.output(("LD_PRELOAD=%s true 2>&1"):format(contestant.preload))
    if complaint ~= "" then return "not installed" end
  end
  if contestant.listed then -- compiled in only when its headers were there
    local names <const> = machine.output(contestant.needs[1])
    if not names:find(contestant.id, 1, true) then return "not installed" end
  end
end

-- }==

-- {== Runs ===================================================================

local ENVIRONMENT <const> = 'LUA_PATH="tests/bench/lua/?.lua;lua/?.lua;lua/?/init.lua;;" '
  .. 'LUA_CPATH="build/bench/?.so;build/?.so;;" '

local function run(contestant, prefix)
  local preload <const> = contestant.preload and ("LD_PRELOAD=%s "):format(contestant.preload) or ""
  local pinning <const> = contestant.threads and "" or machine.pinning()
  local pipe <const> = assert(io.popen(preload .. prefix .. pinning .. contestant.command))
  for line in pipe:lines() do
    local pattern <const>, value <const> = line:match("^(%S+) (%S+)$")
    if pattern then
      local samples <const> = contestant.samples[pattern] or {}
      contestant.samples[pattern] = samples
      table.insert(samples, tonumber(value))
    end
  end
  if not pipe:close() then contestant.absent = "failed" end
end

local function run_round(chosen, prefix)
  for _, suite in ipairs(chosen) do
    for _, contestant in ipairs(suite.contestants) do
      if not contestant.absent then run(contestant, prefix) end
    end
  end
end

-- Rounds until there are enough or the time is up; the first always runs.
local function run_all(chosen, quick)
  local most <const>, budget <const> = quick and 3 or 7, quick and 24 or 260
  local prefix <const> = ENVIRONMENT .. (quick and "BENCH_QUICK=1 " or "")
  local begin <const> = os.time()
  local rounds, longest = 0, 0
  repeat
    local from <const> = os.time()
    rounds = rounds + 1
    io.stderr:write(("bench: round %d of at most %d\n"):format(rounds, most))
    run_round(chosen, prefix)
    longest = math.max(longest, os.time() - from)
  until rounds == most or os.time() - begin + longest > budget
  return rounds
end

-- }==

local function options(args)
  local quick, json = false, "build/bench.json"
  local chosen <const> = {}
  local i = 1
  while i <= #args do
    if args[i] == "--quick" then
      quick = true
    elseif args[i] == "--json" then
      i = i + 1
      json = args[i]
    else
      chosen[#chosen + 1] = assert(suites[args[i]], "no such suite: " .. args[i])
    end
    i = i + 1
  end
  return quick, json, #chosen > 0 and chosen or suites
end

local quick <const>, json <const>, chosen <const> = options(arg)
for _, suite in ipairs(suites) do
  for _, contestant in ipairs(suite.contestants) do
    contestant.samples = {}
    contestant.absent = missing(contestant)
  end
end
local result <const> = { quick = quick, rounds = run_all(chosen, quick), suites = chosen, machine = machine.describe() }
report.summarise(result)
result.before = report.read_before("docs/performance-before.json", suites)
report.judge(result, aims, suites)
report.print(result)
report.write_json(result, json)
