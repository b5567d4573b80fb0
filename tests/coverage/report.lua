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
  { name = "core", folder = "src/core/", lines = 99, branches = 95, explains_branches = true },
  { name = "script", folder = "src/script/", lines = 95, branches = 88 },
  { name = "demo", folder = "demo/" },
}
local FOREIGN <const> = "demo/math/musl/" -- another project's, which tests it
local REASONS <const> = "tests/coverage/reasons.txt"

local faults <const> = {}
local function fault(text, ...) faults[#faults + 1] = text:format(...) end

local function layer_of(path)
  if path:sub(1, #FOREIGN) == FOREIGN then return nil end
  for _, layer in ipairs(LAYERS) do
    if path:sub(1, #layer.folder) == layer.folder then return layer end
  end
end

local function lines_of(command)
  local list <const> = {}
  local pipe <close> = assert(io.popen(command))
  for line in pipe:lines() do list[#list + 1] = line end
  return list
end

-- The function that each line of a file belongs to. clang-format puts the names of functions, and nothing else that has
-- parentheses, into the first column.
local function functions_of(path)
  local names <const>, texts <const>, name = {}, {}, nil
  for text in io.lines(path) do
    name = text:gsub("__attribute__%b() ?", ""):match "^[%a_][%w_ %*]-([%w_]+)%(" or name
    names[#names + 1], texts[#texts + 1] = name or false, text
  end
  return names, texts
end

-- {== Reasons =================================================================

local reasons <const> = {}

local function read_reasons()
  local number = 0
  for text in io.lines(REASONS) do
    number = number + 1
    if text:find "%S" and not text:find "^#" then
      local name <const>, piece <const>, why <const> = text:match "^([%w_]+): (.-) %-%- (.+)$"
      if not name then error(("%s:%d: not 'FUNCTION: code -- reason'"):format(REASONS, number), 0) end
      local alone <const> = piece:match "^(.-) %(%?%)$"
      reasons[#reasons + 1] = { name = name, piece = alone or piece, why = why, used = alone ~= nil, text = text,
        place = ("%s:%d"):format(REASONS, number) }
    end
  end
end

local function reason_for(name, text)
  for _, reason in ipairs(reasons) do
    if name == reason.name and (reason.piece == "*" or text:find(reason.piece, 1, true)) then return reason end
  end
end

-- Finds reasons whose function or text is in no source any more.
local function check_reasons()
  for _, path in ipairs(lines_of "find src -name '*.[ch]'") do
    local names <const>, texts <const> = functions_of(path)
    for _, reason in ipairs(reasons) do
      for i, name in ipairs(names) do
        local is_here <const> = reason.piece == "*" or texts[i]:find(reason.piece, 1, true)
        reason.found = reason.found or name == reason.name and is_here
      end
    end
  end
  for _, reason in ipairs(reasons) do
    if not reason.found then fault("%s: no such code: %s", reason.place, reason.text) end
  end
end

-- }==

-- {== What gcov says ==========================================================

local files <const> = {} -- by path: lines by number: { text, count, branches = { taken, ... } }

local function line_of(path, number, text)
  local file <const> = files[path] or {}
  files[path] = file
  file[number] = file[number] or { text = text, count = 0, branches = {} }
  return file[number]
end

-- A branch of a line that was never run reads "never executed".
local function read(output)
  local path, line, index
  for _, text in ipairs(output) do
    local count <const>, number <const>, code <const> = text:match "^%s*([^:]+):%s*(%d+):(.*)$"
    if number == "0" then
      path = code:match "^Source:(.*)$" or path
    end
    if count and number ~= "0" and count ~= "-" and layer_of(path) then
      line, index = line_of(path, tonumber(number), code), 0
      line.count = line.count + (tonumber(count:match "%d+") or 0)
    elseif count then
      line = nil
    elseif line and text:find "^branch" then
      index = index + 1
      line.branches[index] = (line.branches[index] or 0) + (tonumber(text:match "taken (%d+)") or 0)
    end
  end
end

-- }==

-- {== The report ==============================================================

local function sorted_keys(t)
  local keys <const> = {}
  for key in pairs(t) do keys[#keys + 1] = key end
  table.sort(keys)
  return keys
end

local function percent(part, whole) return whole == 0 and 100 or 100 * part / whole end

local function print_sum(sum, name)
  print(("%6.1f%% of %5d lines  %6.1f%% of %5d branches  %s"):format(percent(sum.reached, sum.lines), sum.lines,
    percent(sum.taken, sum.branches), sum.branches, name))
end

-- Adds a line to the sums; what is not reached of it, as text.
local function count(line, sums)
  local taken = 0
  for _, times in ipairs(line.branches) do taken = taken + (times > 0 and 1 or 0) end
  for _, sum in ipairs(sums) do
    sum.lines, sum.reached = sum.lines + 1, sum.reached + (line.count > 0 and 1 or 0)
    sum.branches, sum.taken = sum.branches + #line.branches, sum.taken + taken
  end
  if line.count == 0 then return "not run" end
  return taken < #line.branches and ("%d of %d branches"):format(#line.branches - taken, #line.branches) or nil
end

local function new_sum() return { lines = 0, reached = 0, branches = 0, taken = 0 } end

-- Adds a file to the sum of its layer. Each gap without a reason is a fault where reasons are asked for.
local function report_file(path, layer, sum)
  local own <const>, names <const> = new_sum(), functions_of(path)
  for _, number in ipairs(sorted_keys(files[path])) do
    local line <const>, name <const> = files[path][number], names[number]
    local gap <const> = count(line, { own, sum })
    local asks <const> = gap and layer.lines and (line.count == 0 or layer.explains_branches)
    local reason <const> = asks and reason_for(name, line.text)
    local what <const> = ("%s:%d: %s: %s: %s"):format(path, number, name or "", gap, line.text:match "^%s*(.*)$")
    if reason then reason.used = true end
    if asks and not reason then fault("%s: a reason is missing", what) end
    if gap and verbose then print(("  %s%s"):format(what, reason and "  -- " .. reason.why or "")) end
  end
  print_sum(own, path)
end

local function report_layer(layer)
  local sum <const> = new_sum()
  for _, path in ipairs(sorted_keys(files)) do
    if layer_of(path) == layer then report_file(path, layer, sum) end
  end
  print_sum(sum, layer.name .. " in all\n")
  if percent(sum.reached, sum.lines) < (layer.lines or 0) then fault("%s: less than %d%% of the lines", layer.name,
    layer.lines) end
  if percent(sum.taken, sum.branches) < (layer.branches or 0) then fault("%s: less than %d%% of the branches",
    layer.name, layer.branches) end
end

local function report()
  for _, object in ipairs(lines_of(("find %s/obj/src %s/obj/demo -name '*.gcda'"):format(build, build))) do
    read(lines_of(("%s -b -c -t %s 2>/dev/null"):format(gcov, object)))
  end
  for _, layer in ipairs(LAYERS) do report_layer(layer) end
  for _, reason in ipairs(reasons) do
    if reason.found and not reason.used then fault("%s: its lines are reached: %s", reason.place, reason.text) end
  end
end

-- }==

read_reasons()
check_reasons()
if build ~= "reasons" then report() end
for _, text in ipairs(faults) do print("no: " .. text) end
if #faults == 0 and build ~= "reasons" then
  print "yes: every aim is met, and each line that is not reached has a reason"
end
os.exit(#faults == 0)
