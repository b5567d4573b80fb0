-- Judges the tests: changes one line of the product at a time, in a copy of the tree, and sees whether a suite fails.
--   make mutants [N=200] [LIST=FILE]       LIST: the mutants of an earlier result whose lines are still there
--
-- Which lines change depends on the file, the line's text and the kind of change alone: an edit elsewhere in the file
-- leaves the choice as it is. A mutant that does not compile, or compiles to the same code, is replaced by the next
-- one. The result is one line each: what happened, seconds, suite, kind, file and line, and the changed text.
local FOLDERS <const> = { "src/core", "src/script/bind" }
local TIMEOUT <const> = 100 -- seconds of one group of suites; a mutant that takes longer is dead

local build <const>, wanted <const>, listed <const> = arg[1], tonumber(arg[2]), arg[3]
local tree <const> = build .. "/mutants"

local function run(format, ...)
  local ok <const>, _, code <const> = os.execute(format:format(...))
  return ok, code
end

local function lines_of(path)
  local list <const> = {}
  for line in io.lines(path) do list[#list + 1] = line end
  return list
end

-- {== Candidates ============================================================

-- The line with comments and strings as spaces; and whether a comment goes on.
local function code_of(line, in_comment)
  local blank <const> = function(text) return (" "):rep(#text) end
  if in_comment then
    local stop <const> = select(2, line:find("*/", 1, true))
    if not stop then return "", true end
    line = (" "):rep(stop) .. line:sub(stop + 1)
  end
  line = line:gsub('"[^"]*"', blank):gsub("'[^']*'", blank):gsub("/%*.-%*/", blank)
  local begin <const> = line:find("/*", 1, true)
  return begin and line:sub(1, begin - 1) or line, begin ~= nil
end

local swaps <const> = {
  { "compare", " == ", " != " }, { "compare", " != ", " == " }, { "compare", " < ", " <= " },
  { "compare", " <= ", " < " }, { "compare", " > ", " >= " }, { "compare", " >= ", " > " },
  { "plus", " + ", " - " }, { "plus", " - ", " + " }, { "plus", "++", "--" }, { "plus", "--", "++" },
  { "plus", " += ", " -= " }, { "plus", " -= ", " += " },
  { "logic", " && ", " || " }, { "logic", " || ", " && " },
}

-- Calls add(kind, text) for each change of a line. `before` is the code line above it.
local function changes(line, code, before, add)
  for _, swap in ipairs(swaps) do
    local at = 0
    repeat
      local first <const>, last <const> = code:find(swap[2], at + 1, true)
      if first then add(swap[1], line:sub(1, first - 1) .. swap[3] .. line:sub(last + 1)) end
      at = last
    until not first
  end
  for first, digits, last in code:gmatch "()%f[%w_.](%d+)()u?%f[^%w_.]" do
    local value <const> = digits == "0" and 1 or digits + 1
    add("constant", line:sub(1, first - 1) .. value .. line:sub(last))
  end
  for word, first, condition, last in code:gmatch "(%f[%w]%a+) ()(%b())()" do
    if word == "if" or word == "while" then
      add("negate", line:sub(1, first - 1) .. "(!" .. line:sub(first, first + #condition - 1) .. ")" .. line:sub(last))
    end
  end
  local _, opened <const> = code:gsub("%(", "")
  local _, closed <const> = code:gsub("%)", "")
  local is_whole <const> = opened == closed and before:find "[;{}:)]%s*$" or before:find "%f[%w]else%s*$"
  local jumps <const> = code:find "^%s*return" or code:find "^%s*break" or code:find "^%s*case" or code:find "^%s*goto"
  local declares <const> = code:find "^%s*[%w_]+ %**[%w_]+%s*[=;,%[]" or code:find "^%s*const "
  if is_whole and not jumps and not declares and code:find "^%s+[%w_%*%(%+%-][^{}]*;%s*$" then
    add("drop", line:match "^%s*" .. ";")
  end
end

local function hash(text)
  local sum = 0xcbf29ce484222325
  for i = 1, #text do sum = (sum ~ text:byte(i)) * 0x100000001b3 end
  return sum ~ (sum >> 29)
end

local function candidates_of(path, add)
  local seen <const> = {}
  local in_comment, before = false, ""
  for number, line in ipairs(lines_of(path)) do
    local code <const>, goes_on <const> = code_of(line, in_comment)
    in_comment = goes_on
    if code:find "^%s+%S" or code:find "{ .*}$" then
      changes(line, code, before, function(kind, text)
        local key = table.concat({ path, kind, line, text }, "\t")
        seen[key] = (seen[key] or 0) + 1
        key = key .. "\t" .. seen[key]
        add { path = path, number = number, kind = kind, from = line, to = text, id = ("%016x"):format(hash(key)) }
      end)
    end
    if code:find "%S" and not code:find "^#" then before = code end
  end
end

local function candidates()
  local list <const> = {}
  for _, folder in ipairs(FOLDERS) do
    for path in io.popen("ls " .. folder .. "/*.c"):lines() do
      candidates_of(path, function(mutant) list[#list + 1] = mutant end)
    end
  end
  table.sort(list, function(a, b) return a.id < b.id end)
  return list
end

-- }==

-- {== Suites ================================================================

-- Those that reach the code, in the order in which they are asked: quick ones first. Suites that compile programs, and
-- specs of reloading and of pages, have no say.
local function suites()
  local slow <const> = { overlaps = 3, save = 3, memory = 3, time = 3, model = 2, fuzz = 4 }
  local groups <const> = { {}, {}, {}, { "fuzz" }, { "specs" }, { "arena", "library", "script" } }
  local left_out <const> = { layers = true }
  for path in io.popen(("cd %s && ls tests/core/check_*.c tests/model/check_*.c 2>/dev/null"):format(tree)):lines() do
    local name <const> = path:match "check_(.*)%.c$"
    if not left_out[name] then table.insert(groups[slow[name] or 1], name) end
  end
  return groups
end

-- Returns nil, or the suite that fails first, or "timeout".
local function failing(groups)
  for _, group in ipairs(groups) do
    if not run("cd %s && SP_TEST_STOP=%d SP_TEST_JOBS=2 build/tests %s >said 2>&1", tree, TIMEOUT,
      table.concat(group, " ")) then
      for _, line in ipairs(lines_of(tree .. "/said")) do
        if line:find "  FAILED$" then return (line:match "^%S+") end
        if line:find "^out of time" then return "timeout" end
      end
      return table.concat(group, " ")
    end
  end
end

-- }==

-- {== One after the other ===================================================

local function write(path, lines)
  local file <close> = assert(io.open(path, "w"))
  file:write(table.concat(lines, "\n"), "\n")
end

local function make()
  return run("make -s -C %s BUILD=build DEPS=no WERROR= CFLAGS=-O1 build/tests >%s/make.log 2>&1", tree, tree)
end

-- Returns what happened, and the suite.
local function try(mutant, groups)
  local path <const> = tree .. "/" .. mutant.path
  local object <const> = ("%s/build/obj/%s.o"):format(tree, mutant.path:sub(1, -3))
  local lines <const> = lines_of(path)
  run("cp %s %s/object.o", object, tree)
  lines[mutant.number] = mutant.to
  write(path, lines)
  local compiles <const> = make()
  local is_same <const> = compiles and run("cmp -s %s %s/object.o", object, tree)
  local suite <const> = compiles and not is_same and failing(groups)
  lines[mutant.number] = mutant.from
  write(path, lines)
  if not compiles then return "invalid" end
  if is_same then return "same" end
  return suite and "killed" or "survived", suite
end

-- The ids in an earlier result.
local function ids_of(file)
  local ids <const> = {}
  for _, line in ipairs(lines_of(file)) do
    local id <const> = line:match "^%a+\t[%d.]+\t[^\t]*\t(%x+)"
    if id then ids[id] = true end
  end
  return ids
end

-- What an earlier run has built stays, but for what it changed.
run("mkdir -p %s && find %s -mindepth 1 -maxdepth 1 ! -name build -exec rm -rf {} +", tree, tree)
run("git ls-files -z | xargs -0 cp -p --parents -t %s", tree)
for _, folder in ipairs(FOLDERS) do run("rm -rf %s/build/obj/%s", tree, folder) end
run("cd %s/tests/lua && rm -f spec_reload_*.lua spec_annotations.lua", tree)
assert(make(), "the tree does not build")
local groups <const> = suites()
local broken <const> = failing(groups)
if broken then error(("suite '%s' fails without any change"):format(broken), 0) end

local count <const>, ids <const> = {}, listed and ids_of(listed)
local total = 0
for _, mutant in ipairs(candidates()) do
  if total == wanted then break end
  if not ids or ids[mutant.id] then
    local begin <const> = os.time()
    local what <const>, suite <const> = try(mutant, groups)
    if what == "killed" or what == "survived" then total = total + 1 end
    count[what] = (count[what] or 0) + 1
    print(table.concat({ what, os.time() - begin, suite or "-", mutant.id, mutant.kind,
      mutant.path .. ":" .. mutant.number, mutant.from, mutant.to }, "\t"))
    io.stdout:flush()
  end
end
print(("%d mutants: %d killed, %d survived; %d do not compile, %d compile to the same code"):format(total,
  count.killed or 0, count.survived or 0, count.invalid or 0, count.same or 0))

-- }==
