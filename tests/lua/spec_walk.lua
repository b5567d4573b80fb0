-- each() of pools and managers, and its filters; take, which brings an idle object to life.
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
      kit.refuses({ iterator = iterator }, {
        { "for _ in iterator do end", "each() returns an iterator and a number for it: pass both on" },
      })
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

-- A pool of Cube whose objects 1..count are idle, in order.
local function idle(pools, count)
  pools:pool("Cube"):prewarm(count)
  return pools:pool "Cube"
end

spec.describe("take", function()
  kit.test("runs on_spawn, not fresh, and starts from the class like any alloc", function(pools)
    local add <const>, log <const> = kit.log()
    spawnpool.class("Cube", kit.hooks(add, { grow = 1, x = 4, fields = { hp = 9, list = spawnpool.any() } }))
    local pool <const> = pools:pool "Cube"
    local o = pools:alloc("Cube", 5, 1, 2, 3)
    o.hp, o.list, o.vx = 1, {}, 8
    o:recycle()
    log()
    o = pool:take()
    spec.equal({ o.x, o.y, o.angle, o.hp, o.list, o.vx, o.lifetime, o.age }, { 4, 0, 0, 9, nil, 0, 0, 0 })
    pool:prewarm(2)
    pool:take()
    spec.equal(log(), "spawn 1 reused, create 2, spawn 2 fresh")
  end)

  kit.test("of an object that its own on_spawn recycles says so", { prealloc = 1 }, function(pools, Cube)
    pools:pool "Cube"
    function Cube:on_spawn(o) o:recycle() end
    spec.equal({ pools:take "Cube" }, { nil, "recycled" })
    function Cube:on_spawn(o) error("no " .. o.id) end
    spec.expect_error("no 1", pools.take, pools, "Cube")
    spec.equal({ pools:pool("Cube").live, pools:pool("Cube").idle }, { 0, 1 })
  end)

  kit.test("ends even when every question makes another idle object", { grow = 1 }, function(pools)
    local pool <const> = idle(pools, 4)
    local asked = 0
    spec.equal({ pool:take(function()
      asked = asked + 1
      if asked < 500 then pool:prewarm(pool.total + 1) end
      return false
    end) }, { nil, "none" })
    spec.equal(asked < 10, true)
  end)

  kit.test("by a predicate that writes: what is reset at alloc stays reset, what is kept stays", { fields = {
    n = 1, kept = spawnpool.keep(1), skin = spawnpool.keep "a", list = spawnpool.any(), name = "x",
    made = spawnpool.fresh(function() return {} end),
  } }, function(pools)
    local pool <const> = idle(pools, 1)
    local early
    local got <const> = pool:take(function(o)
      early = o.made
      o.n, o.kept, o.skin, o.list, o.name, o.x = 2, 2, "b", {}, "y", 50
      return true
    end)
    spec.equal({ got.n, got.kept, got.skin, got.list, got.name, got.x }, { 1, 2, "b", nil, "x", 0 })
    spec.equal({ got.made ~= early, got.made == got.made }, { true, true })
  end)
end)
