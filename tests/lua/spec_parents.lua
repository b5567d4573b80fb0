-- parent: what is refused, and what happens to children when their parent ends. Who is whose child, and whose end ends
-- whom, the model compares; places are the core's.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

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
