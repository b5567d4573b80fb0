-- The line that a reload prints, and before_reload that fails.
local spec <const> = require "spec"
spec.ignores_collector "a reload runs with the collector stopped; other spec_reload files run with each"
local projects <const> = require "reload_kit"
local spawnpool <const> = require "spawnpool"
local reload <const> = require "spawnpool.reload"

-- The result of a reload with these files.
local function save(world, files)
  world.save(files)
  return reload.now()
end

spec.describe("before_reload", function()
  local function module(version, before, after)
    return ([[
      local M = {}
      M.version = %d
      function M.before_reload() %s end
      function M.after_reload(value) %s end
      return M]]):format(version, before, after)
  end

  spec.test("do not keep out an edit of the first one, where it fails", function()
    local world <close> = projects.open { ["asked_badly.lua"] = module(1, "error 'not now'", "") }
    local asked <const> = require "asked_badly"
    spec.equal(save(world, { ["asked_badly.lua"] = module(2, "error 'not now'", "") }).ok, false)
    local result
    local said <const> = spec.hear(function() result = save(world, { ["asked_badly.lua"] = module(3, "", "") }) end)
    spec.equal({ result.ok, asked.version }, { true, 3 })
    spec.equal(said:match "not now", "not now")
  end)

  spec.test("refuse when the first one fails in a file that only uses an edited one", function()
    local user <const> = "require 'asked_used' " .. module(1, "error 'not now'", "")
    local world <close> = projects.open { ["asked_used.lua"] = module(1, "", ""), ["asked_user.lua"] = user }
    require "asked_user"
    local used <const> = require "asked_used"
    local result <const> = save(world, { ["asked_used.lua"] = module(2, "", "") })
    spec.equal({ result.ok, result.error:match "not now", used.version }, { false, "not now", 1 })
  end)
end)

spec.describe("the line of a reload", function()
  local function line_of(before, after)
    local world <close> = projects.open { ["lined.lua"] = before }
    require "lined"
    local line <const> = save(world, { ["lined.lua"] = after }).line
    package.loaded.lined = nil
    return line:match "ms: (.*)$"
  end

  spec.test("names file-locals of one name that no function tells apart", function()
    local world <close> = projects.open { ["alike.lua"] = [[
      local M = {}
      local x = 1 function M.a() x = x + 1 return x end
      local x = 5 function M.b() x = x + 1 return x end
      return M]] }
    local alike <const> = require "alike"
    spec.equal({ alike.a(), alike.b() }, { 2, 6 })
    local line = save(world, { ["alike.lua"] = [[
      local M = {}
      local x = 1 function M.a() x = x + 1 return x end
      local x = 5 function M.b() x = x + 2 return x end
      return M]] }).line
    spec.equal({ alike.a(), alike.b(), line:match "same name" == nil }, { 3, 8, true })
    line = save(world, { ["alike.lua"] = [[
      local M = {}
      local x = 1 function M.c() x = x + 1 return x end
      local x = 5 function M.d() x = x + 2 return x end
      return M]] }).line
    spec.equal({ alike.c(), alike.d(), line:match "[^;]*$" }, { 2, 7, " file-locals of the same name start again: x" })
  end)

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
    local QUIET <const> = "nothing that others see"
    spec.equal(line_of("local N <const> = 1 + #'a'\nreturn {}", "local N <const> = 2 + #'a'\nreturn {}"), QUIET)
    spec.equal(line_of("local A <const> = 1\nlocal A <const> = 2\nreturn {}",
      "local A <const> = 1\nlocal A <const> = 3\nreturn {}"), QUIET)
  end)
end)

spec.test("a class that was declared by a refused edit only: is not missed when the next edit comes through", function()
  local function class(name) return ("return require('spawnpool').class('%s', { limit = 3 })"):format(name) end
  local world <close> = projects.open { ["declaring.lua"] = class "Declared" }
  require "declaring"
  spec.equal(save(world, { ["declaring.lua"] = class "Undeclared" .. " + 1" }).ok, false)
  local said <const> = spec.hear(function()
    save(world, { ["declaring.lua"] = (class("Declared"):gsub("3", "4")) })
  end)
  spec.equal({ said, spawnpool.class("Declared").limit }, { "", 4 })
end)
