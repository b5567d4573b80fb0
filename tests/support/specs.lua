-- Specs: tests in Lua. A file tests/lua/spec_NAME.lua says what it expects; tests/script/check_specs.c runs each test
-- in a Lua state of its own, with the library preloaded, and sees that no byte is left when the state is closed.
--
--   local spec <const> = require "spec"
--   spec.describe("recycle", function()
--     spec.test("ends a life", function() spec.equal(pools:recycle(b), true) end)
--     spec.test("refuses a number", function() spec.expect_error("bad argument #1", pools.recycle, pools, 1) end)
--   end)
-- Where there are no pipes a file takes what the command prints: tests/web/runner.c says so.
if os.getenv "SP_NO_PIPES" then
  function io.popen(command) -- luacheck: ignore 122
    local path <const> = os.tmpname()
    os.execute(("{ %s; } >%s"):format(command, path))
    local file <const> = io.open(path)
    os.remove(path)
    return file
  end
end

local spec <const> = {}
local tests <const>, groups <const> = {}, {}
local ignores_collector, differs = false, false

function spec.describe(name, fn)
  groups[#groups + 1] = name
  fn()
  groups[#groups] = nil
end

-- `level`: of the caller whose line the test has, for a helper that adds tests; 1 is who calls this.
function spec.test(name, fn, level)
  local path <const> = table.concat(groups, ", ")
  tests[#tests + 1] = {
    name = path == "" and name or path .. ": " .. name,
    line = debug.getinfo(1 + (level or 1), "l").currentline,
    fn = fn,
  }
end

-- Call it at the top of a file whose specs run with the plain collector only; `why` says why a collection cannot make
-- a difference. SP_ALL_SPECS=1 runs them with every collector.
function spec.ignores_collector(why)
  ignores_collector = #why > 0
end

-- Call it at the top of a file whose specs are not the same each time: they wait for a clock, or for finalisers. They
-- are not repeated.
function spec.differs_each_time(why)
  differs = #why > 0
end

-- {== What a test says =======================================================

local function show(value)
  return type(value) == "string" and ("%q"):format(value) or tostring(value)
end

-- The path to the first difference of two values, tables by content; nil when there is none.
local function difference(got, want, path)
  if got == want or (got ~= got and want ~= want) then return nil end
  if type(got) ~= "table" or type(want) ~= "table" then
    return ("%s is %s, expected %s"):format(path, show(got), show(want))
  end
  for key, value in pairs(want) do
    local found <const> = difference(got[key], value, ("%s[%s]"):format(path, show(key)))
    if found then return found end
  end
  for key, value in pairs(got) do
    if want[key] == nil then return ("%s[%s] is %s, expected nothing"):format(path, show(key), show(value)) end
  end
end

-- Equal by ==, tables by content, NaN to NaN.
function spec.equal(got, want, what)
  local found <const> = difference(got, want, what or "value")
  if found then error(found, 2) end
end

-- Each part is in the text, whatever letters it is made of.
function spec.contains(text, ...)
  for _, part in ipairs { ... } do
    if not text:find(part, 1, true) then error(("no %q in:\n%s"):format(part, text), 2) end
  end
end

-- `fn` must raise an error whose text matches the Lua pattern; the text is returned.
function spec.expect_error(pattern, fn, ...)
  local ok <const>, message <const> = pcall(fn, ...)
  if ok then error(("no error, expected one like %q"):format(pattern), 2) end
  local text <const> = tostring(message)
  if not text:find(pattern) then error(("the error was %q, expected one like %q"):format(text, pattern), 2) end
  return text
end

-- }==

-- {== For the runner =========================================================

-- Loads a file and returns its tests, { {name, line}, ... }, and whether they ignore the collector, or differ. The
-- tests are in the order of the file, also those that a walk by `pairs` added: each state has another order of keys,
-- and a test is found by its number.
function spec.load(file)
  assert(loadfile(file, "t"))()
  if #tests == 0 then error(file .. ": it has no tests") end
  for i, test in ipairs(tests) do test.number = i end
  table.sort(tests, function(a, b)
    if a.line ~= b.line then return a.line < b.line end
    if a.name ~= b.name then return a.name < b.name end
    return a.number < b.number
  end)
  return tests, ignores_collector, differs
end

-- Runs test number `index` of the file that is loaded; returns nothing when it passed, else the message with traceback,
-- and the line of the file.
function spec.run(file, index)
  local line = tests[index].line
  local function explain(message)
    for level = 2, 100 do
      local info <const> = debug.getinfo(level, "Sl")
      if not info then break end
      if info.source == "@" .. file then
        line = info.currentline
        break
      end
    end
    local text <const> = debug.traceback(tostring(message), 2)
    return (text:gsub("\n%s*%[C%]: in function 'xpcall'.*", "")) -- the frames below are ours
  end
  local ok <const>, message <const> = xpcall(tests[index].fn, explain)
  if not ok then return message, line end
end

-- Returns a function that uses the library. It has functions of its own: a spec may replace globals.
function spec.probe()
  local assert <const>, collect <const>, spawnpool <const> = assert, collectgarbage, require "spawnpool"
  local new <const>, class <const> = spawnpool.new, spawnpool.class
  return function()
    collect()
    class("Probe", {})
    local pools <const> = new { step = 1 }
    local o <const> = pools:alloc("Probe", 2, 3, 0)
    pools:update(1)
    assert(o.alive and o.x == 3 and o:recycle() and not o.alive)
    assert(pools:alloc "Probe" and pools:close() == 1)
  end
end

-- }==

return spec
