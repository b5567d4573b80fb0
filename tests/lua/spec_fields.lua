-- Own fields of every kind: plain, keep, live, fresh, ref and any.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

-- Recycles `o` and returns the next life of its slot.
local function reborn(pools, o)
  local id <const>, type <const> = o.id, o.type
  pools:recycle(o)
  local again <const> = pools:pool(type):take(function(idle) return idle.id == id end)
  spec.equal(again.id, id)
  return again
end

spec.describe("plain fields", function()
  kit.test("given to an alloc that fails leave nothing behind",
    { grow = 1, fields = { list = spawnpool.any(), n = 1, text = "a" } }, function(pools)
    pools:pool("Cube"):prewarm(1)
    for _ = 1, 8 do -- whatever the order of the pairs
      spec.expect_error("nope", pools.alloc, pools, "Cube", 0, { list = {}, n = 5, text = "b", nope = 1 })
      spec.expect_error("x", pools.alloc, pools, "Cube", 0, { list = {}, text = "b", x = "wrong" })
    end
    local o <const> = pools:alloc "Cube"
    spec.equal({ o.id, o.list, o.n, o.text }, { 1, nil, 1, "a" })
  end)
end)

spec.describe("the name of a field", function()
  kit.test("means in each pool what its class says, also when pools take turns",
    { fields = { k = 1, n = 2 } }, function(pools)
    spawnpool.class("Ball", { fields = { n = 3.5, z = 4 } })
    spawnpool.class("Word", { fields = { n = "text", k = true } })
    local cube <const>, ball <const>, word <const> = pools:alloc "Cube", pools:alloc "Ball", pools:alloc "Word"
    for i = 1, 3 do
      spec.equal({ cube.n, ball.n, word.n, cube.k, word.k }, { 1 + i, 2.5 + i, "text", 1, true })
      cube.n, ball.n = 2 + i, 3.5 + i
      spec.equal(math.type(cube.n), "integer")
      spec.expect_error("no field 'z'", function() return cube.z end)
      spec.expect_error("no field 'k'", function() ball.k = 5 end)
    end
  end)

  kit.test("follows its class when that moves it, changes it or loses it", { fields = { n = 1 } }, function(pools, Cube)
    local o <const> = pools:alloc "Cube"
    o.n = 5
    Cube.fields = { k = 7, l = 8, n = 1 }
    spec.equal({ o.k, o.l, o.n }, { 7, 8, 5 })
    o.k = 6
    Cube.fields = { k = "text", n = 1 }
    o.n = o.n + 1
    spec.equal({ o.k, o.n }, { "text", 6 })
    Cube.fields = { k = 1 }
    spec.expect_error("no field 'n'", function() o.n = 1 end)
    spec.equal(o.k, 1)
  end)

  kit.test("may be longer than what Lua keeps once", function(pools)
    local long <const>, method <const> = ("n"):rep(60), ("m"):rep(60)
    spawnpool.class("Cube", { fields = { [long] = 1 }, methods = { [method] = function(o) return o.id end } })
    local o <const> = pools:alloc(("Cube"):rep(1), 0, { [("n"):rep(60)] = 2 })
    for i = 2, 4 do
      local name <const> = ("n"):rep(60)
      spec.equal(o[name], i)
      o[name] = o[name] + 1
      spec.expect_error("no field 'nnn", function() return o[("n"):rep(61)] end)
    end
    spec.equal(o[("m"):rep(60)](o), 1)
    spec.equal(pools:alloc(("T"):rep(60)).type, ("T"):rep(60))
    spec.equal(pools:alloc(("T"):rep(60)).type, ("T"):rep(60))
    spec.equal(pools:pool(("T"):rep(60)).live, 2)
  end)

  kit.test("is a string: no other value is, whatever it looks like",
    { fields = { ["1"] = 5, ["true"] = 6 } }, function(pools)
    local o <const> = pools:alloc "Cube"
    for _ = 1, 2 do
      spec.equal({ o["1"], o["true"] }, { 5, 6 })
      for _, key in ipairs { 1, 1.0, true, {}, print, o, pools } do
        spec.expect_error("no field", function() return o[key] end)
        spec.expect_error("no field", function() o[key] = 1 end)
      end
    end
    spec.expect_error("no field", function() return o[nil] end)
  end)
end)

