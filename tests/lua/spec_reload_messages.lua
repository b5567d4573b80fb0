-- The line that a reload prints, and before_reload that fails.
local spec <const> = require "spec"
spec.ignores_collector "a reload runs with the collector stopped; other spec_reload files run with each"
local projects <const> = require "reload_kit"

local test <const> = projects.test

spec.describe("before_reload", function()
  local function module(version, before, after)
    return ([[
      local M = {}
      M.version = %d
      function M.before_reload() %s end
      function M.after_reload(value) %s end
      return M]]):format(version, before, after)
  end

  test("do not keep out an edit of the first one, where it fails", { asked_badly = module(1, "error 'not now'", "") }, {
    "old = asked_badly", { asked_badly = module(2, "error 'not now'", "") }, "! not now",
    { during = "said = hear(edit)", asked_badly = module(3, "", "") }, "? old.version == 3 and said:match 'not now'",
  }, "asked_badly")

  test("refuse when the first one fails in a file that only uses an edited one", {
    used = module(1, "", ""), user = "require 'used' " .. module(1, "error 'not now'", ""),
  }, { { used = module(2, "", "") }, "! not now", "? require('used').version == 1" }, "user")
end)

spec.describe("the line of a reload", function()
  local function line_of(before, after)
    local world <close> = projects.open { ["lined.lua"] = before }
    require "lined"
    local line <const> = world.edit("lined.lua", after).line
    package.loaded.lined = nil
    return line:match "ms: (.*)$"
  end

  local function alike(first, second, step)
    return { alike = ([[
      local M = {}
      local x = 1 function M.%s() x = x + 1 return x end
      local x = 5 function M.%s() x = x + %d return x end
      return M]]):format(first, second, step) }
  end
  test("names file-locals of one name that no function tells apart", alike("a", "b", 1), {
    "equal({ alike.a(), alike.b() }, { 2, 6 })", alike("a", "b", 2),
    "equal({ alike.a(), alike.b(), result.line:match 'same name' }, { 3, 8 })", alike("c", "d", 2),
    "equal({ alike.c(), alike.d() }, { 2, 7 })",
    "? result.line:match '[^;]*$' == ' file-locals of the same name restarted: x'",
  }, "alike")

  spec.test("names globals, and what is returned if that is no table", function()
    spec.equal(line_of("A, B = 1, 2 function C() end return 1", "A, B = 3, 2 function C() return A end return 1"),
      "A 1 -> 3, C")
    spec.equal(line_of("return function() end", "return function() return 1 end"), "what it returns")
    spec.equal(line_of("return 'a'", "return 'b'"), "what it returns 'a' -> 'b'")
  end)

  spec.test("names a constant that is no variable", function()
    spec.equal(line_of("local EVERY <const> = 0.1 -- s\nreturn {}", "local EVERY <const> = 0.04 -- s\nreturn {}"),
      "EVERY 0.1 -> 0.04")
    spec.equal(line_of("local ON <const> = true\nreturn {}", "local ON <const> = false\nreturn {}"), "ON true -> false")
  end)

  spec.test("names a class that the file did not declare before", function()
    spec.equal(line_of("return {}", "require('spawnpool').class('Arrived', {}) return {}"), "new: Arrived")
  end)

  spec.test("names no constant that is computed, or stands there twice", function()
    local QUIET <const> = "nothing visible elsewhere"
    spec.equal(line_of("local N <const> = 1 + #'a'\nreturn {}", "local N <const> = 2 + #'a'\nreturn {}"), QUIET)
    spec.equal(line_of("local A <const> = 1\nlocal A <const> = 2\nreturn {}",
      "local A <const> = 1\nlocal A <const> = 3\nreturn {}"), QUIET)
  end)
end)

local function declaring(name, limit)
  return ("return require('spawnpool').class('%s', { limit = %s })"):format(name, limit)
end
test("a class that was declared by a refused edit only: is not missed when the next edit comes through",
  { declaring = declaring("Declared", 3) }, {
    { declaring = declaring("Undeclared", 3) .. " + 1" }, "! declaring.lua",
    { during = "said = hear(edit)", declaring = declaring("Declared", 4) },
    "? said == '' and spawnpool.class('Declared').limit == 4",
  }, "declaring")
