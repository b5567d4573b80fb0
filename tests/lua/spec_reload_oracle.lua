-- Random edits of random projects, checked by the oracle, which finds every kind of fault: the library reloads, and a
-- fault is added to what it does.
local spec <const> = require "spec"
spec.ignores_collector "a reload runs with the collector stopped; other spec_reload files run with each"
require "spawnpool"
local cases <const> = require "reload_case"
local play <const> = require "reload_play"
local project <const> = require "reload_project"

local PROJECTS <const> = 24 -- tests/fuzz/reload_projects.lua plays many more
local REFUSED <const> = 8
local CUT <const> = 97 -- bytes from one cut to the next
local MOST <const> = 40 -- random projects among which one must fail

-- The library, or what `now(reload)` does in its place.
local function reloader(now)
  local reload <const> = require "spawnpool.reload"
  return setmetatable({ now = function() return now(reload) end }, { __index = reload })
end

-- Reloads, then does something more after an edit that went through (`ok`), or that was rejected.
local function also(ok, fault)
  return reloader(function(reload)
    local result <const> = reload.now()
    if result and result.ok == ok then fault() end
    return result
  end)
end

-- Plain Lua: every module of the project is required again.
local function require_again()
  return reloader(function()
    for _, name in ipairs { "bus", "kit", "a", "b", "c", "d" } do
      if package.loaded[name] ~= nil then
        package.loaded[name] = nil
        pcall(require, name)
      end
    end
    return { ok = true, files = {} }
  end)
end

-- Runs `body` without the output of projects and the library's reports about code that edits have broken.
local function quietly(body, ...)
  local print <const> = _G.print
  _G.print = function() end
  local done <const>, wrong <const> = pcall(spec.hear, body, ...)
  _G.print = print
  if not done then error(wrong, 0) end
end

local function finds(reload)
  local found
  quietly(function()
    for seed = 1, MOST do
      found = found or select(2, play.random(seed, reload, function() end))
    end
  end)
  return found ~= nil
end

spec.describe("after every edit the program is what a fresh load is:", function()
  local function passes(body, ...)
    local count, failure
    quietly(function(...) count, failure = body(...) end, ...)
    if failure then error(failure.text, 0) end
    return count
  end

  for seed = 1, PROJECTS do
    spec.test("random project " .. seed, function()
      local count <const> = passes(play.random, seed, require "spawnpool.reload", function() end)
      spec.equal(count.ok + count.refused > 5, true)
    end)
  end

  for seed = 1, REFUSED do
    spec.test("with refused memory: a reload that fails changes nothing, random project " .. seed, function()
      local random <const> = project.random(seed)
      local reload <const> = reloader(function(its) return its.now() end)
      function reload.refuse()
        local on <const> = random.one_in(2)
        spec.refuse(1 + random.below(1 << 3 + random.below(12)), on)
        return on
      end
      function reload.relent() return spec.refuse(0) end
      local count <const> = passes(play.random, seed, reload, function() end)
      spec.equal(count.refused_memory > 5, true)
    end)
  end

  spec.test("files that are cut off", function()
    local count <const> = passes(play.cuts, 3, require "spawnpool.reload", CUT)
    spec.equal(count.refused > 30, true)
  end)

  spec.test("edits that are refused, or that are taken back", function()
    local count <const> = passes(play.rounds, 1, require "spawnpool.reload", function() return true end)
    spec.equal({ count.refused > 1, count.reverted > 1 }, { true, true })
  end)
end)

spec.describe("the oracle of random edits finds a reloader that", function()
  for name, open in pairs {
    ["requires modules again"] = require_again,
    ["writes into a table that no file owns"] = function()
      return also(true, function() _G.world.names.extra = 1 end)
    end,
    ["replaces a C function"] = function() return also(true, function() rawset(string, "rep", math.floor) end) end,
    ["replaces a module"] = function() return also(true, function() package.loaded.kit = {} end) end,
    ["changes something when it rejects"] = function()
      return also(false, function() package.loaded.bus.extra = 1 end)
    end,
  } do
    spec.test(name, function() spec.equal(finds(open()), true) end)
  end
end)

