-- Attacks on the border between Lua and C: values whose metamethods run code, finalisers in the middle of a call,
-- managers that are closed and pools that are removed while C uses them. Each of them crashed once.
local spec <const> = require "spec"
spec.differs_each_time "finalisers run whenever the collector comes to them"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

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

-- The ways in which what C works on goes away: the pool, its manager, and both with all memory that can be.
local function ways_to_vanish(pools, type)
  return {
    function() pools:remove(type) end,
    function() pools:close() end,
    function() pools:close() collectgarbage() end,
    function() pools:remove(type) for _ = 1, 50 do pools:alloc(type .. math.random(100)) end collectgarbage() end,
  }
end
local WAYS <const> = 4

-- fn(pools, pool, value) for every way, or one, with a manager of its own; `value` does it when it is looked at.
local function each_way(definition, fn, only)
  for way = only or 1, only or WAYS do
    local pools <const> = kit.new { misuse = "ignore" }
    spawnpool.class("Cube", definition or { fields = { hp = 1 } })
    local pool <const> = pools:pool "Cube"
    for _ = 1, 5 do pools:alloc "Cube" end
    pool:prewarm(20)
    local vanish <const> = ways_to_vanish(pools, "Cube")[way]
    fn(pools, pool, evil(vanish), vanish)
  end
  if not only then collectgarbage() end
end

