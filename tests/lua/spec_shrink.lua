-- The shrinker of the random test, on toy faults.
local spec <const> = require "spec"
spec.ignores_collector "it tests the helpers"
local shrink <const> = require "shrink"

local function numbers(count)
  local list <const> = {}
  for i = 1, count do list[i] = i end
  return list
end

-- Fails when it holds all of these, in this order.
local function needs(wanted)
  local asked = 0
  local function fails(list)
    local found = 0
    asked = asked + 1
    for _, turn in ipairs(list) do
      if turn == wanted[found + 1] then found = found + 1 end
    end
    return found == #wanted
  end
  return fails, function() return asked end
end

spec.describe("the shrinker", function()
  for _, wanted in ipairs { { 250 }, { 1, 500 }, { 7, 131, 132 }, { 3, 300, 499 }, {} } do
    spec.test("leaves what is needed: " .. table.concat(wanted, " "), function()
      local fails <const>, asked <const> = needs(wanted)
      spec.equal(shrink(numbers(500), fails, 10000), wanted)
      spec.equal(asked() < 300, true)
    end)
  end

  spec.test("stops asking, and what is left still fails", function()
    local fails <const>, asked <const> = needs { 7, 131, 132 }
    local left <const> = shrink(numbers(500), fails, 6)
    spec.equal({ asked(), fails(left) }, { 6, true })
  end)
end)
