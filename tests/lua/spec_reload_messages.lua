-- What a reload says: the line, and what a call returns.
local spec <const> = require "spec"
spec.ignores_collector "a reload runs with the collector stopped; spec_reload_classes runs with each"
local projects <const> = require "reload_kit"

local test <const> = projects.test

spec.describe("reload.now() returns the result of its own call", function()
  local function value(n) return ("return { value = %s }"):format(n) end
  local FILES <const> = { a = value(1), b = value(1), main = "require 'b' return require 'a'" }
  local STEPS <const> = { { a = "return {" }, "! a.lua", "os.remove(folder .. '/b.lua') reload.now()" }
  for i = 2, 4 do
    table.move({ { a = value(i) }, ("? a.value == %d"):format(i), { a = "return { value = " }, "! a.lua",
      "has(result.line, 'a.lua')" }, 1, 5, #STEPS + 1, STEPS)
  end
  test("beside a file that is gone", FILES, STEPS, "main")

  test("when a broken file is as it was, and one saved with it comes through", FILES, {
    { b = value(2), a = "return {" }, "! a.lua", { a = value(1) }, "? b.value == 2",
    { b = "return {" }, "! b.lua", { b = value(3) }, "? b.value == 3",
  }, "main")
end)

test("a refusal names each file that does not compile", { a = "return 1", b = "return 1" }, {
  { a = "return {", b = "x = = 1" }, "! a.lua:1", "has(result.error, 'a.lua:1', 'b.lua:1')",
}, "a b")

spec.describe("the line of a reload", function()
  for name, row in pairs {
    ["globals, by their values"] = { "A, B = 1, 2 function C() end return 1",
      "A, B = 3, 2 function C() return A end return 1", "A 1 -> 3, C" },
    ["a function that is returned"] = { "return function() end", "return function() return 1 end", "what it returns" },
    ["a constant that is no variable"] = { "local EVERY <const> = 0.1 -- s\nreturn {}",
      "local EVERY <const> = 0.04 -- s\nreturn {}", "EVERY 0.1 -> 0.04" },
    ["a class that the file did not declare before"] = { "return {}",
      "require('spawnpool').class('Arrived', {}) return {}", "new: Arrived" },
    ["an entry that is gone, and one that is new, deep in a table"] = { "return { a = { b = 1, c = 1 } }",
      "return { a = { c = 2, d = 1 } }", "a.c 1 -> 2, new: a.d, gone: a.b" },
    ["handlers that are added to a list of another file"] = { "return {}",
      "local on = require('bus').on on[1], on[2] = function() end, function() end return {}",
      "2 entries more in bus.on" },
    ["what is no longer written elsewhere"] = { "function string.split(s) return { s } end "
      .. "local on = require('bus').on on[1] = print return {}", "return {}",
      "1 entry fewer in bus.on, gone: string.split" },
  } do
    test("names " .. name, { bus = "return { on = {} }", m = row[1] }, {
      { m = row[2] }, ("? result.line:match 'ms: (.*)$' == %q"):format(row[3]),
    }, "bus m")
  end

  local function adds(first, body)
    return { m = ("%s\nlocal M <const> = {}\nfunction M.add(x) %s end\nreturn M"):format(first, body) }
  end
  for first, row in pairs {
    ["local list = {}"] = { "list[#list + 1] = x", "; `list` is new: renamed?" },
    ["local list, more = {}, {}"] = { "list[#list + 1], more[1] = x, x", "" },
    ["local list = 1"] = { "list = x", "" },
  } do
    test("says what a file-local throws away: " .. first, adds("local entities = {}", "entities[#entities + 1] = x"), {
      "for i = 1, 20 do m.add(i) end", adds(first, row[1]),
      ("? result.line:match '; (file%%-local.*)$' == 'file-local `entities`, 20 entries, is gone%s'"):format(row[2]),
    }, "m")
  end

  local function alike(first, second, step)
    return { alike = ([[
      local M = {}
      local x = 1 function M.%s() x = x + 1 return x end
      local x = 5 function M.%s() x = x + %d return x end
      return M]]):format(first, second, step) }
  end
  test("tells file-locals of one name apart by their functions", alike("a", "b", 1), {
    "equal({ alike.a(), alike.b() }, { 2, 6 })", alike("a", "b", 2), "equal({ alike.a(), alike.b() }, { 3, 8 })",
    alike("c", "d", 2), "equal({ alike.c(), alike.d() }, { 4, 10 })",
  }, "alike")

  test("says what of a coroutine's code is new", { other = "return {}", m = [[
local M <const> = { n = 0 }
local function step() M.n = M.n + 1 end
function M.run() while true do step() coroutine.yield() end end
return M
]] }, {
    "co = coroutine.wrap(m.run) co()", { other = "return { n = 1 }" }, "? not result.line:find 'coroutine'",
    { "m", "M.n + 1", "M.n + 5" }, "? not result.line:find 'coroutine'", { "m", "step() co", "step() step() co" },
    "has(result.line, '1 suspended coroutine finishes with the old code; functions called from there are new')",
    { "m", "M.n + 5", "M.n + 20" }, "? not result.line:find 'coroutine'", "co()", "? m.n == 21",
  }, "m other")
end)