spec.test("live: reaches the types that extend the class, and other managers", function()
  local one <const>, two <const> = kit.new(), kit.new()
  local Shot <const> = spawnpool.class("Shot", { fields = { speed = spawnpool.live(1) } })
  spawnpool.class("Bullet", { extends = "Shot" })
  spawnpool.class("Rocket", { extends = "Shot", fields = { speed = spawnpool.live(7) } })
  local a <const>, b <const>, c <const> = one:alloc "Bullet", two:alloc "Shot", two:alloc "Rocket"
  Shot.fields = { speed = spawnpool.live(2) }
  spec.equal({ a.speed, b.speed, c.speed }, { 2, 2, 7 })
end)

spec.describe("fresh", function()
  kit.test("makes one value per life, when it is first read; an error reaches the reader", function(pools)
    local made, act = 0, nil
    spawnpool.class("Cube", { grow = 1, fields = { list = spawnpool.fresh(function(o)
      if act then act(o) end
      made = made + 1
      return { owner = o, n = made }
    end) } })
    local o <const>, other <const> = pools:alloc "Cube", pools:alloc "Cube"
    spec.equal(made, 0)
    function act() error "not yet" end
    spec.expect_error("not yet", function() return o.list end)
    act = nil
    spec.equal({ o.list.owner == o, o.list.n, o.list == o.list, other.list.n }, { true, 1, true, 2 })
    local again <const> = reborn(pools, o)
    function act(it) it:recycle() end
    spec.equal({ again.list.n, again.alive }, { 3, false })
    act = nil
    local last <const> = pools:take(function(idle) return idle.id == 1 end)
    spec.equal({ last.list.n, last.list.owner == last }, { 4, true })
    last.list = { n = "mine" }
    spec.equal(last.list.n, "mine")
  end)

  kit.test("holds nothing alive once the life is over",
    { fields = { list = spawnpool.fresh(function() return {} end) } }, function(pools)
    local weak <const> = setmetatable({}, { __mode = "v" })
    local o <const> = pools:alloc "Cube"
    weak[1] = o.list
    o:recycle()
    collectgarbage()
    collectgarbage()
    spec.equal(weak[1], nil)
  end)
end)

spec.describe("ref", function()
  spec.test("works across managers, and after one is closed", function()
    local one <const>, two <const> = kit.new(), kit.new()
    spawnpool.class("Cube", { fields = { target = spawnpool.ref } })
    local a <const>, b <const> = one:alloc "Cube", two:alloc "Cube"
    a.target = b
    spec.equal({ a.target == b, b.target }, { true, nil })
    two:close()
    spec.equal(a.target, nil)
    local three <const> = kit.new()
    for _ = 1, 40 do three:alloc "Cube" end
    spec.equal(a.target, nil)
  end)

  kit.test("can be given to alloc",
    { fields = { target = spawnpool.ref } }, function(pools)
    local a <const> = pools:alloc "Cube"
    local b <const> = pools:alloc("Cube", 0, { target = a })
    spec.equal(b.target, a)
    a:recycle()
    b.target = a -- stale already: that is nothing
    spec.equal(b.target, nil)
  end)
end)

kit.test("any: holds any value, nil too, and falls back to its default", function(pools)
  local shared <const> = {}
  spawnpool.class("Cube", { fields = { p = spawnpool.any(shared), q = spawnpool.any(), u = spawnpool.any(false) } })
  local o = pools:alloc "Cube"
  spec.equal({ o.p == shared, o.q, o.u }, { true, nil, false })
  for _, value in ipairs { 1, "x", true, {}, print, coroutine.create(print), pools, 2.5 } do
    o.p, o.q, o.u = value, value, value
    spec.equal({ o.p == value, o.q == value, o.u == value }, { true, true, true })
  end
  o.p, o.q, o.u = nil, nil, nil
  spec.equal({ o.p, o.q, o.u }, {})
  o.p = false
  spec.equal(o.p, false)
  o = reborn(pools, o)
  spec.equal({ o.p == shared, o.q, o.u }, { true, nil, false })
end)
