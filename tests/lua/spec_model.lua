-- Random calls of the whole interface are compared with a simple model. `make soak` plays millions of turns, and
-- shortens a game that fails.
local spec <const> = require "spec"
local kit <const> = require "kit"

-- Fewer where every step is slow: under a tool, or with a collection after every few instructions.
local function steps()
  local slow <const> = { valgrind = 40, asan = 8, coverage = 4 }
  local share <const> = slow[os.getenv "SP_TEST_TOOL"] or 1
  return (debug.gethook() and 500 or 10000) // share
end

spec.describe("random operations", function()
  for seed = 1, 6 do
    spec.test("agree with the model, seed " .. seed, function()
      -- Errors that hooks raise on purpose are reported; any other error is a difference of the model.
      spec.hear(kit.warnings, function() require("model_play").play(seed, steps()) end)
    end)
  end
end)
