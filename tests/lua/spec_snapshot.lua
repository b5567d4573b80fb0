-- Snapshots: a manager that is put back goes on as it did, and so do the Lua values of its objects.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"
local projects <const> = require "reload_kit"
local world <const> = require "snapshot_world"

local function restore(pools, snapshot) spec.equal({ pools:restore(snapshot) }, { true }) end

-- Hashes of a straight run: [i] is that before step i.
local function straight(steps)
  local pools <const> = world.new()
  local hashes <const> = {}
  for i = 1, steps do
    hashes[i] = pools:hash()
    world.step(pools, i)
  end
  hashes[steps + 1] = pools:hash()
  pools:close()
  return hashes
end

spec.test("a random game: with rollbacks is that of a straight run", function()
  local STEPS <const> = 600
  local hashes <const> = straight(STEPS)
  local pools <const> = world.new()
  local kept <const> = {}
  local step, chance, rollbacks = 1, 0, 0
  while step <= STEPS do
    spec.equal(pools:hash(), hashes[step], ("step %d after %d rollbacks"):format(step, rollbacks))
    chance = chance + 1
    local seat <const> = world.drawn(chance, 100, 4)
    if world.drawn(chance, 101, 20) == 0 then
      kept[seat] = { step, pools:snapshot(kept[seat] and kept[seat][2]) }
    elseif kept[seat] and step - kept[seat][1] < 100 and rollbacks < 25 and world.drawn(chance, 102, 25) == 0 then
      restore(pools, kept[seat][2])
      step, rollbacks = kept[seat][1], rollbacks + 1
      spec.equal(pools:hash(), hashes[step])
      kit.check(pools, "Ship", "Spark")
    end
    world.step(pools, step)
    step = step + 1
  end
  spec.equal(pools:hash(), hashes[STEPS + 1])
  spec.equal(rollbacks > 10, true)
end)

