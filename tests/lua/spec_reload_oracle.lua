-- Random edits of random projects. After each edit the oracle compares the program with a fresh load.
local spec <const> = require "spec"
spec.ignores_collector "a reload runs with the collector stopped; other spec_reload files run with each"
require "spawnpool"
local play <const> = require "reload_play"
local project <const> = require "reload_project"

local PROJECTS <const> = 4 -- the suite projects plays more, in processes of their own
local REFUSED <const> = 8
local CUT <const> = 97 -- bytes from one cut to the next

-- The library, whose reloads are refused memory.
local function refused_reloader(random)
  local refusing <const> = {}
  function refusing.refuse()
    local on <const> = random.one_in(2)
    spec.refuse(1 + random.below(1 << 3 + random.below(12)), on)
    return on
  end
  function refusing.relent() return spec.refuse(0) end
  return setmetatable(refusing, { __index = require "spawnpool.reload" })
end

-- Runs `body` without the output of projects and the library's reports about code that edits have broken.
local function quietly(body, ...)
  local print <const> = _G.print
  _G.print = function() end
  local done <const>, wrong <const> = pcall(spec.hear, body, ...)
  _G.print = print
  if not done then error(wrong, 0) end
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
      local reload <const> = refused_reloader(project.random(seed))
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
