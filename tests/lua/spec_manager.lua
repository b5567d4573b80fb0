-- The module, managers side by side, their options, is_live, update, remove and close. spec_arguments.lua calls what
-- is closed.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

-- {== The module and new =====================================================

kit.test("the module has a version and a default manager, and leaves no global behind", {}, function(pools)
  spec.equal({ spawnpool.VERSION:match "^%d+%.%d+%.%d+$", require "spawnpool" }, { spawnpool.VERSION, spawnpool })
  spec.equal(tostring(spawnpool.pools), "pools (0 types, 0 live)")
  spawnpool.pools:alloc "Cube"
  spec.equal({ spawnpool.pools:close() }, { 1, 32 })
  spec.equal({ spawnpool.pools:alloc "Cube" }, { nil, "closed" })
  pools:alloc("Cube"):recycle()
  local known <const> = {}
  for name in ("assert collectgarbage coroutine debug dofile error getmetatable io ipairs load loadfile math next os "
    .. "package pairs pcall print rawequal rawget rawlen rawset require select setmetatable string table tonumber "
    .. "tostring type utf8 warn xpcall _G _VERSION"):gmatch "%S+" do known[name] = true end
  for name in pairs(_G) do spec.equal({ name, known[name] }, { name, true }) end
end)

kit.test("new takes no options, nil, or a table of them, and ticks by its step", {}, function()
  local all <const> = { unknown = "error", misuse = "error", path = "x/?.lua", step = 1 / 60 }
  for _, options in ipairs { {}, { {} }, { all } } do
    local pools <const> = spawnpool.new(options[1])
    local o <const> = pools:alloc("Cube", 2 / 60)
    pools:update(1 / 60)
    spec.equal(o.alive, true)
    pools:update(1 / 60)
    spec.equal(o.alive, false)
  end
end)

spec.test("new seeds math.random with any finite number, and tells large ones apart", function()
  local function draw(seed)
    spawnpool.new { seed = seed }
    return { math.random(), math.random(1 << 40), math.random() }
  end
  for _, seed in ipairs { 7, 1.5, -3, -1e300 } do spec.equal(draw(seed), draw(seed)) end
  for a, b in pairs { [7] = 8, [math.maxinteger] = math.maxinteger - 1, [1e300] = 1e301 } do
    spec.equal(draw(a)[2] == draw(b)[2], false)
  end
end)

spec.test("new opens as many as there are ids, and again when some are closed or dropped", function()
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

kit.test("two managers share classes and nothing else, and may close each other in hooks", { limit = 2 },
  function(a, Cube)
  local b <const> = kit.new()
  local x <const>, y <const> = a:alloc("Cube", kit.STEP), b:alloc("Cube", kit.STEP)
  spec.equal({ x == y, a:is_live(x), a:is_live(y), b:is_live(x), b:is_live(y) }, { false, true, false, false, true })
  kit.tick(a)
  a:pool("Cube").limit = 9
  spec.equal({ x.alive, y.alive, a.time, b.time, b:pool("Cube").limit }, { false, true, kit.STEP, 0.0, 2 })
  a.time_scale, a.paused = 2, true
  spec.equal({ a.time_scale, a.paused, b.time_scale, b.paused }, { 2, true, 1, false })
  function Cube:on_despawn(o)
    if o ~= y then b:close() end
  end
  a:alloc("Cube"):recycle()
  spec.equal({ y.alive, a:alloc("Cube").alive, b:alloc "Cube" }, { false, true, nil, "closed" })
end)

-- }==

kit.test("is_live answers for anything at all", {}, function(pools)
  local o <const>, dead <const> = pools:alloc "Cube", pools:alloc "Cube"
  pools:recycle(dead)
  spec.equal({ pools:is_live(o), pools:is_live(dead), pools:is_live() }, { true, false, false })
  spec.equal(pools:is_live(nil), false)
  for _, value in ipairs { 1, 0 / 0, "Cube", true, {}, print, pools, pools:pool "Cube", coroutine.create(print) } do
    spec.equal(pools:is_live(value), false)
  end
end)

-- {== The end ================================================================

kit.test("remove gives memory back, and keeps many types apart", {}, function(pools)
  local before
  for i = 1, 200 do
    pools:alloc "Cube"
    pools:remove "Cube"
    before = before or pools:stats().bytes
    spec.equal({ i, pools:stats().bytes }, { i, before })
  end
  local function name(i) return ("Type"):rep(i % 3 * 4 + 1) .. i end -- some differ at the end of a long name
  for i = 1, 300 do
    spawnpool.class(name(i), { limit = i })
    pools:alloc(name(i))
  end
  for i = 1, 300, 2 do pools:remove(name(i)) end
  spec.equal(pools:stats().live, 150)
  for i = 1, 300 do
    spec.equal({ i, pools:pool(name(i)).limit, pools:pool(name(i)).live }, { i, i, (i + 1) % 2 })
  end
end)

kit.test("a removed pool has no say about the next one of its type", { grow = 2 }, function(pools)
  local o <const>, pool <const> = pools:alloc "Cube", pools:pool "Cube"
  spec.equal({ pools:remove "Cube" }, { 1, 2 })
  local again <const> = pools:alloc "Cube"
  spec.equal({ again.alive, again.id, o.alive, pools:pool "Cube" == pool }, { true, 1, false, false })
  spec.equal({ pool:recycle(again) }, { false, "closed" })
  spec.equal({ pools:remove "Cube" }, { 1, 2 })
end)

kit.test("close comes at the end of a scope that says so", {}, function(pools)
  local o <const> = pools:alloc "Cube"
  do local _ <close> = pools end
  spec.equal({ o.alive, tostring(pools) }, { false, "pools (closed)" })
end)

-- }==
