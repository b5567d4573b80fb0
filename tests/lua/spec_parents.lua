-- parent: what is refused, and what happens to children when their parent ends. Who is whose child, and whose end ends
-- whom, the model compares; places are the core's.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

spec.describe("a child", function()
  spec.test("cannot be inside itself, nor leave its manager, nor be given to what is no object", function()
    local pools <const>, others <const> = kit.new(), kit.new()
    spawnpool.class "Node"
    local a <const>, b <const>, c <const> = pools:alloc "Node", pools:alloc "Node", pools:alloc "Node"
    b.parent, c.parent = a, b
    local cycle <const> = "must not be the object itself or something inside it"
    kit.blames("field 'parent' of Node#1 " .. cycle, function() a.parent = a end)
    kit.blames(cycle, function() a.parent = b end)
    kit.blames(cycle, function() a.parent = c end)
    kit.blames("live object of the same manager", function() a.parent = others:alloc "Node" end)
    for _, bad in ipairs { 1, "Node#1", {}, true } do
      kit.blames("must be an object or nil", function() a.parent = bad end)
      kit.blames("object", function() local o <const> = pools:alloc("Node", 0, 1, 2, 3, bad) return o end)
      kit.blames("parent", function() local o <const> = pools:alloc("Node", 0, { parent = bad }) return o end)
    end
    local dead <const> = pools:alloc "Node"
    dead:recycle()
    kit.blames("must be a live object", function() a.parent = dead end)
    kit.blames("parent is no live object", function()
      local o <const> = pools:alloc("Node", 0, 1, 2, 3, dead)
      return o
    end)
    kit.blames("parent", function()
      local o <const> = pools:alloc("Node", 0, { parent = dead, x = 5 })
      return o
    end)
    spec.equal({ a.parent, b.parent == a, c.parent == b, pools:stats().live }, { nil, true, true, 3 })
    kit.check(pools, "Node")
  end)
end)

spec.describe("the end of a parent", function()
  kit.test("recycles its children and theirs, of any type, and tells them why", function(pools)
    local add <const>, log <const> = kit.log()
    for _, type in ipairs { "Ship", "Gun", "Light" } do
      local class <const> = spawnpool.class(type)
      function class:on_despawn(o, why) add(o.type, why) end
    end
    local ship <const> = pools:alloc "Ship"
    local gun <const> = pools:alloc("Gun", 0, 0, 0, 0, ship)
    local light <const> = pools:alloc("Light", 0, 0, 0, 0, gun)
    local other <const> = pools:alloc "Light"
    ship:recycle()
    spec.equal(log(), "Ship recycled, Gun parent, Light parent")
    spec.equal({ ship.alive, gun.alive, light.alive, other.alive }, { false, false, false, true })
    kit.check(pools, "Ship", "Gun", "Light")
  end)

  kit.test("of a child while it spawns", function(pools)
    spawnpool.class("Ship", {})
    local Gun <const> = spawnpool.class("Gun", {})
    function Gun:on_spawn(o) o.parent:recycle() end
    local ship <const> = pools:alloc "Ship"
    spec.equal({ pools:alloc("Gun", 0, 0, 0, 0, ship) }, { nil, "recycled" })
    spec.equal(pools:stats().live, 0)
    -- Its own alloc evicts the parent: then there is nothing to be a child of.
    Gun.on_spawn = nil
    local one <const> = pools:alloc "Gun"
    Gun.limit, Gun.overflow = 1, "oldest"
    spec.equal({ pools:alloc("Gun", 0, 0, 0, 0, one) }, { nil, "stale" })
    spec.equal(pools:stats().live, 0)
    kit.check(pools, "Ship", "Gun")
  end)
end)
