-- Attacks on the border between Lua and C: values whose metamethods run code, and managers that are closed, dropped or
-- collected and pools that are removed while C uses them. spec_reentry.lua has finalisers in the middle of a call.
local spec <const> = require "spec"
spec.differs_each_time "finalisers run whenever the collector comes to them"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

local function collect()
  collectgarbage()
  collectgarbage()
end

-- {== Values that run ========================================================

_G.warn = function() end -- of types without a class

-- A value that calls `fn` whatever is asked of it.
local function evil(fn)
  local function run() fn() return "evil" end
  return setmetatable({}, {
    __index = run, __newindex = run, __call = run, __tostring = run, __name = "evil", __len = run, __eq = run,
    __concat = run, __lt = run, __le = run, __unm = run, __close = run,
    __pairs = function() fn() return next, {}, nil end,
  })
end

-- The ways in which what C works on changes: the manager goes, the pool, it with all memory that can be, and it is made
-- or used once more.
local WAYS <const> = {
  function(pools) pools:close() collectgarbage() end,
  function(pools) pools:remove "Cube" end,
  function(pools) pools:remove "Cube" for i = 1, 50 do pools:alloc("Cube" .. i) end collectgarbage() end,
  function(pools) pools:alloc "Cube" end,
}

-- fn(pools, pool, value) for every way, or one, with a manager of its own; `value` does it when it is looked at.
local function each_way(fn, only)
  for way = only or 1, only or #WAYS do
    local pools <const> = kit.new { misuse = "ignore" }
    spawnpool.class("Cube", { fields = { hp = 1 } })
    local pool <const> = pools:pool "Cube"
    for _ = 1, 5 do pools:alloc "Cube" end
    pool:prewarm(20)
    fn(pools, pool, evil(function() WAYS[way](pools) end))
  end
end

local FORMS <const> = { function(value) return value end, function(value) return { [value] = 1 } end,
  function(value) return { x = value, type = value, step = value } end }
local probe <const> = kit.new()
local METHODS <const> = {
  manager = debug.getmetatable(probe).__index, pool = debug.getmetatable(probe:pool "Cube").__index,
  object = { recycle = true, after = true, every = true, run = true, launch = true, tween = true },
}

-- Every method, with the value at each place, alone and in a table; and fields.
for kind, names in pairs(METHODS) do
  local function thing_of(pools, pool)
    return kind == "manager" and pools or kind == "pool" and pool or pools:alloc "Cube"
  end
  spec.test("a value that runs is only a wrong argument, whatever method of a " .. kind .. " gets it", function()
    for name in pairs(names) do
      for at = 1, 4 do
        for _, form in ipairs(FORMS) do
          each_way(function(pools, pool, value)
            local thing <const>, given <const> = thing_of(pools, pool), { "Cube", 0, 1, 1 }
            given[at] = form(value)
            pcall(thing[name], thing, table.unpack(given))
          end, at % #WAYS + 1)
        end
      end
    end
    for _, name in ipairs { "x", "hp", "parent", "limit", "overflow", "paused", "time_scale" } do
      each_way(function(pools, pool, value)
        local thing <const> = thing_of(pools, pool)
        pcall(function() thing[name] = value end)
        pcall(function() thing[value] = 1 end)
        pcall(function() return thing[value] end)
      end)
    end
  end)
end

spec.test("a value that runs is no setting", function()
  for _, key in ipairs { "motion", "bounds", "over_life", "fields", "methods", "limit", "overflow", "group",
    "radius" } do
    each_way(function(pools, _, value)
      spawnpool.class "Cube"
      pcall(function() spawnpool.class("Cube")[key] = value end)
      pcall(spawnpool.class, "Cube", { fields = { hp = 100, bag = spawnpool.any(7) }, [key] = value })
      pcall(pools.alloc, pools, "Cube")
      spec.check()
    end)
  end
end)

-- }==

-- {== Managers that are garbage ==============================================

-- An object of a manager that is garbage already, and how to see that it was collected.
local function drop(type)
  local pools <const> = kit.new()
  local o <const> = pools:alloc(type)
  return o, setmetatable({ pools }, { __mode = "v" })
end

spec.test("a dropped manager is collected with its objects, quietly, and at the next update with its coroutines",
  function()
  local Cube <const>, heard = spawnpool.class "Cube", 0
  function Cube:on_despawn() heard = heard + 1 end
  Cube.on_destroy = Cube.on_despawn
  local o <const>, weak <const> = drop "Cube"
  collectgarbage()
  spec.equal({ weak[1], o.alive, heard }, { nil, false, 0 })
  spec.expect_error("its manager is closed", function() return o.x end)
  spec.equal({ o:recycle() }, { false, "closed" })
  local pools <const>, closed = kit.new(), 0
  do
    local dropped <const> = kit.new()
    dropped:alloc("Cube"):run(function()
      local _ <close> = setmetatable({}, { __close = function() closed = closed + 1 end })
      coroutine.yield(100)
    end)
  end
  collect()
  spec.equal(closed, 0)
  kit.tick(pools)
  spec.equal(closed, 1)
end)

spec.test("a dropped manager lives while one of its pools is held or walked, or one of its hooks runs", function()
  local Cube <const> = spawnpool.class "Cube"
  local pool <const> = kit.new():pool "Cube"
  collectgarbage()
  spec.equal(pool:alloc().alive, true)
  local function fresh()
    local pools <const> = kit.new()
    pools:alloc "Cube"
    return pools
  end
  for _, walk in ipairs { function() return fresh():each() end, function() return fresh():pool("Cube"):each() end } do
    for o in walk() do
      collectgarbage()
      spec.equal(o.alive, true)
    end
  end
  local seen
  function Cube:on_despawn(o)
    collectgarbage()
    seen = { o.x, self.live, self:alloc().alive }
  end
  local o <const> = drop "Cube"
  o:recycle()
  collectgarbage()
  spec.equal({ seen, o.alive }, { { 0.0, 1, true }, false })
end)

spec.test("a dropped manager does not stand in the way of classes that change, also before it is finalised", function()
  local Cube <const>, alive <const> = spawnpool.class("Cube", { fields = { hp = 1 } }), kit.new()
  local kept <const> = alive:alloc "Cube"
  for i = 1, 100 do
    drop "Cube"
    collectgarbage("step", i % 4)
    Cube.radius = i
    if i % 10 == 0 then spawnpool.class("Cube", { fields = { hp = i, mp = i } }) end
  end
  spec.equal({ kept.alive, kept.hp, alive:alloc("Cube").mp }, { true, 1, 100 })
end)

spec.test("a dropped manager may be met by finalisers that run before it is gone", function()
  local Cube <const>, ran = spawnpool.class("Cube", { fields = { name = "crate" } }), 0
  function Cube:alloc(...) return Cube.super.alloc(self, ...) end
  function Cube:recycle(o) return Cube.super.recycle(self, o) end
  function Cube:on_despawn() end
  local function use(holder)
    local o <const>, pools <const> = holder.o, holder.pools
    o.name = "last words"
    spec.equal({ tostring(o), o.name, o.pool.type, o.x }, { "Cube#1 (live)", "last words", "Cube", 0.0 })
    if pools then
      spec.equal({ pools:is_live(o), pools:pool "Cube" == o.pool, pools:stats().live }, { true, true, 1 })
      pools:alloc "Cube"
      pools:recycle_all()
      pools:update(1)
    end
    o:recycle()
    ran = ran + 1
  end
  for _, holds in ipairs { true, false } do
    local pools <const> = kit.new { misuse = "ignore" }
    setmetatable({ o = pools:alloc "Cube", pools = holds and pools or nil }, { __gc = use })
  end
  collect()
  collect()
  spec.equal(ran, 2)
end)

kit.test("managers in great numbers leave no memory behind, and close with the state, after later finalisers", {},
  function(pools)
  local o <const> = pools:alloc "Cube"
  kit.leaves_no_memory(function()
    for _ = 1, 5 do drop "Cube" end
    collectgarbage()
  end)
  _G.keep_until_the_end = setmetatable({}, { __gc = function()
    o:recycle()
    pools:alloc("Cube", 0, 1, 2, 3)
    pools:close()
    _G.another = spawnpool.new()
    _G.another:alloc "Cube"
  end })
  spec.equal(o.alive, true)
end)

-- }==
