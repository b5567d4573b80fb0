-- Figures as Markdown: the tables of a run, and docs/performance.md. The text of the page is written by hand and says
-- nothing that a run could contradict; this replaces what stands between `<!-- from the run: WHAT -->` and
-- `<!-- end -->`.
--   lua5.4 tests/bench/page.lua --check FILE   exit status 1 when the aims of the page are not those of aims.lua

local page <const> = {}

-- {== Texts ==================================================================

function page.short(value)
  local size <const> = math.abs(value)
  return (size >= 100 and "%.0f" or size >= 10 and "%.1f" or "%.2f"):format(value)
end

-- Goes through the figures of an aim that have a limit.
function page.limits(aim)
  return coroutine.wrap(function()
    for _, figure in ipairs(aim) do
      if figure.at_least or figure.at_most then coroutine.yield(figure) end
    end
  end)
end

-- Returns whether a value is within the limit of a figure.
function page.holds(figure, value) return value >= (figure.at_least or value) and value <= (figure.at_most or value) end

local function unit_of(aim, figure) return figure.over and "x" or " " .. aim.unit end

local function reached(aim)
  local texts <const> = {}
  for figure in page.limits(aim) do
    texts[#texts + 1] = figure.reached and page.short(figure.reached) .. unit_of(aim, figure) or "not measured"
  end
  return table.concat(texts, ", ")
end

local function wanted(aim)
  local texts <const> = {}
  for figure in page.limits(aim) do
    local word <const> = figure.at_least and "at least" or "at most"
    texts[#texts + 1] = ("%s %s%s"):format(word, page.short(figure.at_least or figure.at_most), unit_of(aim, figure))
  end
  return (table.concat(texts, ", "):gsub(", at most ", ", "))
end

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
    for _, figure in ipairs(aim) do
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

-- Returns what is wrong with the row of an aim; nil: nothing.
local function wrong_row(text, number, aim)
  local from <const> = text:find(("\n| %d | %s |"):format(number, aim.promise), 1, true)
  if not from then return "is missing" end
  local aimed_at <const>, met <const> = text:match("[^\n]*| ([^|\n]+) | ([^|\n]+) |\n", from + 1)
  if aimed_at ~= wanted(aim) then return "the aim is " .. wanted(aim) end
  local is_explained <const> = text:find(("\n| %d | %s |\n"):format(number, aim.why), 1, true) ~= nil
  return is_explained ~= (met == "**no**") and "only a missed aim has a reason" or nil
end

if arg and arg[1] == "--check" then
  package.path = "tests/bench/?.lua;" .. package.path
  for number, aim in ipairs(require "aims".aims) do
    local wrong <const> = wrong_row(read(arg[2]), number, aim)
    if wrong then
      io.stderr:write(("bench: %s: %s\n"):format(aim.promise, wrong))
      os.exit(1)
    end
  end
end

-- }==

return page
