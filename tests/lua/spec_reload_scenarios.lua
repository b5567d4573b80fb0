-- The scenarios of reload_scenarios.lua, reloaded by the library.
local spec <const> = require "spec"
spec.ignores_collector "a reload runs with the collector stopped; other spec_reload files run with each"
local worlds <const> = require "reload_world"
local reloaders <const> = require "reload_reloaders"
local scenarios <const> = require "reload_scenarios"

spec.describe("after a reload", function()
  for _, scenario in ipairs(scenarios) do
    spec.test(scenario.name, function() worlds.play(scenario, reloaders.spawnpool()) end)
  end
end)
