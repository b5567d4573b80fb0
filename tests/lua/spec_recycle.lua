-- recycle: its results and reasons, the order of its steps, and reports of misuse.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

spec.describe("recycle", function()
  spec.test("says dying from inside the hooks that end the life", function()
    local pools <const> = kit.new { misuse = "ignore" }
    local Cube <const> = spawnpool.class "Cube"
    local seen <const> = {}
    function Cube:recycle(o)
      seen[#seen + 1] = { pools:recycle(o) }
      return Cube.super.recycle(self, o)
    end
    function Cube:on_despawn(o)
      seen[#seen + 1] = { pools:recycle(o) }
      seen[#seen + 1] = { o:recycle() }
      seen[#seen + 1] = { self:recycle(o) }
    end
    spec.equal({ pools:recycle(pools:alloc "Cube") }, { true })
    local dying <const> = { false, "dying" }
    spec.equal(seen, { dying, dying, dying, dying })
    spec.equal(pools:stats("Cube").recycles, 1)
    kit.check(pools, "Cube")
  end)

  kit.test("keeps the object readable and writable in the hooks, but not live",
    { fields = { hp = 3, name = "crate" } }, function(pools, Cube)
    local seen <const> = {}
    local function look(self, o)
      seen[#seen + 1] = { o.x, o.hp, o.name, o.alive, pools:is_live(o), o.lifetime, self.live, tostring(o) }
      o.hp = o.hp + 1
    end
    function Cube:recycle(o)
      look(self, o)
      return Cube.super.recycle(self, o)
    end
    Cube.on_despawn = look
    pools:recycle(pools:alloc("Cube", 2, 7))
    spec.equal(seen[1], { 7.0, 3, "crate", false, false, 2.0, 1, "Cube#1 (dying)" })
    spec.equal(seen[2], { 7.0, 4, "crate", false, false, 2.0, 1, "Cube#1 (dying)" })
  end)

  kit.test("does not warn about a veto", {}, function(pools, Cube)
    function Cube:recycle() end
    local o <const> = pools:alloc "Cube"
    spec.equal(kit.warnings(function() pools:recycle(o) end), {})
  end)
end)

spec.describe("misuse", function()
  local function stale_twice(pools)
    local o <const> = pools:alloc "Cube"
    pools:recycle(o)
    pools:recycle(o) -- the first site
    local function second_site() return (pools:recycle(o)) end
    second_site()
    second_site()
  end

  kit.test("warns once per site, with the line, the object and the reason", {}, function(pools)
    local said <const> = kit.warnings(function()
      stale_twice(pools)
      stale_twice(pools)
    end)
    spec.equal(#said, 2)
    local pattern <const> = "spec_recycle.lua:(%d+): recycle of Cube#1 refused: stale"
    spec.equal(tonumber(said[1]:match(pattern)) < tonumber(said[2]:match(pattern)), true)
  end)

  kit.test("warns from every door", {}, function(pools, Cube)
    local o <const> = pools:alloc "Cube"
    pools:recycle(o)
    spec.equal(#kit.warnings(function() pools:recycle(o) end), 1)
    spec.equal(#kit.warnings(function() pools:pool("Cube"):recycle(o) end), 1)
    spec.equal(#kit.warnings(function() o:recycle() end), 1)
    spec.equal(#kit.warnings(function() Cube.super.recycle(pools:pool "Cube", o) end), 1)
  end)

  spec.test("is silent with misuse = 'ignore'", function()
    local pools <const> = kit.new { misuse = "ignore" }
    spawnpool.class "Cube"
    spec.equal(kit.warnings(function() stale_twice(pools) end), {})
  end)
end)
