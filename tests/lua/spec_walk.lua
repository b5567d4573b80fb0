-- each() of pools and managers, and its filters; recycle_all and clear.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

local function alloc_many(pools, type, count)
  local objects <const> = {}
  for i = 1, count do objects[i] = pools:alloc(type) end
  return objects
end

-- "Cube#1 Cube#2" of a walk, stopped after 10000 steps.
local function names(...)
  local list <const> = {}
  for o in ... do
    list[#list + 1] = ("%s#%d"):format(o.type, o.id)
    if #list > 10000 then error("an endless walk", 2) end
  end
  return table.concat(list, " ")
end

spec.describe("a walk", function()
  kit.test("says what its iterator lacks when a library passes on that alone", function(pools)
    pools:alloc "Cube"
    for _, whole in ipairs { pools:pool "Cube", pools } do
      local iterator <const> = whole:each()
      kit.blames("each%(%) returns an iterator and a number for it: pass both on", function()
        for _ in iterator do end
      end)
    end
  end)

  kit.test("visits every type of a manager, by filter", function(pools)
    spawnpool.class("Animal", { group = "zoo" })
    spawnpool.class("Cat", { extends = "Animal" })
    local Lion <const> = spawnpool.class("Lion", { extends = "Cat", group = "wild" })
    spawnpool.class "Cube"
    for _, type in ipairs { "Animal", "Cat", "Lion", "Cube", "Cat" } do pools:alloc(type) end
    spec.equal(names(pools:each()), "Animal#1 Cat#1 Cat#2 Lion#1 Cube#1")
    spec.equal(names(pools:each "Cat"), "Cat#1 Cat#2")
    spec.equal(names(pools:each { type = "Cat" }), "Cat#1 Cat#2")
    spec.equal(names(pools:each { class = "Cat" }), "Cat#1 Cat#2 Lion#1")
    spec.equal(names(pools:each { class = Lion }), "Lion#1")
    spec.equal(names(pools:each { class = "Animal", type = "Lion" }), "Lion#1")
    spec.equal(names(pools:each { group = "zoo" }), "Animal#1 Cat#1 Cat#2")
    spec.equal(names(pools:each { group = "wild" }), "Lion#1")
    spec.equal(names(pools:each(function(o) return o.id == 2 end)), "Cat#2")
    spec.equal(names(pools:each "Nothing"), "")
    spec.equal(names(pools:each { group = "nothing" }), "")
  end)

  kit.test("lives through a filter table that changes, or answers through a metatable", {}, function(pools)
    alloc_many(pools, "Cube", 3)
    local filter <const> = { type = "Cube" }
    local count = 0
    for _ in pools:each(filter) do
      count = count + 1
      filter.type = {}
    end
    spec.equal(count, 1)
    local odd <const> = setmetatable({ type = "Cube" }, { __index = function() return {} end })
    spec.equal(names(pools:each(odd)), "Cube#1 Cube#2 Cube#3")
  end)
end)

kit.test("recycle_all: counts no veto, nor what a hook ended before it", {}, function(pools, Cube)
  local objects
  function Cube:recycle(o)
    if o.id == 1 then return false end
    if o.id == 2 then objects[3]:recycle() end
    return Cube.super.recycle(self, o)
  end
  objects = alloc_many(pools, "Cube", 4)
  spec.equal({ pools:recycle_all(), objects[1].alive, pools:pool("Cube").live }, { 2, true, 1 })
end)
