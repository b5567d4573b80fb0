-- Managers that are garbage are collected without a word, at any moment, and take nothing else down.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

-- An object of a manager that is garbage already, and how to see that it was collected.
local function drop(type)
  local pools <const> = kit.new()
  local o <const> = pools:alloc(type)
  return o, setmetatable({ pools }, { __mode = "v" })
end

spec.describe("a dropped manager", function()
  spec.test("is collected with its objects, quietly", function()
    local Cube <const> = spawnpool.class "Cube"
    local heard = 0
    function Cube:on_despawn() heard = heard + 1 end
    function Cube:on_destroy() heard = heard + 1 end
    local o <const>, weak <const> = drop "Cube"
    collectgarbage()
    spec.equal({ weak[1], o.alive, heard }, { nil, false, 0 })
    spec.expect_error("its manager is closed", function() return o.x end)
    spec.equal({ o:recycle() }, { false, "closed" })
  end)

  spec.test("lives as long as one of its pools is held, or walked", function()
    spawnpool.class "Cube"
    local pool <const> = kit.new():pool "Cube"
    collectgarbage()
    spec.equal(pool:alloc().alive, true)
    local function fresh()
      local pools <const> = kit.new()
      for _ = 1, 3 do pools:alloc "Cube" end
      return pools
    end
    local count = 0
    for o in fresh():each() do
      collectgarbage()
      if o.alive then count = count + 1 end
    end
    for o in fresh():pool("Cube"):each() do
      collectgarbage()
      if o.alive then count = count + 1 end
    end
    spec.equal(count, 6)
  end)

  spec.test("lives while one of its hooks runs", function()
    local Cube <const> = spawnpool.class "Cube"
    local seen
    function Cube:on_despawn(o)
      collectgarbage()
      seen = { o.x, self.live, self:alloc().alive }
    end
    local o <const> = drop "Cube"
    o:recycle()
    spec.equal(seen, { 0.0, 1, true })
    collectgarbage()
    spec.equal(o.alive, false)
  end)

  spec.test("does not stand in the way of classes that change", function()
    local Cube <const> = spawnpool.class("Cube", { fields = { hp = 1 } })
    local alive <const> = kit.new()
    local kept <const> = alive:alloc "Cube"
    for i = 1, 20 do
      drop "Cube"
      Cube.radius = i
      function Cube:on_spawn() end
      spawnpool.class("Cube", { fields = { hp = i, mp = i } })
      Cube.limit = 100
    end
    spec.equal({ kept.alive, kept.hp, alive:alloc("Cube").mp }, { true, 1, 20 })
  end)

  spec.test("may be met by finalisers that run before it is gone", function()
    local Cube <const> = spawnpool.class("Cube", { fields = { name = "crate" } })
    spawnpool.class "Ball"
    local ran, heard = 0, 0
    function Cube:alloc(...) return Cube.super.alloc(self, ...) end
    function Cube:recycle(o) return Cube.super.recycle(self, o) end
    function Cube:on_spawn() heard = heard + 1 end
    function Cube:on_despawn() heard = heard + 1 end
    local function use(holder)
      local o <const>, pools <const> = holder.o, holder.pools
      o.name = "last words"
      spec.equal({ tostring(o), o.name, o.pool.type, o.x }, { "Cube#1 (live)", "last words", "Cube", 0.0 })
      if pools then
        spec.equal({ pools:is_live(o), pools:pool "Cube" == o.pool, pools:stats().live }, { true, true, 1 })
        for other in pools:each() do other.x = 1 end
        pools:alloc "Cube"
        pools:alloc "Ball"
        pools:recycle_all()
        pools:update(1)
      end
      o:recycle()
      ran = ran + 1
    end
    for _, holds in ipairs { true, false } do
      for _ = 1, 3 do
        local pools <const> = kit.new { misuse = "ignore" }
        setmetatable({ o = pools:alloc "Cube", pools = holds and pools or nil }, { __gc = use })
      end
      collectgarbage()
      collectgarbage()
    end
    spec.equal(ran, 6)
    spec.equal(kit.new():alloc("Cube").alive, true)
  end)

  spec.test("in great numbers leaves no memory behind", function()
    spawnpool.class("Cube", { fields = { hp = 1, name = "x" } })
    kit.leaves_no_memory(function()
      for _ = 1, 5 do drop "Cube" end
      collectgarbage()
    end)
  end)

  kit.test("is closed with the state, after finalisers made later", {}, function(pools)
    local o <const> = pools:alloc "Cube"
    _G.keep_until_the_end = setmetatable({}, {
      __gc = function()
        o.x = 1
        o:recycle()
        pools:alloc("Cube", 0, 1, 2, 3)
        pools:close()
        pools:alloc "Cube"
      end,
    })
    spec.equal(o.alive, true)
  end)
end)
