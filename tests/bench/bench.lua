-- `make bench`: runs every contestant of suites.lua, one after the other and round after round, pinned to one
-- processor, then prints one table with medians, spread and ratios, and writes build/bench.json. Figures decide
-- nothing: exit code 0 says that the programs ran.
--   lua5.4 tests/bench/bench.lua [--quick] [--json FILE] [SUITE...]

package.path = "tests/bench/?.lua;" .. package.path

local aims <const> = require "aims"
local report <const> = require "report"
local suites <const> = require "suites"

-- {== The machine ============================================================

local function output_of(command)
  local pipe <close> = assert(io.popen(command))
  return pipe:read("a")
end

local function found(command)
  return os.execute(command .. " >/dev/null 2>&1") == true
end

-- The last processor that this process may use: the first one is where the system's own work tends to be.
local function last_processor()
  local status <close> = io.open("/proc/self/status")
  local list <const> = status and status:read("a"):match("Cpus_allowed_list:%s*(%S+)")
  return list and list:match("(%d+)$")
end

local function pinning()
  local processor <const> = last_processor()
  return processor and found("command -v taskset") and ("taskset -c %s "):format(processor) or ""
end

local function machine()
  local info <close> = io.open("/proc/cpuinfo")
  local model <const> = info and info:read("a"):match("model name%s*:%s*([^\n]+)")
  return {
    processor = model or "unknown",
    processors = tonumber(output_of("nproc 2>/dev/null")) or 1,
    compiler = output_of((os.getenv("CC") or "cc") .. " --version 2>/dev/null"):match("[^\n]*"),
    lua = _VERSION,
    pinned = pinning() ~= "",
  }
end

-- }==

-- {== Runs ===================================================================

local function missing(contestant)
  local needs <const> = contestant.needs
  if needs:find("/") then
    local file <close> = io.open(needs)
    if not file then return contestant.package and "not installed" or "not built" end
  elseif not found("command -v " .. needs) then
    return "not installed"
  end
  if contestant.preload then
    local complaint <const> = output_of(("LD_PRELOAD=%s true 2>&1"):format(contestant.preload))
    if complaint ~= "" then return "not installed" end
  end
  if contestant.listed then -- compiled in only when its headers were there
    local names <const> = output_of(contestant.needs)
    if not names:find(contestant.id, 1, true) then return "not installed" end
  end
end

local ENVIRONMENT <const> = 'LUA_PATH="tests/bench/lua/?.lua;lua/?.lua;lua/?/init.lua;;" '
  .. 'LUA_CPATH="build/bench/?.so;build/?.so;;" '

local function run(contestant, prefix)
  local preload <const> = contestant.preload and ("LD_PRELOAD=%s "):format(contestant.preload) or ""
  local pipe <const> = assert(io.popen(preload .. prefix .. contestant.command))
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
  local most <const>, budget <const> = quick and 3 or 7, quick and 24 or 240
  local prefix <const> = ENVIRONMENT .. (quick and "BENCH_QUICK=1 " or "") .. pinning()
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
local result <const> = { machine = machine(), quick = quick, rounds = run_all(chosen, quick), suites = chosen }
report.summarise(result)
report.judge(result, aims, suites)
report.print(result)
report.write_json(result, json)
