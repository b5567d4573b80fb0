-- `make bench`: runs every program of aims.lua, one after the other and round after round, pinned to one processor,
-- then prints the aims and writes build/bench/tables.md. Figures decide nothing: exit code 0 says that every program
-- ran, 1 that one failed or is not installed, which a line on stderr names.
--   lua5.4 tests/bench/bench.lua [--quick] [--page] [ONLY]
--   --page    writes the figures into docs/performance.md     ONLY   a part of the promises to measure
--   --check   runs nothing: exit status 1 when the aims of docs/performance.md are not those of aims.lua
-- The text of the page is written by hand and says nothing that a run could contradict; what stands between
-- `<!-- from the run: WHAT -->` and `<!-- end -->` is replaced.

package.path = "tests/bench/?.lua;" .. package.path

local measured <const> = require "aims"

local PAGE <const> = "docs/performance.md"
local MOST_ROUNDS <const>, QUICK_ROUNDS <const> = 5, 2
local SECONDS <const>, QUICK_SECONDS <const> = 420, 40

local function output(command)
  local pipe <close> = assert(io.popen(command))
  return pipe:read "a"
end

local function read(path)
  local file <close> = assert(io.open(path))
  return file:read "a"
end

local function write(path, text)
  local file <close> = assert(io.open(path, "w"))
  assert(file:write(text))
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
  if preload and output(("LD_PRELOAD=%s env true 2>&1"):format(preload)) ~= "" then return "not installed" end
end

-- The words that put a command on one processor: the last that this process may use, because the first one is where the
-- system's own work tends to be.
local function pinning()
  local processor <const> = read("/proc/self/status"):match "Cpus_allowed_list:%s*%S*(%d+)\n"
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

