-- Functions of a class: overrides of alloc and recycle, and hooks; reports of misuse. The model compares when hooks
-- run, and what they get.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

-- {== An override of alloc ===================================================

kit.test("alloc of a class is honoured by manager and pool, and gets the arguments as they are", {},
  function(pools, Cube)
  local got
  function Cube:alloc(lifetime, ...)
    got = table.pack(self, lifetime, ...)
    return Cube.super.alloc(self, lifetime)
  end
  local pool <const>, t <const>, many <const> = pools:pool "Cube", {}, {}
  for i = 1, 200 do many[i] = i end
  for _, given in ipairs {
    { n = 0 }, { n = 2, nil, 5 }, { n = 5, 1, t, nil, "text", false }, { n = 201, 0, table.unpack(many) },
  } do
    local want <const> = { n = math.max(2, given.n + 1), pool, given[1] or 0, table.unpack(given, 2, given.n) }
    pools:alloc("Cube", table.unpack(given, 1, given.n))
    spec.equal(got, want)
    got = nil
    pool:alloc(table.unpack(given, 1, given.n))
    spec.equal(got, want)
    spec.equal(given[2] ~= t or rawequal(got[3], t), true)
  end
end)

kit.test("alloc of a class may return nil and a reason: what it opened is given back. Of more only the object goes out",
  { grow = 1 }, function(pools, Cube)
  local result, kept
  function Cube:alloc(...)
    kept = Cube.super.alloc(self, ...)
    return table.unpack(result, 1, result.n)
  end
  for _, case in ipairs { { n = 0 }, { n = 1 }, { n = 1, false }, { n = 2, nil, "too many cubes" } } do
    result = case
    spec.equal({ pools:alloc "Cube" }, { nil, case[2] or "vetoed" })
    local s <const> = pools:stats "Cube"
    spec.equal({ kept.alive, s.live, s.idle, s.allocs, s.recycles }, { false, 0, 1, 0, 0 })
  end
  function Cube:alloc(...) return Cube.super.alloc(self, ...), "more", 3 end
  for _, got in ipairs { table.pack(pools:alloc "Cube"), table.pack(pools:pool "Cube":alloc()) } do
    spec.equal({ got.n, got[1].alive }, { 1, true })
  end
end)

kit.test("alloc of a class that returns something else is an error at the caller's line, and the object goes back",
  { grow = 1 }, function(pools, Cube)
  local others <const> = kit.new()
  spawnpool.class "Ball"
  local old <const>, stale <const> = pools:alloc "Cube", pools:alloc "Cube"
  local far <const>, ball <const> = others:alloc "Cube", pools:alloc "Ball"
  stale:recycle()
  local result
  function Cube:alloc(...)
    Cube.super.alloc(self, ...)
    return result
  end
  for value, shown in pairs {
    [true] = "true", text = "'text'", [pools:pool "Cube"] = "pool of Cube", [far] = "Cube#1 (live)",
    [ball] = "Ball#1 (live)", [old] = "Cube#1 (live)", [stale] = "Cube#2 (stale)", [spec.light(0)] = "light userdata: ",
  } do
    result = value
    kit.refuses({ pools = pools }, {
      { "pools:alloc 'Cube'", "alloc of class 'Cube' returned " .. shown },
      { "pools:alloc 'Cube'", "must return the object that its base call opened" },
    })
  end
  spec.equal({ pools:pool("Cube").live, old.alive, far.alive, ball.alive }, { 1, true, true, true })
end)

kit.test("alloc of a class may call its base twice: it picks one, and an error gives the last one back", { grow = 1 },
  function(pools, Cube)
  local first, second, act
  local told = 0
  function Cube:alloc(...)
    first, second = Cube.super.alloc(self, ...), Cube.super.alloc(self, ...)
    return act(self)
  end
  function Cube:on_despawn() told = told + 1 end
  function act() error "no room" end
  spec.expect_error("spec_hooks.lua:%d+: no room$", pools.alloc, pools, "Cube")
  local s <const> = pools:stats "Cube"
  spec.equal({ first.alive, second.alive, s.live, s.allocs, s.recycles, s.idle }, { true, false, 1, 1, 0, 1 })
  spec.equal(told, 1)
  function act() return first end
  spec.equal({ pools:alloc "Cube" == first, second.alive, pools:pool("Cube").live }, { true, true, 3 })
  function act(pool)
    pool:recycle(first)
    return first
  end
  spec.equal({ pools:alloc "Cube" }, { nil, "recycled" })
  spec.equal({ second.alive, pools:pool("Cube").live, told }, { false, 3, 3 })
end)

kit.test("an alloc that fails gives back its own object alone: others of its type were complete", {},
  function(pools, Cube)
  local kept, ends, act = {}, {}, nil
  function Cube:on_despawn(cube, why) ends[#ends + 1] = cube.id .. " " .. why end
  function Cube:alloc(lifetime, act_of)
    if not act_of then return Cube.super.alloc(self, lifetime) end
    kept[1] = pools:alloc "Cube"
    local own <const> = Cube.super.alloc(self, lifetime)
    kept[2] = self:alloc()
    return act(own)
  end
  for _, case in ipairs {
    { function() return nil, "fan" end, "fan" }, { function() error "broken" end }, { function() return {} end },
    { function(own) own:recycle() return own end, "recycled" }, { function() end, "vetoed" },
    { function(own) return own end },
  } do
    act, ends = case[1], {}
    local live <const> = pools:pool("Cube").live
    local ok <const>, made <const>, why <const> = pcall(pools.alloc, pools, "Cube", 0, true)
    spec.equal({ kept[1].alive, kept[2].alive }, { true, true })
    spec.equal({ pools:pool("Cube").live - live, #ends }, ok and made and { 3, 0 } or { 2, 1 })
    spec.equal(ok and why or nil, case[2])
  end
end)

kit.test("an alloc inside on_spawn stays when that fails; the error is the first, whatever fails while it unwinds", {},
  function(pools, Cube)
  local Kid <const>, Bad <const> = spawnpool.class "Kid", spawnpool.class "Bad"
  local inner
  function Bad:on_spawn() error "bad" end
  function Kid:on_despawn(kid, why)
    spec.equal(why, "parent")
    spec.equal(pcall(pools.alloc, pools, "Bad"), false)
    pools:alloc "Bad" -- reported
  end
  function Cube:on_spawn(cube, fresh)
    if inner then return end
    inner = true
    inner = pools:alloc "Cube"
    pools:alloc("Kid", 0, 0, 0, 0, cube)
    error { "the cube fails" }
  end
  local said <const> = spec.hear(function()
    local ok <const>, message <const> = pcall(pools.alloc, pools, "Cube")
    spec.equal({ ok, message }, { false, { "the cube fails" } })
  end)
  spec.equal(said:find "^Kid.on_despawn: .*bad" ~= nil, true)
  spec.equal({ inner.alive, pools:pool("Cube").live, pools:pool("Kid").live }, { true, 1, 0 })
  function Cube:alloc(...)
    pools:alloc("Kid", 0, 0, 0, 0, (Cube.super.alloc(self, ...)))
    error "an override fails"
  end
  spec.hear(function() spec.expect_error("an override fails$", pools.alloc, pools, "Cube") end)
end)

kit.test("on_despawn follows each on_spawn that returned, with the reason cancelled when the alloc is given back",
  { grow = 1 }, function(pools, Cube)
  local add <const>, log <const> = kit.log()
  local fails, result = false, nil
  function Cube:on_spawn(cube)
    add("spawn", cube.id)
    if fails then error "no" end
  end
  function Cube:on_despawn(cube, why) add(why, cube.id, cube.alive, cube.x) end
  function Cube:alloc(...)
    Cube.super.alloc(self, ...)
    if result == "raise" then error "raised" end
    return result, "outside"
  end
  spec.equal({ pools:alloc("Cube", 0, -1) }, { nil, "outside" })
  spec.equal(log(), "spawn 1, cancelled 1 false -1.0")
  result = "raise"
  spec.expect_error("raised$", pools.alloc, pools, "Cube")
  spec.equal(log(), "spawn 1, cancelled 1 false 0.0")
  fails = true
  spec.expect_error("no$", pools.alloc, pools, "Cube")
  spec.equal(log(), "spawn 1")
  local s <const> = pools:stats "Cube"
  spec.equal({ s.allocs, s.recycles, s.live }, { 0, 0, 0 })
end)

kit.test("an override that opens an object and returns nothing warns once per class", {}, function(pools, Cube)
  local Other <const> = spawnpool.class("Other")
  function Cube:alloc(...) local cube = Cube.super.alloc(self, ...) cube.vx = 5 end
  function Other:alloc(kind, ...)
    if kind == 0 then return end
    local _ <const> = Other.super.alloc(self, ...)
    return nil
  end
  local said <const> = kit.warnings(function()
    for _ = 1, 3 do spec.equal({ pools:alloc "Cube" }, { nil, "vetoed" }) end
    for kind = 0, 1 do spec.equal({ pools:alloc("Other", kind) }, { nil, "vetoed" }) end
  end)
  spec.equal({ #said, said[1]:find "alloc of class 'Cube' returned nothing.*return the object" ~= nil }, { 1, true })
end)

kit.test("results of functions that can only be mistakes warn once: a victim, a lifetime", { limit = 1 },
  function(pools)
  spawnpool.class "Gem"
  local cube <const>, gem <const>, dead <const> = pools:alloc "Cube", pools:alloc "Gem", pools:alloc "Gem"
  dead:recycle()
  local victim
  pools:pool("Cube").overflow = function() return victim end
  local function full(value)
    victim = value
    spec.equal({ pools:alloc "Cube" }, { nil, "full" })
  end
  spec.equal(kit.warnings(function() full(nil) full(false) end), {})
  local said <const> = kit.warnings(function()
    for _, value in ipairs { gem, dead, 5, "oldest", {} } do full(value) end
  end)
  spec.equal({ #said, said[1]:find "overflow of class 'Cube' returned Gem#1 %(live%), which is no live object" ~= nil },
    { 1, true })
  victim = cube
  spec.equal({ pools:alloc("Cube").alive, cube.alive }, { true, false })
  local function ready(lifetime)
    spec.equal({ pools:alloc("Gem", lifetime) }, { nil, "prewarmed" })
    spec.equal({ pools:pool("Gem"):alloc(lifetime, 1) }, { nil, "prewarmed" })
  end
  spec.equal(kit.warnings(function() ready(-1) ready(-7) end), {})
  local lifetimes <const> = kit.warnings(function() for i = 1, 3 do ready(-1e-300 * i) end ready(-0.5) end)
  spec.equal({ #lifetimes, lifetimes[1]:find "^spawnpool: .*spec_hooks.lua:%d+: alloc of Gem: a lifetime of" ~= nil },
    { 2, true })
end)

kit.test("a lifetime of math.huge is for ever, as a remaining time of math.huge is", { grow = 1 }, function(pools)
  local first <const> = pools:alloc("Cube", math.huge)
  local second <const> = pools:alloc("Cube", first.remaining, 1, 2)
  local third <const> = pools:alloc("Cube", math.huge, { x = 3 })
  pools:update(1e10)
  spec.equal({ first.alive, second.alive, third.alive, second.lifetime, second.y }, { true, true, true, 0.0, 2.0 })
  kit.refuses({ pools = pools, o = first }, {
    { "pools:alloc('Cube', V)", "lifetime must be a finite number of seconds", { -math.huge, 0 / 0, 1e12 } },
    { "o.remaining = 1e12", "must be seconds from 0 to 1e11 (math.huge: never), got 1000000000000.0" },
    { "pools:leaks { older_than = V }", "older_than must be seconds from 0 up, got", { -1, 0 / 0, "1" } },
  })
end)

kit.test("hooks that end a parent and its children find them as in life, whatever the reason; world() is the place",
  { on_parent_end = "recycle" }, function(pools, Cube)
  local Ship <const>, Mine <const> = spawnpool.class "Ship", spawnpool.class("Mine", { on_parent_end = "detach" })
  local add <const>, log <const> = kit.log()
  local function place(o)
    local x <const>, y <const>, angle <const> = o:world()
    return o.parent and o.parent.type, o.x, x, y, angle
  end
  function Cube:on_despawn(cube, why) add(why, place(cube)) end
  function Mine:on_despawn(mine, why) add(why, place(mine)) end
  local cube, mine
  function Ship:on_despawn()
    add("ship", cube.alive, place(cube))
    add("mine", place(mine))
  end
  local function build()
    local ship <const> = pools:alloc("Ship", 0, 100, 10, math.pi)
    cube, mine = pools:alloc("Cube", 0, 5, 0, 0, ship), pools:alloc("Mine", 0, 7, 0, 0, ship)
    return ship
  end
  local ship <const> = build()
  cube:recycle()
  spec.equal(log():match "^recycled Ship 5.0 95.0 10.0 3.14" ~= nil, true)
  cube = pools:alloc("Cube", 0, 5, 0, 0, ship)
  ship:recycle()
  local said <const> = log()
  spec.equal(said:match "^ship true Ship 5.0 95.0 10.0 3.14%d+, mine Ship 7.0 93.0 .*, parent Ship 5.0 95.0" ~= nil,
    true)
  spec.equal({ mine.parent, mine.x, cube.alive }, { nil, 93.0, false })
  local stays
  function Cube:recycle(o, why) if not stays then return Cube.super.recycle(self, o, why) end end
  stays = true
  build():recycle()
  spec.equal({ cube.alive, cube.parent, cube.x }, { true, nil, 95.0 })
  kit.refuses({ o = ship }, { { "o:world()", "Ship#1 is stale" } })
end)

kit.test("chains of ends work at any length, in order, and are over when the outermost call returns", { radius = 6 },
  function(pools, Cube)
  local seen <const>, order, cubes = {}, {}, {}
  local function build(count)
    order, cubes = {}, {}
    for i = 1, count do cubes[i] = pools:alloc("Cube", 0, i * 10, 0) end
  end
  function Cube:on_despawn(cube)
    order[#order + 1] = cube.x // 10
    for near in self:within(cube.x, cube.y, 11) do
      spec.equal({ near:recycle() }, { true })
      seen[near.alive and "live" or select(2, near:recycle())] = true -- a deep one waits for its turn
    end
  end
  build(1000)
  cubes[1]:recycle()
  spec.equal({ pools:pool("Cube").live, #order, order[300], order[1000] }, { 0, 1000, 300, 1000 })
  spec.equal(seen, { stale = true, dying = true })
  function Cube:recycle(cube, why) return Cube.super.recycle(self, cube, why) end
  build(300)
  spec.equal(pools:recycle_all(function(cube) return cube == cubes[1] end), 1)
  spec.equal({ pools:pool("Cube").live, #order, pools:stats("Cube").recycles }, { 0, 300, 1300 })
  Cube.recycle, Cube.on_despawn = nil, function(_, cube) order[#order + 1] = cube.x end
  build(500)
  for i = 2, 500 do cubes[i].parent = cubes[i - 1] end
  cubes[1]:recycle()
  spec.equal({ pools:pool("Cube").live, #order }, { 0, 500 })
end)

-- }==

-- {== An override of recycle =================================================

-- A class whose overrides write into a log and go through.
local function logged(add, name, definition)
  local class <const> = spawnpool.class(name, definition)
  function class:alloc(...)
    add("alloc", self.type, ...)
    return class.super.alloc(self, ...)
  end
  function class:recycle(o, ...)
    add("recycle", o.id, ...)
    return class.super.recycle(self, o, ...)
  end
  return class
end

kit.test("alloc of a class may open many objects of its pool, and returns one of them", {}, function(pools, Cube)
  function Cube:alloc(lifetime)
    local first <const> = Cube.super.alloc(self, lifetime)
    for _ = 1, 40 do Cube.super.alloc(self, lifetime) end
    return first
  end
  spec.equal({ pools:alloc("Cube").id, pools:pool("Cube").live }, { 1, 41 })
end)

kit.test("recycle of a class decides by its base call, not by what it returns or raises", {}, function(pools, Cube)
  local result
  function Cube:recycle(o)
    Cube.super.recycle(self, o)
    if result == "raise" then error "too late" end
    return result
  end
  for i, value in ipairs { false, 12, "vetoed", {}, "raise", "nil" } do
    result = value ~= "nil" and value or nil
    local said <const> = spec.hear(function() spec.equal({ pools:recycle(pools:alloc "Cube") }, { true }) end)
    spec.equal(said:find "^Cube.recycle: .*too late" ~= nil, value == "raise")
    spec.equal({ pools:stats("Cube").recycles, pools:stats("Cube").double_recycles }, { i, 0 })
  end
  result = nil
  pools:alloc "Cube"
  spec.equal(pools:recycle_all(function() return true end), 1)
  function Cube:recycle() end
  local o <const> = pools:alloc "Cube"
  local said <const> = kit.warnings(function() spec.equal({ pools:recycle(o) }, { false, "vetoed" }) end)
  spec.equal({ said, Cube.super.recycle(pools:pool "Cube", o), o.alive }, { {}, true, false })
end)

kit.test("super goes through every level, nearest first, and is looked up per call; the nearest hook alone runs",
  function(pools)
  local add <const>, log <const> = kit.log()
  local A <const>, B <const> = logged(add, "A"), logged(add, "B", { extends = "A" })
  logged(add, "C", { extends = B })
  function A:on_spawn(o) add("A", o.id) end
  function A:on_despawn(o) add("A", o.id) end
  function B:on_spawn(o)
    add("B", o.id)
    B.super.on_spawn(self, o)
  end
  local o <const> = pools:alloc("C", 1)
  spec.equal(log(), "alloc C 1, alloc C 1, alloc C 1, B 1, A 1")
  function A:recycle(it)
    add "new"
    return A.super.recycle(self, it)
  end
  B.recycle = nil
  o:recycle()
  spec.equal(log(), "recycle 1 recycled, new, A 1")
end)

-- }==

-- {== Hooks ==================================================================

kit.test("hooks run inside overrides, with the pool and its class as self, as they are now", { limit = 9 },
  function(pools, Cube)
  local add <const>, log <const> = kit.log()
  Cube.SPEED = 12
  for _, name in ipairs { "alloc", "recycle" } do
    Cube[name] = function(self, ...)
      add(name, "begins")
      local result <const> = Cube.super[name](self, ...)
      add(name, "ends")
      return result
    end
  end
  function Cube:on_spawn() add("spawn", self.type, self.limit, self.SPEED, self.class == Cube) end
  function Cube:on_despawn()
    Cube.on_despawn = nil -- for lives to come
    add "despawn"
  end
  for _ = 1, 2 do pools:alloc("Cube"):recycle() end
  local one <const> = "alloc begins, spawn Cube 9 12 true, alloc ends, recycle begins, despawn, recycle ends"
  spec.equal(log(), one .. ", " .. one:gsub(" despawn,", ""))
end)

spec.test("hooks of idle objects can read and write them, not recycle them", function()
  local pools <const> = kit.new { misuse = "ignore" }
  local Cube <const> = spawnpool.class("Cube", { idle_limit = 0, grow = 1, fields = { mark = spawnpool.keep(0) } })
  local seen <const> = {}
  local function look(_, o)
    local done <const>, why <const> = pools:recycle(o)
    seen[#seen + 1] = { o.alive, o.mark, done, why, tostring(o) }
    o.mark = o.mark + 1
  end
  Cube.on_create, Cube.on_reject, Cube.on_destroy = look, look, look
  pools:alloc("Cube"):recycle()
  for i = 1, 3 do spec.equal(seen[i], { false, i - 1, false, "stale", "Cube#1 (idle)" }) end
end)

-- }==

-- {== Misuse =================================================================

spec.test("recycle says dying in the hooks that end the life, which can read and write the object", function()
  local pools <const>, seen <const> = kit.new { misuse = "ignore" }, {}
  local Cube <const> = spawnpool.class("Cube", { fields = { hp = 3, name = "crate" } })
  local function look(self, o)
    for i, result in ipairs { { pools:recycle(o) }, { self:recycle(o) }, { o:recycle() } } do
      spec.equal({ i, result }, { i, { false, "dying" } })
    end
    seen[#seen + 1] = { o.x, o.hp, o.name, o.alive, pools:is_live(o), o.lifetime, self.live, tostring(o) }
    o.hp = o.hp + 1
  end
  local again
  function Cube:recycle(o)
    look(self, o)
    local done <const>, why <const> = Cube.super.recycle(self, o)
    again = { Cube.super.recycle(self, o) } -- the life has ended once
    return done, why
  end
  Cube.on_despawn = look
  spec.equal({ pools:recycle(pools:alloc("Cube", 2, 7)) }, { true })
  for i = 1, 2 do spec.equal(seen[i], { 7.0, 2 + i, "crate", false, false, 2.0, 1, "Cube#1 (dying)" }) end
  spec.equal({ #seen, again, pools:stats("Cube").recycles }, { 2, { false, "dying" }, 1 })
end)

kit.test("misuse warns once per site and from every door, with the line, the object and the reason", {},
  function(pools, Cube)
  local silent <const> = kit.new { misuse = "ignore" }
  local function misuse(in_pools)
    local o <const> = in_pools:alloc "Cube"
    o:recycle()
    in_pools:recycle(o) -- a line for each: it is the site
    in_pools:pool("Cube"):recycle(o)
    o:recycle()
    Cube.super.recycle(in_pools:pool "Cube", o)
  end
  local said <const>, line = kit.warnings(function() for _ = 1, 3 do misuse(pools) end end), 0
  for _, text in ipairs(said) do
    local at <const> = tonumber(text:match "spec_hooks.lua:(%d+): recycle of Cube#1 refused: stale")
    spec.equal(at > line, true)
    line = at
  end
  spec.equal({ #said, kit.warnings(function() misuse(silent) end) }, { 4, {} })
end)

-- }==
