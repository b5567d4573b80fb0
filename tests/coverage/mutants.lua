-- Judges the tests: changes one line of the product at a time, in a copy of the tree, and sees whether a suite fails.
--   make mutants [N=200]
--
-- Which lines change depends on the file, the line's text and the kind of change alone: an edit elsewhere in the file
-- leaves the choice as it is. A mutant that does not compile, or compiles to the same code, is replaced by the next
-- one. The result is one line each: what happened, seconds, suite, kind, file and line, and the changed text.
local FOLDERS <const> = { "src/core", "src/script/bind" }
local TIMEOUT <const> = 100 -- seconds of one group of suites; a mutant that takes longer is dead

local build <const>, wanted <const> = arg[1], tonumber(arg[2])
local tree <const> = build .. "/mutants"

local function run(format, ...) return (os.execute(format:format(...))) end

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

local SWAPS <const> = {
  { "compare", " == ", " != " }, { "compare", " < ", " <= " }, { "compare", " > ", " >= " },
  { "plus", " + ", " - " }, { "plus", "++", "--" }, { "plus", " += ", " -= " }, { "logic", " && ", " || " },
}

-- Calls add(kind, text) for each place of `from` in the line.
local function swap(line, code, kind, from, to, add)
  local first, last = code:find(from, 1, true)
  while first do
    add(kind, line:sub(1, first - 1) .. to .. line:sub(last + 1))
    first, last = code:find(from, last + 1, true)
  end
end

-- Returns whether the line is a statement that can be left out. `before` is the code line above it.
local function can_drop(code, before)
  local _, opened <const> = code:gsub("%(", "")
  local _, closed <const> = code:gsub("%)", "")
  local is_whole <const> = opened == closed and before:find "[;{}:)]%s*$" or before:find "%f[%w]else%s*$"
  local jumps <const> = code:find "^%s*return" or code:find "^%s*break" or code:find "^%s*case" or code:find "^%s*goto"
  local declares <const> = code:find "^%s*[%w_]+ %**[%w_]+%s*[=;,%[]" or code:find "^%s*const "
  return is_whole and not jumps and not declares and code:find "^%s+[%w_%*%(%+%-][^{}]*;%s*$"
end

-- Calls add(kind, text) for each change of a line.
local function changes(line, code, before, add)
  for _, it in ipairs(SWAPS) do
    swap(line, code, it[1], it[2], it[3], add)
    swap(line, code, it[1], it[3], it[2], add)
  end
  for first, digits, last in code:gmatch "()%f[%w_.](%d+)()u?%f[^%w_.]" do
    add("constant", line:sub(1, first - 1) .. (digits == "0" and 1 or digits + 1) .. line:sub(last))
  end
  for word, first, last in code:gmatch "(%f[%w]%a+) ()%b()()" do
    if word == "if" or word == "while" then
      add("negate", line:sub(1, first - 1) .. "(!" .. line:sub(first, last - 1) .. ")" .. line:sub(last))
    end
  end
  if can_drop(code, before) then add("drop", line:match "^%s*" .. ";") end
end

local function hash(text)
  local sum = 0xcbf29ce484222325
  for i = 1, #text do sum = (sum ~ text:byte(i)) * 0x100000001b3 end
  return sum ~ (sum >> 29)
end

local function add_candidates(path, list)
  local seen <const> = {}
  local in_comment, before = false, ""
  for number, line in ipairs(lines_of(path)) do
    local code <const>, goes_on <const> = code_of(line, in_comment)
    in_comment = goes_on
    if code:find "^%s+%S" or code:find "{ .*}$" then
      changes(line, code, before, function(kind, text)
        local key <const> = table.concat({ path, kind, line, text }, "\t")
        seen[key] = (seen[key] or 0) + 1
        list[#list + 1] = { path = path, number = number, kind = kind, from = line, to = text,
          order = ("%016x"):format(hash(key .. "\t" .. seen[key])) }
      end)
    end
    if code:find "%S" and not code:find "^#" then before = code end
  end
end

local function candidates()
  local list <const> = {}
  for _, folder in ipairs(FOLDERS) do
    for path in io.popen("ls " .. folder .. "/*.c"):lines() do add_candidates(path, list) end
  end
  table.sort(list, function(a, b) return a.order < b.order end)
  return list
end

-- }==

-- {== One after the other ===================================================

-- Suites that reach the code, in the order in which they are asked. Those that compile programs, and specs of reloading
-- and of pages, have no say.
local groups <const> = { "", "model", "fuzz", "specs", "specs_refused arena host", "script" }
for path in io.popen "ls tests/core/check_*.c":lines() do
  local name <const> = path:match "check_(.*)%.c$"
  if name ~= "layers" then groups[1] = groups[1] .. " " .. name end
end

-- Returns nil, or the suite that fails first, or "timeout".
local function failing()
  for _, group in ipairs(groups) do
    if not run("cd %s && SP_TEST_STOP=%d SP_TEST_JOBS=2 build/tests %s >said 2>&1", tree, TIMEOUT, group) then
      for _, line in ipairs(lines_of(tree .. "/said")) do
        if line:find "  FAILED$" then return (line:match "^%S+") end
        if line:find "^out of time" then return "timeout" end
      end
      return group
    end
  end
end

local function write(path, lines)
  local file <close> = assert(io.open(path, "w"))
  file:write(table.concat(lines, "\n"), "\n")
end

local function make()
  return run("make -s -C %s BUILD=build DEPS=no WERROR= CFLAGS=-O1 build/tests >%s/make.log 2>&1", tree, tree)
end

-- Returns what happened, and the suite.
local function try(mutant)
  local path <const> = tree .. "/" .. mutant.path
  local object <const> = ("%s/build/obj/%s.o"):format(tree, mutant.path:sub(1, -3))
  local lines <const> = lines_of(path)
  run("cp %s %s/object.o", object, tree)
  lines[mutant.number] = mutant.to
  write(path, lines)
  local compiles <const> = make()
  local is_same <const> = compiles and run("cmp -s %s %s/object.o", object, tree)
  local suite <const> = compiles and not is_same and failing()
  lines[mutant.number] = mutant.from
  write(path, lines)
  if not compiles then return "invalid" end
  if is_same then return "same" end
  return suite and "killed" or "survived", suite
end

-- What an earlier run has built stays, but for what it changed.
run("mkdir -p %s && find %s -mindepth 1 -maxdepth 1 ! -name build -exec rm -rf {} +", tree, tree)
run("git ls-files -z | xargs -0 cp -p --parents -t %s", tree)
for _, folder in ipairs(FOLDERS) do run("rm -rf %s/build/obj/%s", tree, folder) end
run("cd %s/tests/lua && rm -f spec_reload_*.lua spec_annotations.lua", tree)
assert(make(), "the tree does not build")
local broken <const> = failing()
if broken then error(("suite '%s' fails without any change"):format(broken), 0) end

local count <const> = { killed = 0, survived = 0, invalid = 0, same = 0 }
for _, mutant in ipairs(candidates()) do
  if count.killed + count.survived == wanted then break end
  local begin <const> = os.time()
  local what <const>, suite <const> = try(mutant)
  count[what] = count[what] + 1
  print(table.concat({ what, os.time() - begin, suite or "-", mutant.kind, mutant.path .. ":" .. mutant.number,
    mutant.from, mutant.to }, "\t"))
  io.stdout:flush()
end
print(("%d killed, %d survived; %d do not compile, %d compile to the same code"):format(count.killed, count.survived,
  count.invalid, count.same))

-- }==
