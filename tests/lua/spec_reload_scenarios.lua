-- The scenarios of reload_scenarios.lua, reloaded by the library.
local spec <const> = require "spec"
local worlds <const> = require "reload_world"
local reloaders <const> = require "reload_reloaders"
local scenarios <const> = require "reload_scenarios"

spec.describe("after a reload", function()
  for _, scenario in ipairs(scenarios) do
    spec.test(scenario.name, function() worlds.play(scenario, reloaders.spawnpool()) end)
  end
end)

-- What the scenarios are worth: somebody who does nothing passes none of them.
spec.describe("a scenario", function()
  for _, scenario in ipairs(scenarios) do
    spec.test("cannot be passed without a reload: " .. scenario.name, function()
      spec.expect_error("reload_%w+%.lua:%d+: ", worlds.play, scenario, reloaders.none())
    end)
  end
end)
