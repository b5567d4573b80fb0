-- The module itself, its options, and several managers side by side.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

spec.describe("the module", function()
  spec.test("has a version, a default manager and its functions", function()
    spec.equal(spawnpool.VERSION:match "^%d+%.%d+%.%d+$", spawnpool.VERSION)
    for _, name in ipairs { "new", "class", "keep" } do spec.equal(type(spawnpool[name]), "function", name) end
    spec.equal(tostring(spawnpool.pools), "pools (0 types, 0 live)")
    spec.equal(require "spawnpool" == spawnpool, true)
    spec.equal(package.loaded.spawnpool == spawnpool, true)
  end)

  kit.test("leaves no global behind", { fields = { hp = 1 } }, function(pools)
    pools:alloc("Cube"):recycle()
    local known <const> = {}
    for name in ("assert collectgarbage coroutine debug dofile error getmetatable io ipairs load loadfile math next os "
      .. "package pairs pcall print rawequal rawget rawlen rawset require select setmetatable string table tonumber "
      .. "tostring type utf8 warn xpcall _G _VERSION"):gmatch "%S+" do known[name] = true end
    for name in pairs(_G) do spec.equal({ name, known[name] }, { name, true }) end
  end)
end)

spec.describe("new", function()
  spec.test("takes no options, nil, or a table of them", function()
    spec.equal({ type(spawnpool.new()), type(spawnpool.new(nil)), type(spawnpool.new {}) },
      { "userdata", "userdata", "userdata" })
    local all <const> = { unknown = "error", misuse = "error", path = "x/?.lua", step = 0.5, seed = 3 }
    spec.equal(type(spawnpool.new(all)), "userdata")
  end)

  spec.test("seeds math.random with any finite number, and tells large ones apart", function()
    local function draw(seed)
      spawnpool.new { seed = seed }
      return { math.random(), math.random(1 << 40), math.random() }
    end
    for _, seed in ipairs { 7, 1.5, -3, -1e300 } do spec.equal(draw(seed), draw(seed)) end
    spec.equal({ draw(3.9), draw(-3.9) }, { draw(3), draw(-3) })
    for a, b in pairs { [7] = 8, [math.maxinteger] = math.maxinteger - 1, [1e300] = 1e301 } do
      spec.equal(draw(a)[2] == draw(b)[2], false)
    end
  end)

  spec.test("ticks by its step", function()
    spawnpool.class "Cube"
    local pools <const> = spawnpool.new { step = 0.25 }
    local o <const> = pools:alloc("Cube", 0.5)
    pools:update(0.25)
    spec.equal(o.alive, true)
    pools:update(0.25)
    spec.equal({ o.alive, pools.time }, { false, 0.5 })
    local sixtieth <const> = spawnpool.new()
    local short <const> = sixtieth:alloc("Cube", 1 / 60)
    sixtieth:update(1 / 60)
    spec.equal(short.alive, false)
  end)

  spec.test("opens as many as there are ids, and again when some are closed or dropped", function()
    local open <const> = {}
    spawnpool.class "Cube"
    for i = 1, 254 do open[i] = spawnpool.new() end -- and the default one
    kit.refuses({ new = spawnpool.new }, { { "new()", "too many managers are open (at most 255)" } })
    open[100]:close()
    open[100] = spawnpool.new()
    spec.equal(pcall(spawnpool.new), false)
    open[200] = nil
    spec.equal(spawnpool.new():alloc("Cube").alive, true)
  end)
end)

spec.test("a program that has changed Lua: may have a seed without a math.randomseed to give it to", function()
  local all <const> = math
  _G.math = {}
  local a <const> = spawnpool.new { seed = 1 }
  _G.math = nil
  local b <const> = spawnpool.new { seed = 1, step = 1 }
  _G.math = all
  spec.equal({ a:alloc("Cube").alive, b:alloc("Cube").alive }, { true, true })
  a:close()
  b:close()
end)

spec.describe("two managers", function()
  spec.test("share classes and nothing else", function()
    local a <const>, b <const> = kit.new(), kit.new()
    spawnpool.class("Cube", { limit = 2 })
    local x <const>, y <const> = a:alloc("Cube", kit.STEP), b:alloc("Cube", kit.STEP)
    spec.equal({ x == y, a:is_live(x), a:is_live(y), b:is_live(x), b:is_live(y) }, { false, true, false, false, true })
    kit.tick(a)
    spec.equal({ x.alive, y.alive, a.time, b.time }, { false, true, kit.STEP, 0.0 })
    a:pool("Cube").limit = 9
    spec.equal(b:pool("Cube").limit, 2)
    spec.equal({ a:stats().allocs, b:stats().allocs }, { 1, 1 })
    a:close()
    spec.equal({ y.alive, b:alloc("Cube").alive }, { true, true })
    kit.check(b, "Cube")
  end)

  spec.test("may close each other in their hooks, not themselves", function()
    local a <const>, b <const> = kit.new(), kit.new()
    local Cube <const> = spawnpool.class "Cube"
    local inner <const> = b:alloc "Cube"
    local results
    function Cube:on_despawn(o)
      if o ~= inner then results = { { a:close() }, { b:close() } } end
    end
    a:alloc("Cube"):recycle()
    spec.equal({ results[1], results[2], inner.alive }, { { false, "busy" }, { 1, 32 }, false })
    spec.equal({ a:alloc("Cube").alive, b:alloc "Cube" }, { true, nil, "closed" })
  end)
end)