spec.describe("border", function()
  spec.test("A1: the call of a list of hits takes nothing but the list", function()
    local pools <const> = kit.new()
    local pool <const> = pools:pool "Cube"
    pools:alloc "Cube"
    local list <const> = pool:within(0, 0, 10)
    local call <const> = debug.getmetatable(list).__call
    for _, value in ipairs { 1, 4096, 1.5, "text", true, print, pools, pool, pools:alloc "Cube", io.stdout } do
      spec.expect_error("list", call, value)
    end
    spec.expect_error("list", call)
    spec.equal(type(getmetatable(list)), "string")
  end)

  spec.test("A2: a pool is not made inside its own making", function()
    for _, key in ipairs { "motion", "bounds", "over_life" } do
      local pools <const> = kit.new()
      local inner
      local sly <const> = setmetatable(key == "bounds" and { x = 0, y = 0, w = 9, h = 9, outside = "wrap" } or {}, {
        __index = function()
          if inner == nil then
            inner = false
            inner = pools:alloc "Cube"
          end
        end,
      })
      spawnpool.class("Cube", { fields = { hp = 100, bag = spawnpool.any(7) }, [key] = sly })
      local ok <const>, o <const> = pcall(pools.alloc, pools, "Cube")
      collectgarbage()
      for i = 1, 200 do local _ = ("x"):rep(i * 10) end -- over what was freed
      spec.equal({ ok, o.alive, o.hp, o.bag, o.pool.live }, { true, true, 100, 7, inner and 2 or 1 })
      if inner then spec.equal({ inner.hp, inner.bag, inner.pool == o.pool }, { 100, 7, true }) end
      pools:close()
      spawnpool.class("Cube", {})
    end
  end)

  -- From now on the collector goes through at every chance, and calls `fn` each time, `times` in all.
  local function at_every_allocation(times, fn)
    local function again()
      if times > 0 then setmetatable({}, { __gc = function() times = times - 1 fn() again() end }) end
    end
    collectgarbage "incremental"
    collectgarbage("setpause", 0)
    collectgarbage("setstepmul", 1000)
    again()
  end

  spec.test("A3: what a finaliser allocs does not overflow a list of hits", function()
    local pools <const> = kit.new()
    local pool <const> = pools:pool "Cube"
    for _ = 1, 3 do pool:alloc() end
    at_every_allocation(20, function() for _ = 1, 50 do pool:alloc(0, 1, 1) end end)
    for _ = 1, 20 do spec.equal(#pool:within(0, 0, 1000) <= pool.live, true) end
  end)

  spec.test("A3: coroutines of a dropped manager are closed by the next update", function()
    local pools <const>, closed = kit.new(), {}
    for i = 1, 3 do
      local dropped <const> = kit.new()
      dropped:alloc("Cube"):run(function()
        local _ <close> = setmetatable({}, { __close = function() closed[#closed + 1] = i end })
        coroutine.yield(100)
      end)
    end
    collectgarbage()
    collectgarbage()
    spec.equal(closed, {})
    kit.tick(pools)
    table.sort(closed)
    spec.equal(closed, { 1, 2, 3 })
  end)

  spec.test("A4: an object is no name of a type", function()
    local pools <const> = kit.new()
    local o <const> = pools:alloc "Cube"
    spec.expect_error("string expected", pools.alloc, pools, o)
    spec.expect_error("string expected", pools.pool, pools, o)
    spec.expect_error("string expected", pools.stats, pools, o)
    -- No reference is the address of anything: none is that high, and where addresses have 32 bits none is odd.
    -- Some systems write "0x" before the digits.
    local digits <const> = ("%p"):format(o):gsub("^0x", "")
    local address <const> = tonumber(digits, 16)
    spec.equal(#digits > 8 and address >> 63 or address & 1, 1)
  end)

  -- Every method of a manager, a pool and an object, with the value at each place, alone and in a table.
  for kind, thing_of in pairs {
    manager = function(pools) return pools end, pool = function(_, pool) return pool end,
    object = function(pools) return pools:alloc "Cube" end,
  } do
    spec.test("A5: a value that runs is only a wrong argument, whatever method of a " .. kind .. " gets it", function()
      local function attack(name, at, form)
        each_way(nil, function(pools, pool, value)
          local thing <const>, given <const> = thing_of(pools, pool), { "Cube", 0, 1, 1 }
          given[at] = form(value)
          pcall(thing[name], thing, table.unpack(given))
        end, at % WAYS + 1)
      end
      local FORMS <const> = { function(value) return value end, function(value) return { [value] = 1 } end,
        function(value) return { x = value, type = value, step = value } end }
      local probe <const> = kit.new()
      local names <const> = { recycle = true, after = true, every = true, run = true, launch = true }
      local methods <const> = debug.getmetatable(thing_of(probe, probe:pool "Cube")).__index
      for name in pairs(kind == "object" and names or methods) do
        for at = 1, 4 do
          for _, form in ipairs(FORMS) do attack(name, at, form) end
        end
      end
      collectgarbage()
    end)

    spec.test("A5: a value that runs is no field and no value of a field of a " .. kind, function()
      for _, name in ipairs { "x", "hp", "parent", "limit", "overflow", "paused", "time_scale" } do
        each_way(nil, function(pools, pool, value)
          local thing <const> = thing_of(pools, pool)
          pcall(function() thing[name] = value end)
          pcall(function() thing[value] = 1 end)
          pcall(function() return thing[value] end)
        end)
      end
    end)
  end

  spec.test("A5: an override that returns a value that runs", function()
    each_way(nil, function(pools, _, value)
      local Cube <const> = spawnpool.class "Cube"
      function Cube:alloc(...)
        Cube.super.alloc(self, ...)
        return value
      end
      pcall(pools.alloc, pools, "Cube")
      Cube.alloc = nil
    end)
  end)

  spec.test("A5: settings that run when they are read", function()
    for _, key in ipairs { "motion", "bounds", "over_life", "fields", "methods", "limit", "overflow", "group",
      "radius" } do
      each_way({}, function(_, _, value)
        pcall(function() spawnpool.class("Cube")[key] = value end)
        pcall(spawnpool.class, "Cube", { [key] = value })
      end)
    end
    spawnpool.class("Cube", {})
  end)

  spec.test("A5: what a class keeps is not reached through pairs", function()
    each_way({ group = "toys" }, function(pools, pool, value, vanish)
      local Cube <const> = spawnpool.class "Cube"
      for _, reached in ipairs { table.pack(pairs(Cube)), { Cube.super } } do
        for _, thing in ipairs(reached) do
          if type(thing) == "table" and thing ~= Cube then
            pcall(setmetatable, thing, { __index = function() vanish() return value end })
            pcall(function() thing.alloc = nil end)
          end
        end
      end
      pcall(pools.recycle_all, pools, { group = "toys" })
      pcall(pools.take, pools, { group = "toys" })
      pcall(pools.clear, pools, { group = "none" })
      pcall(function() Cube.radius = 3 end)
      pcall(function() return pool:alloc() end)
      local seen <const> = {}
      for name in pairs(Cube) do seen[name] = true end
      spec.equal(seen.group, true)
    end)
  end)

  spec.test("A6: managers that wait for their finaliser are in no list", function()
    local Cube <const> = spawnpool.class("Cube", { fields = { hp = 1 } })
    for _, step in ipairs { 0, 8, 9, 10, 11, 12, 13, 14 } do
      collectgarbage("incremental", 100, 100, step)
      for i = 1, 60 do
        kit.new():alloc "Cube"
        if i % 3 == 0 then Cube.radius = i end
        if i % 20 == 0 then spawnpool.class("Cube", { fields = { hp = i } }) end
      end
      collectgarbage()
    end
    collectgarbage "generational"
    for i = 1, 100 do
      kit.new():alloc "Cube"
      Cube.radius = i
    end
    collectgarbage "incremental"
    collectgarbage()
  end)

  local acts <const> = {
    close = function(pools) pools:close() collectgarbage() end,
    remove = function(pools) pools:remove "Cube" end,
    alloc = function(pools) for _ = 1, 100 do pools:alloc("Cube", 0, 1, 1) end end,
    recycle = function(pools) pools:recycle_all() end,
    change = function() spawnpool.class("Cube", { fields = { hp = "text", other = 2 } }) end,
  }
  local calls <const> = {
    { "alloc", function(pools) for _ = 1, 50 do pools:alloc("Cube", 0, { x = 1, bag = "y" }) end end },
    { "each", function(pools) for o in pools:each() do o.tag = {} end end },
    { "a filter", function(pools) for o in pools:each { class = "Cube" } do o.bag = "z" end end },
    { "leaks", function(pools) pools:leaks() end },
    { "configure", function(pools) pools:configure {} end },
    { "stats", function(pools) return pools:stats(), pools:stats "Cube" end },
    { "within", function(_, pool) return pool:within(0, 0, 1000) end },
    { "within with a function", function(_, pool) pool:within(0, 0, 1000, function() return {} end) end },
    { "overlaps", function(_, pool) pool:overlaps(pool, function() return {} end) end },
    { "set", function(_, pool) pool:set("tag", {}) pool:set("sprite", "sprite" .. math.random(1e6)) end },
    { "a new pool", function(pools) for i = 1, 10 do pools:alloc("Other" .. i) end end },
    { "a wrong field", function(pools) pools:alloc "Cube".nothing = 1 end },
    { "a wrong value", function(pools) pools:alloc "Cube".x = {} end },
    { "timers", function(pools)
      for _ = 1, 5 do pools:alloc("Cube"):after(0.1, function() return {} end) end
      pools:update(1)
    end },
    { "run", function(pools)
      for _ = 1, 5 do
        pools:alloc("Cube"):run(function() local _ <close> = setmetatable({}, { __close = print and function() end })
          coroutine.yield(0.1) end)
      end
      pools:update(1)
    end },
    { "a changed class", function() spawnpool.class("Cube", { fields = { hp = 2, more = {} and 3 } }) end },
    { "tostring", function(pools, pool) return tostring(pools), tostring(pool), tostring(pools:alloc "Cube") end },
  }
  for name, act in pairs(acts) do
    spec.test("A7: finalisers at every allocation that " .. name, function()
      for i, call in ipairs(calls) do
        local pools <const> = kit.new { misuse = "ignore", trace = i % 2 == 0 }
        spawnpool.class("Cube", { fields = { hp = 1, tag = spawnpool.any(), bag = "x" } })
        local pool <const> = pools:pool "Cube"
        for k = 1, 4 do pools:alloc("Cube", 0, k, k) end
        at_every_allocation(6, function() pcall(act, pools) end)
        pcall(call[2], pools, pool)
      end
      collectgarbage()
    end)
  end

  spec.test("a manager opened while the state closes does not leak", function()
    _G.keep_until_the_end = setmetatable({}, {
      __gc = function()
        local pools <const> = spawnpool.new()
        pools:alloc "Cube"
        _G.another = pools
      end,
    })
  end)
end)
