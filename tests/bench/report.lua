-- From samples to the table and the JSON file.

local json <const> = require "json"

local report <const> = {}

-- {== Figures ================================================================

local function median(values)
  local sorted <const> = table.move(values, 1, #values, 1, {})
  table.sort(sorted)
  local middle <const> = #sorted // 2 + 1
  return #sorted % 2 == 1 and sorted[middle] or (sorted[middle - 1] + sorted[middle]) / 2
end

-- Median and spread. A pattern marked `best` is a worst case, in which any disturbance from outside shows: of its
-- samples the smallest says most about the contestant.
local function figure(samples, pattern)
  local least <const>, most <const> = math.min(table.unpack(samples)), math.max(table.unpack(samples))
  return { value = pattern.best and least or median(samples), min = least, max = most, samples = samples }
end

-- The median over the rounds of the ratio within a round, so that a machine that was busy in one round says nothing.
local function ratio_of(of, over, plus)
  if not of or not over then return nil end
  local ratios <const> = {}
  for i = 1, math.min(#of.samples, #over.samples) do
    ratios[i] = (of.samples[i] - (plus or 0)) / over.samples[i]
  end
  return median(ratios)
end

-- Gives each contestant `figures`, by pattern.
function report.summarise(result)
  for _, suite in ipairs(result.suites) do
    for _, contestant in ipairs(suite.contestants) do
      contestant.figures = {}
      for _, pattern in ipairs(suite.patterns) do
        local samples <const> = contestant.samples[pattern[1]]
        if samples then contestant.figures[pattern[1]] = figure(samples, pattern) end
      end
    end
  end
end

local function contestant_of(suite, id)
  for _, contestant in ipairs(suite.contestants) do
    if contestant.id == id then return contestant end
  end
end

local function figure_of(contestant, pattern)
  return contestant and contestant.figures and contestant.figures[pattern]
end

-- Returns the figure of "suite/contestant/pattern"; nil when it was not measured.
function report.figure(suites, path)
  local suite <const>, contestant <const>, pattern <const> = path:match("^(.-)/(.-)/(.+)$")
  return figure_of(assert(contestant_of(assert(suites[suite], path), contestant), path), pattern)
end

-- Returns the figure of the run before; see report.read_before.
local function before_of(suites, path)
  local suite <const>, contestant <const>, pattern <const> = path:match("^(.-)/(.-)/(.+)$")
  local it <const> = contestant_of(suites[suite], contestant)
  return it.before and it.before[pattern]
end

-- Returns the result of the aim in the run before. Machines differ, so a figure that is no ratio by itself is that
-- run's ratio to the aim's peer, times the peer's figure of this run.
local function reached_before(aim, suites)
  local of <const> = before_of(suites, aim.of)
  if aim.over then return ratio_of(of, before_of(suites, aim.over), aim.plus) end
  if not aim.peer then return of and of.value end
  local peer <const>, ratio <const> = report.figure(suites, aim.peer), ratio_of(of, before_of(suites, aim.peer))
  return peer and ratio and peer.value * ratio
end

-- Returns the result if the limit of the suite stood in our place; nil when the suite has none.
local function at_limit(aim, suites)
  local ours <const> = aim.at_least and aim.over or aim.of
  local suite <const>, pattern <const> = ours:match("^(.-)/.-/(.+)$")
  local limit <const> = suites[suite].limit
  local least <const> = limit and report.figure(suites, ("%s/%s/%s"):format(suite, limit, pattern))
  if not least or aim.plus then return nil end
  if not aim.over then return least.value end
  if aim.at_least then return ratio_of(report.figure(suites, aim.of), least) end
  return ratio_of(least, report.figure(suites, aim.over))
end

local function judge(aim, suites)
  local of <const> = report.figure(suites, aim.of)
  local reached
  if aim.over then
    reached = ratio_of(of, report.figure(suites, aim.over), aim.plus)
  else
    reached = of and of.value
  end
  local met <const> = reached and reached <= (aim.at_most or math.huge) and reached >= (aim.at_least or 0)
  return {
    what = aim.what,
    more = aim.more,
    reached = reached,
    before = reached_before(aim, suites),
    limit = at_limit(aim, suites),
    at_most = aim.at_most,
    at_least = aim.at_least,
    unit = aim.unit or "x",
    verdict = not reached and "not measured" or met and "yes" or "NO",
  }
end

-- Holds the aims of the suites that ran against their figures: result.aims.
function report.judge(result, aims, suites)
  local ran <const> = {}
  for _, suite in ipairs(result.suites) do ran[suite.id] = true end
  result.aims = {}
  for _, aim in ipairs(aims) do
    if ran[aim.of:match("^[^/]+")] then table.insert(result.aims, judge(aim, suites)) end
  end
end

-- }==

-- {== The table ==============================================================

function report.short(value)
  local size <const> = math.abs(value)
  return (size >= 100 and "%.0f" or size >= 10 and "%.1f" or "%.2f"):format(value)
end

local short <const> = report.short

local function cell(it)
  if not it then return "-" end
  if #it.samples == 1 or it.value == it.min and it.min == it.max then return short(it.value) end
  return ("%s [%s-%s]"):format(short(it.value), short(it.min), short(it.max))
end

local function ratio(of, over)
  local reached <const> = ratio_of(of, over)
  return reached and short(reached) .. "x" or "-"
end

local function print_rows(rows)
  local widths <const> = {}
  for _, row in ipairs(rows) do
    for i, text in ipairs(row) do widths[i] = math.max(widths[i] or 0, utf8.len(text)) end
  end
  for _, row in ipairs(rows) do
    local line <const> = {}
    for i, text in ipairs(row) do
      local padding <const> = (" "):rep(widths[i] - utf8.len(text))
      line[i] = i == 1 and text .. padding or padding .. text
    end
    print("  " .. table.concat(line, "  "))
  end
end

local function any_before(suite)
  for _, contestant in ipairs(suite.contestants) do
    if contestant.before then return true end
  end
  return false
end

local function has_any(contestant, ids)
  for _, id in ipairs(ids) do
    if contestant.figures[id] then return true end
  end
  return contestant.absent ~= nil
end

-- The table of a suite as texts, its head first; `patterns` names columns, else it has all. A contestant has a row when
-- there is a figure for it, or a word why there is none.
function report.rows(suite, patterns)
  local limit <const> = suite.limit and figure_of(contestant_of(suite, suite.limit), suite.key)
  local ours <const> = suite.ours and figure_of(contestant_of(suite, suite.ours), suite.key)
  local head <const>, ids <const>, has_key = { "" }, {}, false
  for _, pattern in ipairs(suite.patterns) do
    if not patterns or patterns[pattern[1]] then
      head[#head + 1], ids[#ids + 1] = pattern[2], pattern[1]
      has_key = has_key or pattern[1] == suite.key
    end
  end
  if has_key and suite.limit then head[#head + 1] = "of limit" end
  if has_key and suite.ours then head[#head + 1] = "of spawnpool" end
  local base <const> = has_key and any_before(suite) and (suite.limit or suite.ours)
  local base_before <const> = base and before_of({ [suite.id] = suite }, ("%s/%s/%s"):format(suite.id, base, suite.key))
  if base then head[#head + 1] = suite.limit and "of limit before" or "of spawnpool before" end
  local rows <const> = { head }
  local function add(contestant)
    local row <const> = { contestant.label }
    local own <const> = suite.key and figure_of(contestant, suite.key)
    for i, id in ipairs(ids) do
      row[#row + 1] = i == 1 and contestant.absent or cell(contestant.figures[id])
    end
    if has_key and suite.limit then row[#row + 1] = ratio(own, limit) end
    if has_key and suite.ours then row[#row + 1] = ratio(own, ours) end
    if base then row[#row + 1] = ratio(contestant.before and contestant.before[suite.key], base_before) end
    rows[#rows + 1] = row
  end
  for _, contestant in ipairs(suite.contestants) do
    if has_any(contestant, ids) then add(contestant) end
  end
  return rows
end

local function print_suite(suite)
  print("\n" .. suite.title)
  print_rows(report.rows(suite))
end

local function with_unit(value, aim)
  return value and short(value) .. " " .. aim.unit or "-"
end

function report.reached(aim)
  return with_unit(aim.reached, aim)
end

function report.wanted(aim)
  return (aim.at_most and "at most " or "at least ") .. short(aim.at_most or aim.at_least)
end

-- The promised aims, or those beyond them, as texts.
function report.aim_rows(aims, more)
  local rows <const> = { { "", "reached", "before", "limit", "aim", "met" } }
  for _, aim in ipairs(aims) do
    if aim.more == more then
      rows[#rows + 1] = { aim.what, report.reached(aim), with_unit(aim.before, aim), with_unit(aim.limit, aim),
        report.wanted(aim), aim.verdict }
    end
  end
  return rows
end

local function print_aims(title, rows)
  if #rows == 1 then return end
  print("\n" .. title)
  print_rows(rows)
end

function report.print(result)
  local m <const> = result.machine
  print(("spawnpool bench: %s, %d processors, %s"):format(m.processor, m.processors, m.compiler))
  print(
    ("%s%d rounds, contestants interleaved, one process each%s; median [min-max]; -O3, no -march=native"):format(
      result.quick and "QUICK, " or "",
      result.rounds,
      m.pinned and ", pinned" or ", not pinned"
    )
  )
  if result.before then
    print(("before: the run of %s on %s; no ratio by itself: scaled by a peer to this machine"):format(
      result.before.date, result.before.processor))
  end
  for _, suite in ipairs(result.suites) do print_suite(suite) end
  print_aims("Aims", report.aim_rows(result.aims, false))
  print_aims("More", report.aim_rows(result.aims, true))
end

-- }==

-- Gives the contestants of `suites` the figures of the run before: `before`, by pattern. Returns where and when it ran;
-- nil when there is no such run.
function report.read_before(path, suites)
  local file <close> = io.open(path)
  if not file then return nil end
  local result <const> = json.decode(file:read("a"))
  for _, row in ipairs(result.rows) do
    local contestant <const> = suites[row.suite] and contestant_of(suites[row.suite], row.contestant)
    if contestant then contestant.before = row.patterns end
  end
  return result.machine
end

-- Gives the contestants of `suites` what report.write_json wrote, and the result that it was written from.
function report.read_json(path, suites)
  local file <close> = assert(io.open(path))
  local result <const> = json.decode(file:read("a"))
  result.suites = suites
  for _, row in ipairs(result.rows) do
    local suite <const> = suites[row.suite]
    local contestant <const> = suite and contestant_of(suite, row.contestant)
    if contestant then contestant.figures, contestant.absent = row.patterns, row.absent end
  end
  for _, suite in ipairs(suites) do
    for _, contestant in ipairs(suite.contestants) do
      contestant.absent = contestant.absent or not contestant.figures and "not measured" or nil
      contestant.figures = contestant.figures or {}
    end
  end
  return result
end

-- A suite that did not run has no rows.
function report.write_json(result, path)
  local rows <const> = {}
  for _, suite in ipairs(result.suites) do
    for _, contestant in ipairs(suite.contestants) do
      rows[#rows + 1] = {
        suite = suite.id,
        contestant = contestant.id,
        label = contestant.label,
        absent = contestant.absent,
        patterns = contestant.figures,
      }
    end
  end
  local file <close> = assert(io.open(path, "w"))
  local text <const> = json.encode {
    machine = result.machine,
    quick = result.quick,
    rounds = result.rounds,
    rows = rows,
    aims = result.aims,
  }
  file:write(text, "\n")
end

return report