-- {== Figures ================================================================

local function short(value)
  return (value >= 100 and "%.0f" or value >= 10 and "%.1f" or "%.2f"):format(value)
end

local function program_of(figure)
  local id <const>, pattern <const> = figure:match "^(%S+) (%S+)$"
  return assert(measured.programs[id], figure), pattern
end

local function median(values)
  table.sort(values)
  local middle <const> = #values // 2 + 1
  return #values % 2 == 1 and values[middle] or (values[middle - 1] + values[middle]) / 2
end

-- The least of all rounds, because whatever else the machine does only adds to a figure. nil, why: it was not measured.
local function least_of(figure)
  local program <const>, pattern <const> = program_of(figure)
  local samples <const> = program.samples[pattern]
  return samples and math.min(table.unpack(samples)), program.absent or "not measured"
end

-- A ratio is taken within each round, where the machine was the same; of the rounds the median counts.
local function reached_by(figure)
  if not figure.over then return (least_of(figure[2])) end
  local program <const>, pattern <const> = program_of(figure[2])
  local other <const>, beside <const> = program_of(figure.over)
  local of <const>, over <const> = program.samples[pattern], other.samples[beside]
  if not of or not over then return nil end
  local ratios <const> = {}
  for i = 1, math.min(#of, #over) do ratios[i] = of[i] / over[i] end
  return median(ratios)
end

-- "yes", "no", or "not measured": by the figures as they are shown, so that a reader sees the same.
local function judge(aim)
  local verdict = "yes"
  for _, figure in ipairs(aim.limits) do
    figure.reached = reached_by(figure)
    if not figure.reached then return "not measured" end
    local value <const> = tonumber(short(figure.reached))
    if value < (figure.at_least or value) or value > (figure.at_most or value) then verdict = "no" end
  end
  return verdict
end

-- }==

-- {== Texts ==================================================================

-- text(figure, unit) of each figure that has a limit.
local function limits(aim, text)
  local texts <const> = {}
  for i, figure in ipairs(aim.limits) do texts[i] = text(figure, figure.over and "x" or " " .. aim.unit) end
  return table.concat(texts, ", ")
end

local function reached(aim)
  return limits(aim, function(figure, unit)
    return figure.reached and short(figure.reached) .. unit or "not measured"
  end)
end

local function wanted(aim)
  return (limits(aim, function(figure, unit)
    return (figure.at_least and "at least " or "at most ") .. short(figure.at_least or figure.at_most) .. unit
  end):gsub(", at most ", ", "))
end

local function value_of(figure, aim)
  return figure.value and ("%s %s"):format(short(figure.value), figure.unit or aim.unit) or figure.absent
end

local blocks <const> = {}

function blocks.verdict(result)
  local met = 0
  for _, aim in ipairs(result.aims) do met = met + (aim.verdict == "yes" and 1 or 0) end
  return ("The run meets %d of its %d aims."):format(met, #result.aims)
end

function blocks.machine(result)
  local name <const> = read("/proc/cpuinfo"):match "model name%s*:%s*([^\n]+)" or "unknown processor"
  local compiler <const> = output((os.getenv "CC" or "cc") .. " --version 2>/dev/null"):match "[^\n]*"
  return ("Measured on %s, %s processors, on %s.\n%s; %s; %d rounds."):format(name, output("nproc"):match "%d+" or "?",
    os.date "!%Y-%m-%d", output("uname -sr"):match "[^\n]*", compiler, result.rounds)
end

function blocks.aims(result)
  local lines <const> = { "| | promise | figures | reached | aim | met |", "|---:|---|---|---:|---:|---|" }
  for number, aim in ipairs(result.aims) do
    local figures <const> = {}
    for i, figure in ipairs(aim) do
      local lacks <const> = figure[3] and (" (without %s)"):format(figure[3]) or ""
      figures[i] = ("%s%s: %s"):format(figure[1], lacks, value_of(figure, aim))
    end
    lines[#lines + 1] = ("| %d | %s | %s | %s | %s | %s |"):format(number, aim.promise, table.concat(figures, "; "),
      reached(aim), wanted(aim), aim.verdict == "no" and "**no**" or aim.verdict)
  end
  return table.concat(lines, "\n")
end

function blocks.missed(result)
  local lines <const> = { "| missed | why |", "|---:|---|" }
  for number, aim in ipairs(result.aims) do
    if aim.verdict == "no" then lines[#lines + 1] = ("| %d | %s |"):format(number, aim.why) end
  end
  return #lines > 2 and table.concat(lines, "\n") or "None is missed."
end

-- Everything that was measured, an aim after the other.
local function tables(result)
  local lines <const> = { blocks.machine(result), result.quick and "A quick run: a first look only." or nil }
  for _, aim in ipairs(result.aims) do
    lines[#lines + 1] = ("\n%s\n  reached %s; %s: %s"):format(aim.promise, reached(aim), wanted(aim), aim.verdict)
    for _, figure in ipairs(aim) do
      local lacks <const> = figure[3] and "without " .. figure[3] or ""
      lines[#lines + 1] = ("    %-46s %14s  %s"):format(figure[1], value_of(figure, aim), lacks)
    end
  end
  return ("%s\n\n%s\n"):format(table.concat(lines, "\n"), blocks.verdict(result))
end

local function update_page(result)
  local BLOCK <const> = "(<!%-%- from the run: (%l+) %-%->\n).-(<!%-%- end %-%->)"
  local function fill(head, what, tail) return head .. assert(blocks[what], what)(result) .. "\n" .. tail end
  write(PAGE, (read(PAGE):gsub(BLOCK, fill)))
end

-- }==

-- Returns what is wrong with the row of an aim on the page; nil: nothing.
local function wrong_row(text, number, aim)
  local from <const> = text:find(("\n| %d | %s |"):format(number, aim.promise), 1, true)
  if not from then return "is missing" end
  local aimed_at <const>, met <const> = text:match("[^\n]*| ([^|\n]+) | ([^|\n]+) |\n", from + 1)
  if aimed_at ~= wanted(aim) then return "the aim is " .. wanted(aim) end
  local is_explained <const> = text:find(("\n| %d | %s |\n"):format(number, aim.why), 1, true) ~= nil
  return is_explained ~= (met == "**no**") and "only a missed aim has a reason" or nil
end

local function check_page()
  local text <const> = read(PAGE)
  for number, aim in ipairs(measured.aims) do
    local wrong <const> = wrong_row(text, number, aim)
    if wrong then
      io.stderr:write(("bench: %s: %s\n"):format(aim.promise, wrong))
      os.exit(1)
    end
  end
end

-- Returns the aims whose promise has this text, and the programs that they need.
local function choose(only)
  local aims <const>, programs <const> = {}, {}
  local function use(figure)
    local program <const> = program_of(figure)
    if program.samples then return end
    program.samples, program.absent = {}, absence(program)
    programs[#programs + 1] = program
  end
  for _, aim in ipairs(measured.aims) do
    if aim.promise:find(only, 1, true) then
      aims[#aims + 1] = aim
      for _, figure in ipairs(aim) do
        use(figure[2])
        use(figure.over or figure[2])
      end
    end
  end
  assert(#aims > 0, "no promise has this text: " .. only)
  return aims, programs
end

local options <const>, only = {}, ""
for _, word in ipairs(arg) do
  if word:find "^%-%-" then options[word] = true else only = word end
end
if options["--check"] then return check_page() end

local aims <const>, programs <const> = choose(only)
local result <const> = { aims = aims, quick = options["--quick"], rounds = run_all(programs, options["--quick"]) }
for _, aim in ipairs(aims) do
  aim.verdict = judge(aim)
  for _, figure in ipairs(aim) do figure.value, figure.absent = least_of(figure[2]) end
end
local text <const> = tables(result)
io.write(text)
write("build/bench/tables.md", text)
if options["--page"] then update_page(result) end
local absent <const> = {}
for _, program in ipairs(programs) do
  if program.absent then absent[#absent + 1] = ("bench: %s: %s\n"):format(program.command, program.absent) end
end
io.stderr:write(table.concat(absent))
if #absent > 0 then os.exit(1) end
