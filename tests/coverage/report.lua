-- Reports the lines and branches that the suites reach, by file and by layer, compares them with the aims, and lists
-- each line that is not reached with the reason. Reads the output of `gcov -b -c -t` for every object file. A header
-- counts in each file that includes it: a branch is reached when any of them took it.
--
--   lua5.4 tests/coverage/report.lua BUILD GCOV [-v]
--   lua5.4 tests/coverage/report.lua reasons       only looks for reasons whose code is gone; needs no build
--
-- Reasons are in tests/coverage/reasons.txt: one for each line of a layer with aims that is not run and, in the core,
-- for each that is not left in every way. The verdict is "no" when a layer misses its aims, when a reason is missing,
-- and when the code of one is reached or gone.
local build <const>, gcov <const>, verbose <const> = arg[1], arg[2] or "gcov", arg[3] == "-v"

local LAYERS <const> = {
  { name = "core", folder = "src/core/", lines = 99, branches = 95, explain_branches = true },
  { name = "script", folder = "src/script/", lines = 95, branches = 88 },
  { name = "demo", folder = "demo/" },
}
local FOREIGN <const> = "demo/math/musl/" -- another project's, which tests it
local REASONS <const> = "tests/coverage/reasons.txt"

local function layer_of(path)
  if path:sub(1, #FOREIGN) == FOREIGN then return nil end
  for _, layer in ipairs(LAYERS) do
    if path:sub(1, #layer.folder) == layer.folder then return layer end
  end
end

-- {== What gcov says ==========================================================

local files <const> = {} -- by path: lines by number: { text, count, branches = { taken, ... } }

local function line_of(path, number, text)
  local file <const> = files[path] or {}
  files[path] = file
  local line <const> = file[number] or { text = text, count = 0, branches = {} }
  file[number] = line
  return line
end

-- A branch of a line that was never run reads "never executed".
local function read(output)
  local path, line, index
  for text in output:lines() do
    local count <const>, number <const>, code <const> = text:match("^%s*([^:]+):%s*(%d+):(.*)$")
    if count and number == "0" then
      path = code:match("^Source:(.*)$") or path
      line = nil
    elseif count and count ~= "-" and layer_of(path) then
      line, index = line_of(path, tonumber(number), code), 0
      line.count = line.count + (tonumber(count:match("%d+")) or 0)
    elseif count then
      line = nil
    elseif line and text:find("^branch") then
      index = index + 1
      line.branches[index] = (line.branches[index] or 0) + (tonumber(text:match("taken (%d+)")) or 0)
    end
  end
end

local function read_all()
  local list <const> = assert(io.popen(("find %s/obj/src %s/obj/demo -name '*.gcda'"):format(build, build)))
  for object in list:lines() do
    local output <const> = assert(io.popen(("%s -b -c -t %s 2>/dev/null"):format(gcov, object)))
    read(output)
    output:close()
  end
  list:close()
end

-- }==

-- {== Reasons =================================================================

-- The function that each line of a file belongs to. clang-format puts the names of functions, and nothing else that has
-- parentheses, into the first column.
local function functions_of(path)
  local names <const>, texts <const>, name = {}, {}, nil
  for text in io.lines(path) do
    name = text:gsub("__attribute__%b() ?", ""):match("^[%a_][%w_ %*]-([%w_]+)%(") or name
    names[#names + 1], texts[#texts + 1] = name or false, text
  end
  return names, texts
end

-- "FUNCTION: a piece of the line of code -- the reason", or with "(3)" after the piece: so many lines of the function;
-- "(?)": any number of them, none too. The piece "*" is a function that is never called.
local function read_reasons()
  local reasons <const> = {}
  local number = 0
  for text in io.lines(REASONS) do
    number = number + 1
    if text:find("%S") and not text:find("^#") then
      local name <const>, piece <const>, why <const> = text:match("^([%w_]+): (.-) %-%- (.+)$")
      if not name then error(("%s:%d: not 'FUNCTION: code -- reason'"):format(REASONS, number), 0) end
      local alone <const>, lines <const> = piece:match "^(.-) %(([%d?]+)%)$"
      reasons[#reasons + 1] = {
        name = name, piece = alone or piece, lines = lines or "1", why = why, number = number, uses = 0, found = false,
      }
    end
  end
  return reasons
end

-- Reasons whose function or text is in no source any more: found without running anything.
local function report_gone(reasons)
  local list <const> = assert(io.popen("find src -name '*.[ch]'"))
  for path in list:lines() do
    local names <const>, texts <const> = functions_of(path)
    for i, text in ipairs(texts) do
      for _, reason in ipairs(reasons) do
        if names[i] == reason.name and (reason.piece == "*" or text:find(reason.piece, 1, true)) then
          reason.found = true
        end
      end
    end
  end
  list:close()
  local faults <const> = {}
  for _, reason in ipairs(reasons) do
    if not reason.found then
      faults[#faults + 1] = ("%s:%d: no such code: %s: %s"):format(REASONS, reason.number, reason.name, reason.piece)
    end
  end
  return faults
end

local function needs_reason(layer, line) return layer.lines and (line.count == 0 or layer.explain_branches) end

local function reason_for(reasons, line)
  for _, reason in ipairs(reasons) do
    if line.name == reason.name and
      (reason.piece == "*" and line.idle or line.text:find(reason.piece, 1, true)) then
      reason.uses = reason.uses + 1
      return reason.why
    end
  end
end

-- Adds to each line its function, and whether no line of that runs.
local function find_functions(path)
  local names <const> = functions_of(path)
  local runs <const> = {}
  for number, line in pairs(files[path]) do
    line.name = names[number]
    if line.name and line.count > 0 then runs[line.name] = true end
  end
  for _, line in pairs(files[path]) do line.idle = not runs[line.name] end
end

-- }==

-- {== The report ==============================================================

local function sorted_keys(t)
  local keys <const> = {}
  for key in pairs(t) do keys[#keys + 1] = key end
  table.sort(keys)
  return keys
end

local function new_sum() return { lines = 0, reached = 0, branches = 0, taken = 0 } end

local function percent(part, whole) return whole == 0 and 100 or 100 * part / whole end

local function print_sum(sum, name)
  print(("%6.1f%% of %5d lines  %6.1f%% of %5d branches  %s"):format(percent(sum.reached, sum.lines), sum.lines,
    percent(sum.taken, sum.branches), sum.branches, name))
end

-- How many branches of the line were not taken.
local function count(line, sum)
  local missed = 0
  for _, taken in ipairs(line.branches) do
    if taken == 0 then missed = missed + 1 end
  end
  sum.lines, sum.reached = sum.lines + 1, sum.reached + (line.count > 0 and 1 or 0)
  sum.branches, sum.taken = sum.branches + #line.branches, sum.taken + #line.branches - missed
  return missed
end

local function add(sum, more)
  for key, value in pairs(more) do sum[key] = sum[key] + value end
end

local function visit_file(path, layer, reasons, gaps)
  local sum <const> = new_sum()
  find_functions(path)
  for _, number in ipairs(sorted_keys(files[path])) do
    local line <const> = files[path][number]
    local missed <const> = count(line, sum)
    if line.count == 0 or missed > 0 then
      local open <const> = needs_reason(layer, line)
      gaps[#gaps + 1] = {
        what = line.count == 0 and "not run" or ("%d of %d branches"):format(missed, #line.branches),
        where = ("%s:%d: %s"):format(path, number, line.name or ""),
        text = line.text:match("^%s*(.*)$"),
        why = open and reason_for(reasons, line),
        open = open,
      }
    end
  end
  return sum
end

local function print_gaps(gaps)
  for _, gap in ipairs(gaps) do
    if verbose or gap.open and not gap.why then
      print(("  %s: %s: %s%s"):format(gap.where, gap.what, gap.text, gap.why and "  -- " .. gap.why or ""))
    end
  end
end

local function unexplained(gaps)
  local n = 0
  for _, gap in ipairs(gaps) do n = n + (gap.open and not gap.why and 1 or 0) end
  return n
end

-- Prints one layer; returns its faults as text.
local function report_layer(layer, reasons)
  local sum <const>, gaps <const>, faults <const> = new_sum(), {}, {}
  for _, path in ipairs(sorted_keys(files)) do
    if layer_of(path) == layer then
      local of_file <const> = visit_file(path, layer, reasons, gaps)
      print_sum(of_file, path)
      add(sum, of_file)
    end
  end
  print_sum(sum, layer.name .. " in all")
  print_gaps(gaps)
  if not layer.lines then return faults end
  if percent(sum.reached, sum.lines) < layer.lines then
    faults[#faults + 1] = ("%s: less than %d%% of the lines"):format(layer.name, layer.lines)
  end
  if percent(sum.taken, sum.branches) < layer.branches then
    faults[#faults + 1] = ("%s: less than %d%% of the branches"):format(layer.name, layer.branches)
  end
  local n <const> = unexplained(gaps)
  if n > 0 then
    faults[#faults + 1] = ("%s: %d reasons are missing"):format(layer.name, n)
  end
  return faults
end

local function report()
  local reasons <const> = read_reasons()
  local faults <const> = report_gone(reasons)
  for _, layer in ipairs(LAYERS) do
    for _, fault in ipairs(report_layer(layer, reasons)) do faults[#faults + 1] = fault end
    print()
  end
  for _, reason in ipairs(reasons) do
    local right
    if reason.piece == "*" then right = reason.uses > 0 else right = reason.uses == tonumber(reason.lines) end
    if reason.found and reason.lines ~= "?" and not right then
      faults[#faults + 1] = ("%s:%d: is about %d lines now: %s: %s"):format(REASONS, reason.number, reason.uses,
        reason.name, reason.piece)
    end
  end
  return faults, "yes: every aim is met, and each line that is not reached has a reason"
end

local function print_verdict(faults, praise)
  for _, fault in ipairs(faults) do print("no: " .. fault) end
  if #faults == 0 and praise then print(praise) end
  return #faults == 0
end

-- }==

if build == "reasons" then os.exit(print_verdict(report_gone(read_reasons()))) end
read_all()
os.exit(print_verdict(report()))