spec.describe("a snapshot", function()
  kit.test("has references, fields and values as they were", function(pools)
    spawnpool.class("Bag", { fields = { any = spawnpool.any(), set = spawnpool.any(5), f = spawnpool.fresh(function()
      return { 1 }
    end) } })
    local a <const>, b <const>, gone <const> = pools:alloc("Bag"), pools:alloc("Bag"), pools:alloc("Bag")
    gone:recycle()
    local shared <const> = { 1, [a] = b }
    shared.self = shared
    a.any, b.any, a.set, b.set = shared, { shared }, nil, print
    a.f[2] = 2
    local s <const> = pools:snapshot()
    shared[1], a.any, b.any, a.set, b.set, a.f[2] = 9, nil, nil, 7, 8, nil
    local later <const> = pools:alloc("Bag")
    a:recycle()
    restore(pools, s)
    spec.equal({ a.alive, b.alive, gone.alive, later.alive }, { true, true, false, false })
    spec.equal(a.any == shared, false) -- a copy, also of what was in the field
    spec.equal({ a.any[1], a.any[a] == b, a.any.self == a.any, b.any[1] == a.any }, { 1, true, true, true })
    spec.equal({ a.set, b.set == print, a.f[2] }, { nil, true, 2 })
    a.any[1] = 3
    restore(pools, s)
    spec.equal(a.any[1], 1) -- what is restored is a copy, too
  end)

  kit.test("shares functions, userdata, coroutines, classes and modules, and keeps metatables", function(pools)
    local Class <const> = spawnpool.class("Bag", { fields = { any = spawnpool.any() } })
    local a <const> = pools:alloc("Bag")
    local meta <const> = { __index = function() return "from the metatable" end }
    local closed <const> = setmetatable({}, { __gc = function() end })
    local co <const> = coroutine.create(print)
    local values <const> = { print, io.stdout, co, Class, string, pools, closed, setmetatable({}, meta) }
    a.any = values
    local s <const> = pools:snapshot()
    a.any = nil
    restore(pools, s)
    for i = 1, 7 do spec.equal(rawequal(a.any[i], values[i]), true, i) end
    spec.equal({ rawequal(a.any[8], values[8]), a.any[8].x }, { false, "from the metatable" })
  end)

  kit.test("shares what is used as a metatable, wherever it is found first", function(pools)
    spawnpool.class("Bag", { fields = { any = spawnpool.any(), more = spawnpool.any() } })
    local a <const>, Account <const> = pools:alloc "Bag", {}
    Account.__index = Account
    local account <const> = setmetatable({ class = Account, rest = 5 }, Account)
    a.any, a.more = { Account, { kind = Account } }, account
    local s <const> = pools:snapshot()
    account.rest, a.any, a.more = 6, nil, nil
    restore(pools, s)
    spec.equal({ a.more.rest, rawequal(a.more, account) }, { 5, false })
    spec.equal({ rawequal(getmetatable(a.more), Account), rawequal(a.more.class, Account) }, { true, true })
    spec.equal({ rawequal(a.any[1], Account), rawequal(a.any[2].kind, Account) }, { true, true })
  end)

  spec.test("shares what files have made while they loaded; a save refuses it, but in roots", function()
    local project <close> = projects.open {
      ["kinds.lua"] = "local M <const> = { orc = { hp = 3 } }\nlocal count <const> = {}\n"
        .. "function M.count() count[1] = (count[1] or 0) + 1 return count end\nreturn M",
    }
    local kinds <const> = require "kinds"
    spawnpool.class("Orc", { fields = { kind = spawnpool.any(), bag = spawnpool.any() } })
    local a <const>, bag <const> = project.pools:alloc "Orc", { 1 }
    kinds.list = { "made by the game" }
    a.kind, a.bag = kinds.orc, { own = bag, again = bag, made = kinds.count(), later = kinds.list }
    local s <const> = project.pools:snapshot()
    bag[1] = 2
    a.kind = nil
    restore(project.pools, s)
    spec.equal({ rawequal(a.kind, kinds.orc), rawequal(a.bag.made, kinds.count()) }, { true, true })
    spec.equal({ a.bag.own, rawequal(a.bag.own, a.bag.again), rawequal(a.bag.own, bag) }, { { 1 }, true, false })
    spec.equal({ rawequal(a.bag.later, kinds.list), a.bag.later[1] }, { false, "made by the game" })
    spec.equal({ project.pools:save() }, { nil, ("Orc#1.kind is a table that %s/kinds.lua made while it loaded "
      .. "(keep a name in its place)"):format(project.folder) })
    local save <const> = assert(project.pools:save { roots = { kinds.orc, kinds.count() } })
    spec.equal({ project.pools:restore(save) }, { true, { { hp = 3 }, { 3 } }, { dropped = 0 } })
    spec.equal({ project.pools:save { roots = kinds } }, { nil, "roots is a module" })
  end)

  kit.test("ends coroutines, and says how many", function(pools)
    local add <const>, take <const> = kit.log()
    local Walker <const> = spawnpool.class "Walker"
    function Walker:on_restore(o)
      add("restored", o.id)
      o:run(function() coroutine.yield(1) add "again" end)
    end
    local a <const> = pools:alloc "Walker"
    a:run(function()
      local _ <close> = setmetatable({}, { __close = function() add "closed" end })
      coroutine.yield(2)
      add "never"
    end)
    local s <const> = pools:snapshot()
    spec.equal(s.dropped, 1)
    restore(pools, s)
    spec.equal(take(), "closed, restored 1")
    pools:update(5)
    spec.equal({ take(), a.alive }, { "again", true })
    spec.equal(pools:snapshot(s).dropped, 0)
  end)

  kit.test("has the manager's own timers, and ends its coroutines", {}, function(pools)
    local add <const>, take <const> = kit.log()
    local once <const> = pools:after(1, function() add "once" end)
    pools:every(1.5, function(it) add("again", it == pools) end)
    pools:alloc("Cube"):every(1.5, function(it) add("tick", it.id) end)
    local run <const> = pools:run(function()
      coroutine.yield(1)
      add "never"
    end)
    local s <const> = pools:snapshot()
    spec.equal(s.dropped, 1)
    spec.equal({ pools:save() }, { nil, "the manager has a timer that calls a function "
      .. "(stop it before, and start it again after a load)" })
    restore(pools, s)
    spec.equal({ run:stop() }, { false, "stale" })
    pools:update(1.5)
    spec.equal(take(), "once, again true, tick 1")
    restore(pools, s)
    spec.equal(once:stop(), true)
    pools:update(1.5)
    spec.equal(take(), "again true, tick 1")
  end)

  for _, way in ipairs { "snapshot", "save" } do
    kit.test("follows the idle limit of today, and objects made later have none of its values: " .. way, function(pools)
      local skin <const> = { skin = spawnpool.keep "plain", bag = spawnpool.keep(0) }
      spawnpool.class("Kept", { prealloc = 10, fields = skin })
      for i = 1, 10 do pools:alloc("Kept", 0, { skin = "skin", bag = i }) end
      pools:recycle_all()
      local pool <const>, then_ <const> = pools:pool "Kept", pools[way](pools)
      pool.idle_limit = 3
      spec.equal((pools:restore(then_)), true)
      spec.equal({ pools:pool("Kept").idle, pools:pool("Kept").total }, { 3, 3 })
      pools:pool("Kept").idle_limit = 12
      local skins, bags = 0, 0
      for _ = 1, 12 do
        local object <const> = pools:alloc "Kept"
        skins = skins + (object.skin == "skin" and 1 or 0)
        bags = bags + (object.bag > 0 and 1 or 0)
      end
      spec.equal({ skins, bags }, { 3, 3 })
    end)
  end

  kit.test("is taken again into its own memory", function(pools)
    pools:alloc "Cube"
    local s <const> = pools:snapshot()
    local bytes <const> = s.bytes
    spec.equal(rawequal(pools:snapshot(s), s), true)
    spec.equal({ s.bytes == bytes, bytes > 0, tostring(s) }, { true, true, "spawnpool.snapshot" })
  end)

  kit.test("empties pools that came later", { fields = { any = spawnpool.any() } }, function(pools)
    local s <const> = pools:snapshot()
    for _ = 1, 300 do pools:alloc("Cube", 0, { any = {} }) end
    local hash <const> = pools:hash()
    restore(pools, s)
    spec.equal({ pools:pool("Cube").total, pools:hash() == hash }, { 0, false })
    spec.equal(pools:alloc("Cube").any, nil)
    kit.check(pools, "Cube")
  end)

  kit.test("goes by the names of fields when the class was edited", function(pools)
    spawnpool.class("Orc", { fields = { hp = 3, bag = spawnpool.any(), old = spawnpool.any() } })
    local a <const> = pools:alloc("Orc", 0, { hp = 7, bag = { 1 }, old = { 2 } })
    local s <const> = pools:snapshot()
    spawnpool.class("Orc", { fields = { armour = 4, bag = spawnpool.any(), old = 5, hp = 3 } })
    a.hp, a.bag = 1, nil
    restore(pools, s)
    spec.equal({ a.hp, a.bag, a.armour, a.old }, { 7, { 1 }, 4, 5 })
  end)
end)

