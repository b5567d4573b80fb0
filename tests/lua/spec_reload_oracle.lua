-- The oracle that random edits are checked with: it accepts a reloader that keeps the rules, and finds each fault.
local spec <const> = require "spec"
local cases <const> = require "reload_case"
local ideal <const> = require "reload_ideal"
local play <const> = require "reload_play"

local SEEDS <const>, MOST <const> = 12, 80 -- that must pass; among which one must fail

-- Plays cases until one fails. What the projects print is heard by nobody.
local function first_failure(faults, seeds)
  local print <const> = _G.print
  _G.print = function() end
  local found
  for seed = 1, seeds do
    local _, failure <const> = play.random(seed, ideal.new(faults), function() end)
    found = found or failure
    if found then break end
  end
  _G.print = print
  return found
end

spec.describe("the oracle of random edits", function()
  spec.test("accepts a reloader that keeps the rules", function()
    local failure <const> = first_failure({}, SEEDS)
    spec.equal(failure and failure.text, nil)
  end)

  for _, case in ipairs {
    { "leaves old functions with those who hold them", { keeps_functions = true } },
    { "drops what the game has set", { drops_values = true } },
    { "keeps what the game has set, whatever the text says", { keeps_values = true } },
    { "registers a handler twice", { repeats_handlers = true } },
    { "cuts closures off from their variables", { keeps_variables = true } },
    { "gives tables another identity", { new_tables = true } },
    { "changes a table of the game", { does_more = function(it) it.game[1] = it.game[1] and 99 end } },
    { "writes into a table that no file owns", { does_more = function() _G.world.names.extra = 1 end } },
    { "replaces a function of C", { does_more = function() rawset(string, "rep", math.floor) end } },
    { "replaces a module", { does_more = function() package.loaded.kit = {} end } },
    { "takes an object away", { does_more = function(it) it.objects[2]:recycle() end } },
    { "changes something when it refuses", { changes_refused = function() package.loaded.bus.extra = 1 end } },
  } do
    spec.test("finds one that " .. case[1], function() spec.equal(first_failure(case[2], MOST) ~= nil, true) end)
  end
end)

-- Small programs of which it is known what must happen.
spec.describe("a case that is played again", function()
  local FILES <const> = { ["m.lua"] = "local s1 = 1\nlocal M = {}\nfunction M.f(p) s1 = p return s1 end\nreturn M\n" }

  local function replay(reload, ...)
    local _, failure <const> = cases.replay({ names = { "m" }, files = FILES, steps = { ... } }, reload)
    return failure and failure.kind
  end

  spec.test("fails with the same fault, and passes without it", function()
    local steps <const> = { { act = "package.loaded.m.f(5)" }, { files = { ["m.lua"] = "\n" .. FILES["m.lua"] } } }
    spec.equal(replay(ideal.new(), table.unpack(steps)), nil)
    spec.equal(replay(ideal.new { drops_values = true }, table.unpack(steps)), "lost")
  end)

  spec.test("fails when an edit is not seen, is refused or accepted wrongly, or raises", function()
    local function reloader(now)
      local reload <const> = ideal.new()
      reload.now = now
      return reload
    end
    local edit <const>, wrong <const> = { files = { ["m.lua"] = "return {}" } }, { files = { ["m.lua"] = "return" } }
    spec.equal(replay(reloader(function() return nil end), edit), "unseen")
    spec.equal(replay(reloader(function() return { ok = false } end), edit), "rejected")
    spec.equal(replay(reloader(function() return { ok = true } end), wrong), "accepted")
    spec.equal(replay(reloader(function() error "internal" end), edit), "raised")
    spec.equal(replay(reloader(function() return { ok = false } end), wrong), nil)
  end)
end)
