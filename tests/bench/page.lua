-- Figures as Markdown: the tables of a run, and docs/performance.md. The text of the page is written by hand and says
-- nothing that a run could contradict; this replaces what stands between `<!-- from the run: WHAT -->` and
-- `<!-- end -->`.
--   lua5.4 tests/bench/page.lua --check FILE   exit status 1 when the aims of the page are not those of aims.lua, or
--                                              when its verdicts are not those of its figures

local page <const> = {}

-- {== Texts ==================================================================

function page.short(value)
  local size <const> = math.abs(value)
  return (size >= 100 and "%.0f" or size >= 10 and "%.1f" or "%.2f"):format(value)
end

local function unit_of(aim, part) return part.over and "x" or " " .. aim.unit end

local function reached(aim)
  local texts <const> = {}
  for i, part in ipairs(aim.parts) do
    texts[i] = part.reached and page.short(part.reached) .. unit_of(aim, part) or "not measured"
  end
  return table.concat(texts, ", ")
end

local function wanted(aim)
  local texts <const> = {}
  for i, part in ipairs(aim.parts) do
    local word <const> = part.at_least and "at least" or "at most"
    texts[i] = ("%s %s%s"):format(word, page.short(part.at_least or part.at_most), unit_of(aim, part))
  end
  return (table.concat(texts, ", "):gsub(", at most ", ", "))
end

-- Returns whether a value is within the limit of a part.
function page.holds(part, value) return value >= (part.at_least or value) and value <= (part.at_most or value) end

local function value_of(figure, aim)
  return figure.value and ("%s %s"):format(page.short(figure.value), figure.unit or aim.unit) or figure.absent
end

local function count_met(aims)
  local met = 0
  for _, aim in ipairs(aims) do
    if aim.verdict == "yes" then met = met + 1 end
  end
  return met
end

-- }==

-- {== Of a run ===============================================================

local blocks <const> = {}

function blocks.verdict(result)
  return ("The run meets %d of its %d aims."):format(count_met(result.aims), #result.aims)
end

function blocks.machine(result)
  return ("Measured on %s.\n%s; %d rounds."):format(result.machine, result.tools, result.rounds)
end

function blocks.aims(result)
  local lines <const> = { "| | promise | figures | reached | aim | met |", "|---:|---|---|---:|---:|---|" }
  for number, aim in ipairs(result.aims) do
    local figures <const> = {}
    for i, figure in ipairs(aim.figures) do
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
    if aim.verdict == "no" then
      lines[#lines + 1] = ("| %d | %s |"):format(number, aim.why)
    end
  end
  return #lines > 2 and table.concat(lines, "\n") or "None is missed."
end

-- Everything that was measured, an aim after the other.
function page.tables(result)
  local lines <const> = { blocks.machine(result), result.quick and "A quick run: a first look only." or nil }
  local function add(format, ...) lines[#lines + 1] = format:format(...) end
  for _, aim in ipairs(result.aims) do
    add("\n%s\n  reached %s; %s: %s", aim.promise, reached(aim), wanted(aim), aim.verdict)
    for _, figure in ipairs(aim.figures) do
      add("    %-46s %14s  %s", figure[1], value_of(figure, aim), figure[3] and "without " .. figure[3] or "")
    end
  end
  add("\n%s", blocks.verdict(result))
  return table.concat(lines, "\n") .. "\n"
end

-- }==

-- {== The page ===============================================================

function page.write(path, text)
  local file <close> = assert(io.open(path, "w"))
  assert(file:write(text))
end

local function read(path)
  local file <close> = assert(io.open(path))
  return file:read "a"
end

function page.take(result, path)
  local BLOCK <const> = "(<!%-%- from the run: (%l+) %-%->\n).-(<!%-%- end %-%->)"
  local function fill(head, what, tail) return head .. assert(blocks[what], what)(result) .. "\n" .. tail end
  page.write(path, (read(path):gsub(BLOCK, fill)))
end

-- Returns what is wrong with a row, given its aim; nil: nothing.
local function wrong_row(aim, row)
  if row.promise ~= aim.promise then return ("'%s' should be '%s'"):format(row.promise, aim.promise) end
  if row.wanted ~= wanted(aim) then return ("%s: the aim is %s"):format(aim.promise, wanted(aim)) end
  local verdict = "yes"
  local i = 0
  for figure in (row.reached .. ","):gmatch "(.-), ?" do
    i = i + 1
    local value <const> = tonumber(figure:match "^[%d.]+")
    if not value then return row.met ~= "not measured" and aim.promise .. ": was not measured" or nil end
    if not page.holds(aim.parts[i], value) then verdict = "no" end
  end
  if row.met:gsub("%*", "") ~= verdict then return ("%s: met is '%s'"):format(aim.promise, verdict) end
end

-- Returns what is wrong with the page; nil: nothing.
local function check(text, aims)
  local ROW <const> = "\n| %d+ | ([^|\n]+) | [^|\n]+ | ([^|\n]+) | ([^|\n]+) | ([^|\n]+) |"
  local rows <const>, met = {}, 0
  for promise, reached_text, wanted_text, verdict in text:gmatch(ROW) do
    rows[#rows + 1] = { promise = promise, reached = reached_text, wanted = wanted_text, met = verdict }
  end
  for i, aim in ipairs(aims) do
    local wrong <const> = rows[i] and wrong_row(aim, rows[i]) or not rows[i] and aim.promise .. " is missing"
    if wrong then return wrong end
    if rows[i].met == "yes" then met = met + 1 end
    local is_explained <const> = text:find(aim.why, 1, true) ~= nil
    if (rows[i].met == "**no**") ~= is_explained then return aim.promise .. ": only a missed aim has a reason" end
  end
  local said <const> = ("meets %d of its %d aims"):format(met, #aims)
  return not text:find(said, 1, true) and "the page should say: " .. said or nil
end

if arg and arg[1] == "--check" then
  package.path = "tests/bench/?.lua;" .. package.path
  local aims <const> = require "aims".aims
  local wrong <const> = #aims > 24 and "more than 24 aims" or check(read(arg[2]), aims)
  if wrong then
    io.stderr:write("bench: ", wrong, "\n")
    os.exit(1)
  end
end

-- }==

return page