kit.test("hooks of a restore: may allocate and recycle, and can neither take nor restore", function(pools)
  local Egg <const> = spawnpool.class "Egg"
  local answers <const> = {}
  local s
  function Egg:on_restore(o)
    if o.id == 1 then
      pools:recycle_all()
      pools:alloc "Egg"
      answers[#answers + 1] = { pools:snapshot() }
      answers[#answers + 1] = { pools:restore(s) }
      answers[#answers + 1] = { pools:save() }
      answers[#answers + 1] = { pools:hash() }
    else
      answers[#answers + 1] = o.id
    end
  end
  for _ = 1, 3 do pools:alloc "Egg" end
  s = pools:snapshot()
  restore(pools, s)
  spec.equal(answers, { { nil, "busy" }, { false, "busy" }, { nil, "busy" }, { nil, "busy" } })
  spec.equal(pools:stats().live, 1)
end)

spec.describe("refusals", function()
  spec.test("have their reason, and nothing has changed", function()
    local pools <const>, other <const> = kit.new(), kit.new()
    pools:alloc "Cube"
    other:alloc "Cube"
    local s <const>, hash <const> = pools:snapshot(), other:hash()
    spec.equal({ other:restore(s) }, { false, "foreign" })
    spec.equal(other:hash(), hash)
    pools:remove "Cube"
    spec.equal({ pools:restore(s) }, { false, "invalid" })
    spec.equal(pools:stats().live, 0)
  end)
end)

kit.test("a restore or a changed class: happens entirely or not at all, whatever allocation is refused", function(pools)
  if spec.is_repeated then return end -- how many allocations there are differs from run to run
  local version = 1
  local function declare(v)
    spawnpool.class("Cube", { limit = 50 + v, prealloc = 20 * v, fields = {
      n = v == 1 and 1 or "text", bag = spawnpool.any(), ["only" .. v] = v,
    } })
    version = v
  end
  declare(1)
  for i = 1, 5 do pools:alloc("Cube", 0, { x = i, bag = { i } }) end
  local snapshot <const>, save <const> = pools:snapshot(), pools:save()
  local function state() return { pools:hash(), version, spawnpool.class("Cube").limit, pools:pool("Cube").total } end
  local function restore_snapshot() return pools:restore(snapshot) end
  local function restore_save() return (pools:restore(save)) end
  local function change_class()
    declare(3 - version)
    return true
  end
  for number, act in ipairs { restore_snapshot, restore_save, change_class, restore_snapshot, restore_save } do
    for _, all_later in ipairs { false, true } do
      local n = 0
      repeat
        n = n + 1
        for o in pools:each() do o.x = o.x + 1 end
        local before <const> = state()
        spec.refuse(n, all_later)
        local done <const>, result <const> = pcall(act)
        local refused <const> = spec.refuse(0)
        if not (done and result) then
          spec.equal(state(), before, ("act %d, call %d, %s"):format(number, n, all_later))
        end
        kit.check(pools, "Cube")
      until refused == 0
      spec.equal(n > 5, true)
    end
  end
end)

spec.describe("a hash", function()
  kit.test("counts values, not the order in which keys came", { fields = { any = spawnpool.any() } }, function(pools)
    local a <const> = pools:alloc "Cube"
    local seen <const> = {}
    local values <const> = {
      true, false, 1, 2, 1.5, "1", "x", {}, { 1 }, { 1, 2 }, { { 1 } }, { x = 1 }, { [a] = 1 }, a,
    }
    for i = 1, #values do
      a.any = values[i]
      local hash <const> = pools:hash()
      spec.equal(math.type(hash), "integer")
      spec.equal(seen[hash], nil, i)
      seen[hash] = i
    end
    local one <const>, two <const> = {}, {}
    for i = 1, 100 do one["k" .. i] = i end
    for i = 100, 1, -1 do two["k" .. i] = i end
    a.any = one
    local hash <const> = pools:hash()
    a.any = two
    spec.equal(pools:hash(), hash)
    two.k7 = 8
    spec.equal(pools:hash() == hash, false)
  end)

  kit.test("leaves out functions, and what has no order of its own", function(pools)
    spawnpool.class("Bag", { fields = { any = spawnpool.any() } })
    local a <const> = pools:alloc "Bag"
    a.any = { print, [{}] = 1 }
    local hash <const> = pools:hash()
    a.any = { function() end, [{}] = 1, [print] = 2 }
    spec.equal(pools:hash(), hash)
  end)

  kit.test("goes deep, and round in circles", { fields = { any = spawnpool.any() } }, function(pools)
    local a <const> = pools:alloc "Cube"
    local list = {}
    for _ = 1, 20000 do list = { list } end
    a.any = list
    local hash <const>, s <const> = pools:hash(), pools:snapshot()
    a.any = nil
    restore(pools, s)
    spec.equal(pools:hash(), hash)
  end)
end)
