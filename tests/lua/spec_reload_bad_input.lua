-- Bad files: missing, empty, half-written, of any bytes; circular requires; modules that return another kind of value.
-- Each gives one clear line, and the game goes on. Folders, links, pipes, byte order marks and line ends:
-- tests/script/check_bad_files.c.
local spec <const> = require "spec"
spec.ignores_collector "a reload runs with the collector stopped; other spec_reload files run with each"
local history <const> = require "reload_history"
local projects <const> = require "reload_kit"
local reload <const> = require "spawnpool.reload"

local GOOD <const> = "local n = 0\nlocal M = {}\nfunction M.add() n = n + %d return n end\nreturn M\n"

-- All that a reload has to say, as one list of results.
local function drain()
  local list <const> = { reload.now() }
  for _ = 1, 20 do list[#list + 1] = reload.poll() end
  return list
end

-- Each report is one line, and names the file with the problem.
local function check_lines(list, file)
  for _, result in ipairs(list) do
    spec.equal({ type(result.line), result.line:find("\n", 1, true), #result.line < 300 }, { "string", nil, true })
    if not result.ok then
      local text <const> = result.line .. tostring(result.error)
      if not text:find(file, 1, true) then error(("it does not name %s: %s"):format(file, text), 0) end
    end
  end
end

-- A project with one module that counts.
local function open()
  local it <const> = projects.open { ["m.lua"] = GOOD:format(1), ["user.lua"] =
    "local m = require 'm'\nreturn { add = m.add }" }
  reload.patience(1)
  local count = 0
  require "user"
  -- The game goes on, by the code that adds `step`.
  function it.goes_on(step)
    count = count + step
    spec.equal({ require("m").add(), #it.pools:stats() }, { count, 0 })
  end
  return it
end

-- {== Files ===================================================================

local function write(path, text)
  local f <close> = assert(io.open(path, "wb"))
  assert(f:write(text))
end

-- Bytes of any kind, but for those that begin a chunk of bytecode.
local function noise()
  local bytes <const> = {}
  for i = 1, 2000 do bytes[i] = string.char(math.random(0, 255)):gsub("\27", "") end
  return table.concat(bytes)
end

spec.describe("a file that", function()
  for _, case in ipairs {
    { "vanishes", spec.remove },
    { "is emptied", function(path) write(path, "") end },
    { "is bytes of any kind", function(path) write(path, noise()) end },
    { "is very long", function(path) write(path, ("("):rep(3000000)) end },
    { "has a line without end", function(path) write(path, "return {" .. ("{"):rep(200000)) end },
  } do
    spec.test(case[1] .. " leaves the old code, and comes back with the next save", function()
      local it <close> = open()
      it.goes_on(1)
      case[2](it.folder .. "/m.lua")
      local list <const> = drain()
      check_lines(list, "m.lua")
      it.goes_on(1)
      it.save("user.lua", "local m = require 'm'\nreturn { add = m.add, edited = true }")
      check_lines(drain(), "m.lua")
      it.goes_on(1)
      spec.remove(it.folder .. "/m.lua")
      it.save("m.lua", GOOD:format(10))
      it.goes_on(reload.now().ok and 10)
      it.edit("m.lua", GOOD:format(100))
      it.goes_on(100)
      spec.equal(require("user").edited, true)
    end)
  end

  spec.test("grows while it is read is refused as long as it is incomplete", function()
    local it <close> = open()
    local text <const> = GOOD:format(10)
    local f <const> = assert(io.open(it.folder .. "/m.lua", "wb"))
    for at = 1, #text do
      f:write(text:sub(at, at))
      f:flush()
      check_lines({ reload.now() }, "m.lua")
    end
    f:close()
    check_lines(drain(), "m.lua")
    it.goes_on(10)
  end)

end)

-- }==

-- {== Text ====================================================================

spec.describe("a text", function()
  local WRONG <const> = "local M = {}\n\nerror 'third'\nreturn M\n"
  for what, form in pairs { ["a mark"] = "\xef\xbb\xbf" .. WRONG, ["other line ends"] = WRONG:gsub("\n", "\r\n") } do
    projects.test("names the right line in its error: " .. what, { m = GOOD:format(1) },
      { { m = form }, "! m.lua:3: third" }, "m")
  end
end)

-- }==

-- {== What a module returns ===================================================

local VALUES <const> = {
  "", "return nil", "return false", "return true", "return 5", "return 'text'", "return function() return 1 end",
  "return { n = 1 }", "return coroutine.create(print)", "return io.stdout", "return math.floor",
  "return setmetatable({}, { __index = math })",
}

spec.describe("a module that", function()
  for i, before in ipairs(VALUES) do
    spec.test(("did %q may do anything else"):format(before), function()
      local steps <const> = {}
      for j = i + 1, #VALUES do table.move({ VALUES[j], before }, 1, 2, #steps + 1, steps) end
      history("m user", { m = before, user = "local m = require 'm'\nreturn { m = m, get = function() return m end }" },
        steps)()
    end)
  end
end)

-- }==

-- {== Circles =================================================================

spec.describe("a circle of requires", function()
  local function plain(names)
    local files <const> = {}
    for i, name in ipairs(names) do
      files[name] = (names[i + 1] and ("local next_one = require '%s'\n"):format(names[i + 1]) or "")
        .. "return { name = ... }"
    end
    return files
  end
  local function closed(text, name) return ("local first = require '%s'\n"):format(name) .. text end

  for _, names in ipairs { { "a" }, { "a", "b", "c" } } do
    local files <const>, last <const> = plain(names), names[#names]
    spec.test(("of %d files is refused, named, and opened again"):format(#names), history("a", files, {
      "> game.a = a a.g1 = 5", { [last] = closed(files[last], "a") }, "? a == game.a and a.g1 == 5",
      { a = "\n" .. files.a }, "? a.g1 == 5", files, "? a == game.a and a.g1 == 5",
    }))
  end

  spec.test("that is closed inside a function is none", history("a", { a = "local b = require 'b'\nreturn { b = b }",
    b = "return {}" }, {
    { b = "return { get = function() return require 'a' end }" }, "? a.b.get() == a",
    { a = "\nlocal b = require 'b'\nreturn { b = b, n = 1 }" }, "? a.n == 1 and a.b.get() == a",
    { b = "return { get = function() return require 'a' end, n = 2 }" }, "? a.b.n == 2",
  }))
end)

-- }==
