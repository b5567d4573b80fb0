-- `make bench`: runs every program of aims.lua, one after the other and round after round, pinned to one processor,
-- then prints the aims and writes build/bench/tables.md. Figures decide nothing: exit code 0 says that programs ran.
--   lua5.4 tests/bench/bench.lua [--quick] [--page] [ONLY]
--   --page   writes the figures into docs/performance.md     ONLY   a part of the promises to measure

package.path = "tests/bench/?.lua;" .. package.path

local measured <const> = require "aims"
local page <const> = require "page"

local MOST_ROUNDS <const>, QUICK_ROUNDS <const> = 5, 2
local SECONDS <const>, QUICK_SECONDS <const> = 420, 40

local function output(command)
  local pipe <close> = assert(io.popen(command))
  return pipe:read "a"
end

-- {== What runs ==============================================================

local function is_there(need)
  if not need:find "/" then return output(("command -v %s 2>/dev/null"):format(need)) ~= "" end
  local file <close> = io.open(need)
  return file ~= nil
end

local function absence(program)
  for _, need in ipairs(program.needs) do
    if not is_there(need) then return "not installed" end
  end
  local preload <const> = program.preload
  if preload and output(("LD_PRELOAD=%s true 2>&1"):format(preload)) ~= "" then return "not installed" end
end

-- The words that put a command on one processor: the last that this process may use, because the first one is where the
-- system's own work tends to be.
local function pinning()
  local processor <const> = output("cat /proc/self/status"):match "Cpus_allowed_list:%s*%S*(%d+)\n"
  return processor and is_there "taskset" and ("taskset -c %s "):format(processor) or ""
end

local ENVIRONMENT <const> = 'LUA_PATH="tests/bench/lua/?.lua;lua/?.lua;lua/?/init.lua;;" '
  .. 'LUA_CPATH="build/bench/?.so;build/?.so;;" '

local function run(program, prefix)
  local preload <const> = program.preload and ("LD_PRELOAD=%s "):format(program.preload) or ""
  local pipe <const> = assert(io.popen(ENVIRONMENT .. preload .. prefix .. program.command))
  for line in pipe:lines() do
    local pattern <const>, value <const> = line:match "^(%S+) (%S+)$"
    local samples <const> = pattern and program.samples[pattern] or {}
    samples[#samples + 1] = tonumber(value)
    if pattern then program.samples[pattern] = samples end
  end
  if not pipe:close() then program.absent = "failed" end
end

-- Rounds until there are enough or the time is up; the first always runs.
local function run_all(programs, quick)
  local most <const>, seconds <const> = quick and QUICK_ROUNDS or MOST_ROUNDS, quick and QUICK_SECONDS or SECONDS
  local prefix <const> = (quick and "BENCH_QUICK=1 " or "") .. pinning()
  local begin <const> = os.time()
  local rounds, longest = 0, 0
  repeat
    local from <const> = os.time()
    rounds = rounds + 1
    io.stderr:write(("bench: round %d of at most %d\n"):format(rounds, most))
    for _, program in ipairs(programs) do
      if not program.absent then run(program, prefix) end
    end
    longest = math.max(longest, os.time() - from)
  until rounds == most or os.time() - begin + longest > seconds
  return rounds
end

-- }==

-- {== Results ================================================================

local function samples_of(figure)
  local id <const>, pattern <const> = figure:match "^(%S+) (%S+)$"
  local program <const> = assert(measured.programs[id], figure)
  return program.samples[pattern], program.absent
end

local function median(values)
  table.sort(values)
  local middle <const> = #values // 2 + 1
  return #values % 2 == 1 and values[middle] or (values[middle - 1] + values[middle]) / 2
end

-- The least of all rounds, because whatever else the machine does only adds to a figure. nil, why: it was not measured.
local function least_of(figure)
  local samples <const>, absent <const> = samples_of(figure)
  return samples and math.min(table.unpack(samples)), absent or "not measured"
end

-- A ratio is taken within each round, where the machine was the same; of the rounds the median counts.
local function reached_by(figure)
  if not figure.over then return (least_of(figure[2])) end
  local of <const>, over <const> = samples_of(figure[2]), (samples_of(figure.over))
  if not of or not over then return nil end
  local ratios <const> = {}
  for i = 1, math.min(#of, #over) do ratios[i] = of[i] / over[i] end
  return median(ratios)
end

-- "yes", "no", or "not measured": by the figures as they are shown, so that a reader sees the same.
local function judge(aim)
  local verdict = "yes"
  for figure in page.limits(aim) do
    figure.reached = reached_by(figure)
    if not figure.reached then return "not measured" end
    if not page.holds(figure, tonumber(page.short(figure.reached))) then verdict = "no" end
  end
  return verdict
end

local function machine()
  local name <const> = output("cat /proc/cpuinfo"):match "model name%s*:%s*([^\n]+)" or "unknown processor"
  return ("%s, %s processors, on %s"):format(name, output("nproc"):match "%d+" or "?", os.date "!%Y-%m-%d")
end

local function tools()
  local compiler <const> = output((os.getenv "CC" or "cc") .. " --version 2>/dev/null"):match "[^\n]*"
  return ("%s; %s"):format(output("uname -sr"):match "[^\n]*", compiler)
end

-- }==

local quick, writes_page, only = false, false, ""
for _, word in ipairs(arg) do
  if word == "--quick" then
    quick = true
  elseif word == "--page" then
    writes_page = true
  else
    only = word
  end
end

local chosen <const>, programs <const> = {}, {}
local function use(id)
  local program <const> = assert(measured.programs[id], id)
  if program.samples then return end
  program.samples, program.absent = {}, absence(program)
  programs[#programs + 1] = program
end
for _, aim in ipairs(measured.aims) do
  if aim.promise:find(only, 1, true) then
    chosen[#chosen + 1] = aim
    for _, figure in ipairs(aim) do
      use(figure[2]:match "^%S+")
      use((figure.over or figure[2]):match "^%S+")
    end
  end
end
assert(#chosen > 0, "no promise has this text: " .. only)

local result <const> = { aims = chosen, machine = machine(), tools = tools(), quick = quick }
result.rounds = run_all(programs, quick)
for _, aim in ipairs(chosen) do
  aim.verdict = judge(aim)
  for _, figure in ipairs(aim) do figure.value, figure.absent = least_of(figure[2]) end
end
local text <const> = page.tables(result)
io.write(text)
page.write("build/bench/tables.md", text)
if writes_page then page.take(result, "docs/performance.md") end
