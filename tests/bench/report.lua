-- From samples to the table and the JSON file.

local json <const> = require "json"

local report <const> = {}

-- {== Figures ================================================================

-- Median and spread. A pattern marked `best` is a worst case, in which any disturbance from outside shows: of its samples
-- the smallest says most about the contestant.
local function figure(samples, pattern)
  table.sort(samples)
  local middle <const> = #samples // 2 + 1
  local median <const> = #samples % 2 == 1 and samples[middle] or (samples[middle - 1] + samples[middle]) / 2
  return { value = pattern.best and samples[1] or median, min = samples[1], max = samples[#samples], samples = samples }
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

local function value_of(contestant, pattern)
  local it <const> = contestant and contestant.figures and contestant.figures[pattern]
  return it and it.value
end

local function value_at(suites, path)
  local suite <const>, contestant <const>, pattern <const> = path:match("^(.-)/(.-)/(.+)$")
  return value_of(contestant_of(assert(suites[suite], path), contestant), pattern)
end

-- Holds the aims against the figures: result.aims.
function report.judge(result, aims, suites)
  result.aims = {}
  for _, aim in ipairs(aims) do
    local of <const> = value_at(suites, aim.of)
    local over <const> = aim.over and value_at(suites, aim.over)
    local reached
    if of and (over or not aim.over) then reached = aim.over and (of - (aim.plus or 0)) / over or of end
    table.insert(result.aims, {
      what = aim.what,
      reached = reached,
      at_most = aim.at_most,
      at_least = aim.at_least,
      unit = aim.unit or "x",
      met = reached and reached <= (aim.at_most or math.huge) and reached >= (aim.at_least or 0) or nil,
      missed = reached and (reached > (aim.at_most or math.huge) or reached < (aim.at_least or 0)) or nil,
    })
  end
end

-- }==

-- {== The table ==============================================================

local function short(value)
  local size <const> = math.abs(value)
  return (size >= 100 and "%.0f" or size >= 10 and "%.1f" or "%.2f"):format(value)
end

local function cell(it)
  if not it then return "-" end
  if #it.samples == 1 or it.value == it.min and it.min == it.max then return short(it.value) end
  return ("%s [%s-%s]"):format(short(it.value), short(it.min), short(it.max))
end

local function ratio(value, base)
  return value and base and base > 0 and ("%sx"):format(short(value / base)) or "-"
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

local function print_suite(suite)
  local limit <const> = suite.limit and value_of(contestant_of(suite, suite.limit), suite.key)
  local ours <const> = suite.ours and value_of(contestant_of(suite, suite.ours), suite.key)
  local head <const> = { "" }
  for _, pattern in ipairs(suite.patterns) do head[#head + 1] = pattern[2] end
  if suite.limit then head[#head + 1] = "of limit" end
  if suite.ours then head[#head + 1] = "of spawnpool" end
  local rows <const> = { head }
  for _, contestant in ipairs(suite.contestants) do
    local row <const> = { contestant.label }
    local value <const> = suite.key and value_of(contestant, suite.key)
    for i, pattern in ipairs(suite.patterns) do
      row[#row + 1] = i == 1 and contestant.absent or cell(contestant.figures[pattern[1]])
    end
    if suite.limit then row[#row + 1] = ratio(value, limit) end
    if suite.ours then row[#row + 1] = ratio(value, ours) end
    rows[#rows + 1] = row
  end
  print("\n" .. suite.title)
  print_rows(rows)
end

local function print_aims(aims)
  local rows <const> = { { "", "reached", "aim", "" } }
  for _, aim in ipairs(aims) do
    local wanted <const> = aim.at_most and ("at most " .. short(aim.at_most)) or ("at least " .. short(aim.at_least))
    local verdict <const> = aim.met and "yes" or aim.missed and "NO" or ""
    rows[#rows + 1] = { aim.what, aim.reached and short(aim.reached) .. " " .. aim.unit or "-", wanted, verdict }
  end
  print("\nAims")
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
  for _, suite in ipairs(result.suites) do print_suite(suite) end
  print_aims(result.aims)
end

-- }==

function report.write_json(result, path)
  local rows <const> = {}
  for _, suite in ipairs(result.suites) do
    for _, contestant in ipairs(suite.contestants) do
      local row <const> = { suite = suite.id, contestant = contestant.id, label = contestant.label }
      row.absent = contestant.absent
      row.patterns = contestant.figures
      rows[#rows + 1] = row
    end
  end
  local file <close> = assert(io.open(path, "w"))
  file:write(json.encode { machine = result.machine, quick = result.quick, rounds = result.rounds, rows = rows, aims = result.aims })
  file:write("\n")
end

return report