spec.describe("a case that is played again", function()
  local MODULE <const> = { ["m.lua"] = "local s1 = 1\nlocal M = {}\nfunction M.f(p) s1 = p return s1 end\nreturn M\n" }
  local NEW <const>, WRONG <const> = { files = { ["m.lua"] = "return {}" } }, { files = { ["m.lua"] = "return" } }
  local CLASS <const> = [[
local Cube = require("spawnpool").class("Cube", { limit = 3, fields = { hp = 1 } })
function Cube:on_spawn(o) o.x = %d end
return Cube
]]
  local CUBE <const> = { ["pools/Cube.lua"] = CLASS:format(1) }
  local CUBES <const> = { act = "s_pools = pools pools:alloc('Cube', 0)" }
  local EDIT <const> = { files = { ["pools/Cube.lua"] = CLASS:format(2) } }
  local BROKEN <const> = { files = { ["pools/Cube.lua"] = "local Cube = " } }

  local function replay(reload, files, ...)
    local steps <const> = { ... }
    local failure
    quietly(function()
      local names <const> = { files["m.lua"] and "m" or "pools.Cube" }
      failure = select(2, cases.replay({ names = names, files = files, steps = steps }, reload))
    end)
    return failure and failure.kind
  end

  local function answers(result) return reloader(function() return result end) end

  -- After the edit, and before it is looked at, `fault(pools, cube)`.
  local function with(fault)
    return also(true, function()
      local pools <const> = _G.s_pools.pools
      local next_one <const>, serial <const> = pools:each { type = "Cube" }
      fault(pools, next_one(serial))
    end)
  end

  local library <const> = function() return require "spawnpool.reload" end
  for _, case in ipairs {
    { "the library passes", library, MODULE, { act = "package.loaded.m.f(5)" }, NEW },
    { "a refusal of a text that cannot run passes", function()
      return answers { ok = false, error = "m.lua:1: unexpected symbol" }
    end, MODULE, WRONG },
    { "an edit that is not seen", function() return answers(nil) end, MODULE, NEW, fails = "unseen" },
    { "an edit that is rejected", function() return answers { ok = false } end, MODULE, NEW, fails = "rejected" },
    { "a wrong text that is accepted", function() return answers { ok = true } end, MODULE, WRONG, fails = "accepted" },
    { "an error of the reloader", function() return reloader(function() error "internal" end) end, MODULE, NEW,
      fails = "raised" },
    { "a refusal without a message", function() return answers { ok = false } end, CUBE, BROKEN, fails = "message" },
    { "a message without a file", function() return answers { ok = false, error = "unexpected symbol" } end,
      CUBE, BROKEN, fails = "message" },
    { "a message without a line", function() return answers { ok = false, error = "pools/Cube.lua: unexpected" } end,
      CUBE, BROKEN, fails = "message" },
    { "the library passes with a class", library, CUBE, CUBES, EDIT },
    { "a value that changes", function() return with(function(_, o) o.hp = 77 end) end, CUBE, CUBES, EDIT,
      fails = "pools" },
    { "an object that ends", function() return with(function(_, o) o:recycle() end) end, CUBE, CUBES, EDIT,
      fails = "pools" },
    { "an object that is new", function() return with(function(pools) pools:alloc "Cube" end) end, CUBE, CUBES, EDIT,
      fails = "pools" },
    { "a pool with another limit than its class", function()
      return with(function(pools) pools:pool("Cube").limit = 9 end)
    end, CUBE, CUBES, EDIT, fails = "pools" },
    { "a timer that stands still", function() return with(function(pools) pools.paused = true end) end,
      CUBE, CUBES, EDIT, fails = "pools" },
    { "a hook that is not the one of the file", function()
      return with(function(pools) pools:pool("Cube").class.on_spawn = function() end end)
    end, CUBE, CUBES, EDIT, fails = "code" },
  } do
    local function test() spec.equal(replay(case[2](), case[3], case[4], case[5]), case.fails) end
    spec.test(case.fails and "finds " .. case[1] or case[1], test)
  end
end)
