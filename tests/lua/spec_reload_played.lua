-- Reloads that are refused memory: what fails has changed nothing, and comes through with the next poll. The games are
-- random ones (played_game.lua); the suite projects plays more of them, with memory.
local spec <const> = require "spec"
spec.ignores_collector "a reload runs with the collector stopped; spec_reload_classes runs with each"
require "spawnpool"
local features <const> = require "played_features"
local play <const> = require "played_game"
local reload <const> = require "spawnpool.reload"

local GAMES <const> = 5

-- Makes up for what had no memory; returns what was said of the save.
local function try_again(result)
  for _ = 1, 3 do
    local more <const> = reload.now()
    if not result or not result.ok then result = more or result end
  end
  while reload.poll() do end
  return result
end

-- The library, with an allocation of each reload refused, or all from there on. A reload that fails for one has changed
-- nothing. Without any more memory even the way back may wait.
local function refusing(random, count)
  local function now(check)
    local on <const> = random.one_in(2)
    spec.refuse(1 + random.below(1 << 3 + random.below(12)), on)
    local done <const>, result = pcall(reload.now)
    if spec.refuse(0) == 0 then return result end
    count.refused = count.refused + 1
    local is_through <const> = done and result and result.ok
    if not is_through then
      if not on then check() end
      result = on and reload.poll() or nil
    end
    return try_again(result) or on and { ok = true, line = "it came through, and could not say so" } or nil
  end
  return setmetatable({ now = now }, { __index = reload })
end

spec.describe("a reload without memory", function()
  for seed = 1, GAMES do
    spec.test("changes nothing, and comes through later: game " .. seed, function()
      local count <const> = { refused = 0 }
      local done, wrong
      spec.hear(function()
        done, wrong = pcall(play, seed, refusing(features.random(seed), count), nil, function() end)
      end)
      if not done then error(type(wrong) == "table" and wrong.text or wrong, 0) end
      spec.equal(count.refused > 2, true)
    end)
  end
end)
