-- Snapshots, saves and hashes: a manager that is put back, or made of its bytes, goes on as it would have gone on, and
-- so do the Lua values of its objects, also with another class. What is no save is refused.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"
local projects <const> = require "reload_kit"
local random_of <const> = require("played_features").random

local any <const>, keep <const> = spawnpool.any, spawnpool.keep

local function restore(pools, state) spec.equal((pools:restore(state)), true) end

local function load(save, options)
  local pools <const>, roots <const>, notes <const> = spawnpool.load(save, options)
  if not pools then error("refused: " .. tostring(roots), 2) end
  return pools, roots, notes
end

local function save(pools, options)
  local text <const>, why <const> = pools:save(options)
  if not text then error("refused: " .. tostring(why), 2) end
  return text
end

-- {== Random games ===========================================================

local NAMES <const> = { "one", "two", "three" }

-- A class of random fields and settings.
local function random_class(draw)
  local makers <const> = {
    function() return draw(5) end, function() return draw(2) == 0 end, function() return any(draw(5)) end,
    function() return any() end, function() return keep(draw(5)) end, function() return keep "text" end,
    function() return spawnpool.ref end, function() return spawnpool.live(draw(9)) end,
    function() return spawnpool.fresh(function(o) return { o.id } end) end,
  }
  local fields <const> = { hits = 0 }
  for _, name in ipairs(NAMES) do
    local make <const> = makers[draw(#makers + 1) + 1]
    fields[name] = make and make()
  end
  local function maybe(most) if draw(3) == 0 then return 1 + draw(most) end end
  return spawnpool.class("Thing", {
    fields = fields, limit = maybe(20), idle_limit = maybe(20), prealloc = maybe(10), grow = maybe(9),
    order = draw(2) == 0 and "lifo" or "fifo", overflow = draw(3) == 0 and "oldest" or nil, on_parent_end = "detach",
    methods = { hit = function(o) o.hits = o.hits + 1 end },
  })
end

local ACTS <const> = {
  function(draw, a) a:after(draw(20) / 64, "hit") end, function(draw, a) a:every((1 + draw(9)) / 64, "hit") end,
  function(draw, a) a.remaining = draw(60) / 64 end, function(_, a) a:recycle() end,
  function(_, a, b) pcall(function() b.parent = a end) end,
  function(draw, a) a:tween { x = draw(9), over = draw(20) / 64 } end,
}

-- A step follows from its number and from the state of the manager alone.
local function step(pools, number)
  local draw <const>, things <const> = random_of(number).below, {}
  for _ = 1, draw(3) do pools:alloc("Thing", draw(2) * draw(60) / 64, draw(9), draw(9)) end
  for o in pools:each() do things[#things + 1] = o end
  if #things > 0 then
    local a <const>, b <const> = things[1 + draw(#things)], things[1 + draw(#things)]
    for _, name in ipairs(NAMES) do
      local value <const> = ({ draw(9), 0.5, true, "text", { draw(9) }, b })[1 + draw(7)]
      pcall(function() a[name] = value end)
    end
    ACTS[1 + draw(#ACTS)](draw, a, b)
  end
  pools:update(draw(4) / 64)
end

-- Returns the hash after each of so many steps.
local function play(pools, from)
  local hashes <const> = {}
  for i = 1, 8 do
    step(pools, from + i)
    hashes[i] = pools:hash()
  end
  spec.check()
  return hashes
end

spec.test("a random game goes on from its snapshots and saves as it went on, whatever its class", function()
  for seed = 1, 24 do
    local pools <const>, draw <const> = kit.new { misuse = "ignore" }, random_of(seed).below
    local snapshot
    random_class(draw)
    for round = 1, 6 do
      local from <const> = seed * 1000 + round * 20
      if draw(2) == 0 then random_class(draw) end
      play(pools, from + 10)
      if draw(2) == 0 then pools:pool("Thing").limit, pools:pool("Thing").idle_limit = 1 + draw(30), 1 + draw(30) end
      snapshot = pools:snapshot(snapshot)
      local hash <const>, text <const> = pools:hash(), save(pools)
      local loaded <const>, _, notes <const> = load(text, { misuse = "ignore" })
      local went <const>, what <const> = play(pools, from), ("seed %d, round %d"):format(seed, round)
      spec.equal({ #notes, loaded:hash(), play(loaded, from) }, { 0, hash, went }, what .. ": loaded")
      loaded:close()
      for _, state in ipairs { text, snapshot } do
        restore(pools, state)
        spec.equal({ pools:hash(), play(pools, from) }, { hash, went }, what .. ": restored")
      end
    end
  end
end)

-- A random graph of tables, with circles, with tables and objects as keys; and the same again for the same seed.
local function graph_of(seed, objects)
  local tables <const>, drawn <const> = {}, random_of(seed).below
  local plain <const> = {
    true, false, 0, -1, math.maxinteger, math.mininteger, 0.5, -0.0, 1 / 0, -1 / 0, 0 / 0, "", "a\0b", "1",
    ("x"):rep(300),
  }
  local function value()
    local kind <const> = drawn(10)
    if kind < 4 then return tables[drawn(#tables) + 1] end
    if kind == 4 then return objects[drawn(#objects) + 1] end
    if kind == 5 then return drawn(1000) - 500 end
    return plain[drawn(#plain) + 1]
  end
  for i = 1, 1 + drawn(30) do tables[i] = {} end
  for _, t in ipairs(tables) do
    for i = 1, drawn(6) do t[i] = value() end
    for _ = 1, drawn(6) do
      local key <const> = value()
      if key == key then t[key] = value() end
    end
  end
  return tables
end

-- Returns whether two graphs of one seed are equal: their tables correspond one to one. `pairs_of` maps those that do.
local function is_same_graph(a, b, pairs_of)
  if type(a) ~= "table" or type(b) ~= "table" then
    if a ~= a then return b ~= b end
    return math.type(a) == math.type(b) and rawequal(a, b) and (a ~= 0 or 1 / a == 1 / b)
  end
  if pairs_of[a] or pairs_of[b] then return rawequal(pairs_of[a], b) and rawequal(pairs_of[b], a) end
  pairs_of[a], pairs_of[b] = b, a
  local unmatched = 0
  for key, value in next, a do
    if type(key) == "table" then unmatched = unmatched + 1
    elseif not is_same_graph(value, b[key], pairs_of) then return false end
  end
  for key in next, b do
    if type(key) == "table" then unmatched = unmatched - 1 elseif a[key] == nil then return false end
  end
  return unmatched == 0
end

kit.test("a random graph comes back the same from a save and a snapshot, and is a copy each time",
  { fields = { bag = any() } }, function(pools)
  local objects <const> = { pools:alloc "Cube", pools:alloc "Cube", pools:alloc "Cube" }
  objects[3]:recycle()
  for seed = 1, 60 do
    local graph <const> = graph_of(seed, objects)
    objects[1].bag, objects[2].bag = graph, { graph, graph[1] }
    local text <const>, snapshot <const> = save(pools, { roots = graph }), pools:snapshot()
    local hash <const> = pools:hash()
    local roots
    for _, state in ipairs { snapshot, snapshot, text } do
      objects[1].bag[1][1], objects[1].bag, objects[2].bag = "changed", nil, nil
      roots = select(2, pools:restore(state))
      local a <const>, b <const> = objects[1].bag, objects[2].bag
      spec.equal(is_same_graph(graph_of(seed, objects), a, {}), true, ("seed %d"):format(seed))
      spec.equal({ rawequal(b[1], a), rawequal(b[2], a[1]), pools:hash() }, { true, true, hash })
    end
    spec.equal(rawequal(roots, objects[1].bag), true)
  end
end)

-- }==

-- {== What is put back =======================================================

kit.test("what is restored follows the idle limit of the class of today, and leaves objects no values of then",
  { prealloc = 10, fields = { skin = keep "plain", bag = keep(0) } }, function(pools)
  for i = 1, 10 do pools:alloc("Cube", 0, { skin = "skin", bag = i }) end
  pools:recycle_all()
  local pool <const> = pools:pool "Cube"
  local snapshot <const>, text <const> = pools:snapshot(), pools:save()
  spawnpool.class("Cube", { prealloc = 10, idle_limit = 3, fields = { skin = keep "plain", bag = keep(0) } })
  for _, before in ipairs { snapshot, text } do
    restore(pools, before)
    spec.equal({ pool.idle, pool.total }, { 3, 3 })
    pool.idle_limit = 12
    local kept = 0
    for _ = 1, 12 do
      local o <const> = pools:alloc "Cube"
      kept = kept + (o.bag > 0 and 1 or 0) + (o.skin == "skin" and 1 or 0)
    end
    spec.equal(kept, 6)
  end
end)

-- Of a save that is loaded into another manager, and of what is restored into its own.
for _, door in ipairs { "load", "restore", "snapshot" } do
  kit.test(door .. " follows the class of today, ends coroutines and runs on_restore", { fields = {
    hp = 3, old = 1, bag = any(), kind = 5, same = keep(1),
  } }, function(pools, Cube)
    local add <const>, take <const> = kit.log()
    function Cube:on_restore(o) add("restored", o.id, self == o.pool) end
    local cube <const> = pools:alloc("Cube", 0, { hp = 7, old = 8, bag = { 1 }, kind = 6, same = 4 })
    cube:run(function()
      local _ <close> = setmetatable({}, { __close = function() add "closed" end })
      coroutine.yield(1)
      add "never"
    end)
    local state <const> = door == "snapshot" and pools:snapshot() or save(pools)
    spawnpool.class("Cube", { fields = { hp = 3, new = "n", bag = any(), kind = true, same = 1 } })
    cube.bag = nil
    local game, notes, _ = pools, nil, nil
    local said <const> = kit.warnings(function()
      if door == "load" then game, _, notes = load(state) else _, _, notes = pools:restore(state) end
    end)
    game:update(2)
    local o <const> = game:pool("Cube"):nearest(0, 0)
    local closed <const> = door == "load" and "" or "closed, "
    spec.equal({ take(), o == cube, o.bag }, { closed .. "restored 1 true", door ~= "load", { 1 } })
    spec.equal({ o.hp, o.new, o.kind, o.same }, { 7, "n", true, 4 })
    if door == "snapshot" then return spec.equal({ state.dropped, notes, said }, { 1, nil, {} }) end
    table.sort(notes, function(a, b) return a.field < b.field end)
    spec.equal({ notes.dropped, #notes, notes[1].field, notes[1].live, notes[2].field, notes[2].kind },
      { 1, 2, "kind", 1, "old", nil })
    spec.equal({ #said, table.concat(said):find("field 'old' of Cube is gone", 1, true) ~= nil }, { 2, true })
  end)
end

kit.test("hooks of a restore may allocate and recycle, and can neither take nor restore", {}, function(pools, Cube)
  local state
  function Cube:on_restore(o)
    if o.id > 1 then error "it was recycled" end
    pools:recycle_all()
    pools:alloc "Cube"
    for i, result in ipairs { { pools:snapshot() }, { pools:restore(state) }, { pools:save() }, { pools:hash() } } do
      spec.equal({ i, result[1] or nil, result[2] }, { i, nil, "busy" })
    end
  end
  for _ = 1, 3 do pools:alloc "Cube" end
  state = pools:snapshot()
  spec.equal({ spec.hear(restore, pools, state), pools:stats().live }, { "", 1 })
end)

spec.test("what cannot be restored has its reason, and nothing has changed", function()
  local pools <const>, other <const> = kit.new(), kit.new()
  local function refused(who, state, why)
    local hash <const> = who:hash()
    spec.equal({ who:restore(state) }, { false, why })
    spec.equal(who:hash(), hash)
  end
  pools:alloc "Cube"
  other:alloc "Cube"
  local snapshot <const>, text <const> = pools:snapshot(), save(pools)
  refused(spawnpool.new { step = 1 / 7 }, snapshot, "foreign")
  refused(other, text:sub(1, -2), "damaged")
  refused(spawnpool.new { step = 1 / 7 }, text, "invalid")
  spec.equal({ spawnpool.load(text, { step = 1 / 7 }) }, { nil, "invalid" })
  spec.expect_error("unknown type 'Cube'", spawnpool.load, save(other), { unknown = "error" })
  pools:remove "Cube"
  refused(pools, snapshot, "invalid")
end)

kit.test("a restore or a changed class happens entirely or not at all, whatever allocation is refused", function(pools)
  if spec.is_repeated then return end -- how many allocations there are differs from run to run
  local version = 1
  local function declare(v)
    spawnpool.class("Cube", { limit = 50 + v, prealloc = 20 * v, fields = {
      n = v == 1 and 1 or "text", bag = any(), ["only" .. v] = v,
    } })
    version = v
    return true
  end
  declare(1)
  for i = 1, 5 do pools:alloc("Cube", 0, { x = i, bag = { i } }) end
  local snapshot <const>, text <const> = pools:snapshot(), pools:save()
  local function state() return { pools:hash(), version, spawnpool.class("Cube").limit, pools:pool("Cube").total } end
  for number, act in ipairs {
    function() return pools:restore(snapshot) end, function() return (pools:restore(text)) end,
    function() return declare(3 - version) end, function() return pools:restore(snapshot) end,
  } do
    for _, all_later in ipairs { false, true } do
      local n = 0
      repeat
        n = n + 1
        for o in pools:each() do o.x = o.x + 1 end
        local before <const> = state()
        spec.refuse(n, all_later)
        local done <const>, result <const> = pcall(act)
        local refused <const> = spec.refuse(0)
        if not (done and result) then spec.equal(state(), before, ("act %d, call %d"):format(number, n)) end
        spec.check()
      until refused == 0
      spec.equal(n > 5, true)
    end
  end
end)

kit.test("a snapshot shares functions, userdata, coroutines, classes, modules and metatables", { fields = {
  any = any(), more = any(), f = spawnpool.fresh(function() return { 1 } end),
} }, function(pools, Cube)
  local a <const>, Account <const> = pools:alloc "Cube", {}
  Account.__index = Account
  local account <const> = setmetatable({ class = Account, rest = 5 }, Account)
  local closed <const> = setmetatable({}, { __gc = function() end })
  local values <const> = { print, io.stdout, coroutine.create(print), Cube, string, pools, closed, Account }
  local plain <const> = {} -- that it is a metatable is known only after it was met
  a.any, a.more, a.f[2] = { values, account, { kind = Account }, plain, setmetatable({}, plain) }, account, 2
  local snapshot <const> = pools:snapshot()
  account.rest, a.any, a.more, a.f[2] = 6, nil, nil, nil
  restore(pools, snapshot)
  for i, value in ipairs(values) do spec.equal(rawequal(a.any[1][i], value), true, i) end
  spec.equal({ a.more.rest, rawequal(a.more, account), rawequal(a.more, a.any[2]), a.f[2] }, { 5, false, true, 2 })
  for _, it in ipairs { getmetatable(a.more), a.more.class, a.any[3].kind } do
    spec.equal(rawequal(it, Account), true)
  end
  spec.equal({ rawequal(a.any[4], plain), rawequal(getmetatable(a.any[5]), plain) }, { true, true })
end)

spec.test("a snapshot shares what files have made while they loaded; a save refuses it, but in roots", function()
  local project <close> = projects.open {
    ["kinds.lua"] = "local M <const> = { orc = { hp = 3 } }\nlocal count <const> = {}\n"
      .. "function M.count() count[1] = (count[1] or 0) + 1 return count end\nreturn M",
  }
  local kinds <const> = require "kinds"
  spawnpool.class("Orc", { fields = { kind = any(), bag = any() } })
  local a <const> = project.pools:alloc "Orc"
  kinds.list = { "made by the game" }
  a.kind, a.bag = kinds.orc, { made = kinds.count(), later = kinds.list }
  local s <const> = project.pools:snapshot()
  a.kind = nil
  restore(project.pools, s)
  spec.equal({ rawequal(a.kind, kinds.orc), rawequal(a.bag.made, kinds.count()) }, { true, true })
  spec.equal({ rawequal(a.bag.later, kinds.list), a.bag.later[1] }, { false, "made by the game" })
  spec.equal({ project.pools:save() }, { nil, ("Orc#1.kind is a table that %s/kinds.lua made while it loaded "
    .. "(keep a name in its place)"):format(project.folder) })
  local text <const> = assert(project.pools:save { roots = { kinds.orc, kinds.count() } })
  spec.equal({ project.pools:restore(text) }, { true, { { hp = 3 }, { 3 } }, { dropped = 0 } })
  spec.equal({ project.pools:save { roots = kinds } }, { nil, "roots is a module" })
end)

kit.test("a snapshot has the manager's own timers, and ends its coroutines", {}, function(pools)
  local add <const>, take <const> = kit.log()
  local once <const> = pools:after(1, function() add "once" end)
  pools:every(1.5, function(it) add("again", it == pools) end)
  pools:alloc("Cube"):every(1.5, function(it) add("tick", it.id) end)
  local run <const> = pools:run(function()
    coroutine.yield(1)
    add "never"
  end)
  local snapshot <const> = pools:snapshot()
  spec.equal(snapshot.dropped, 1)
  spec.equal({ pools:save() }, { nil, "the manager has a timer that calls a function "
    .. "(stop it before, and start it again after a load)" })
  restore(pools, snapshot)
  spec.equal({ run:stop() }, { false, "stale" })
  pools:update(1.5)
  spec.equal(take(), "once, again true, tick 1")
  restore(pools, snapshot)
  spec.equal(once:stop(), true)
  pools:update(1.5)
  spec.equal({ take(), pools:snapshot(snapshot).dropped }, { "again true, tick 1", 0 })
end)

kit.test("a snapshot is taken again into its own memory, and empties pools that came later",
  { fields = { bag = any() } }, function(pools)
  local snapshot <const> = pools:snapshot()
  local bytes <const> = snapshot.bytes
  spec.equal(rawequal(pools:snapshot(snapshot), snapshot), true)
  spec.equal({ snapshot.bytes == bytes, bytes > 0, tostring(snapshot) }, { true, true, "spawnpool.snapshot" })
  for _ = 1, 300 do pools:alloc("Cube", 0, { bag = {} }) end
  restore(pools, snapshot)
  spec.equal({ pools:pool("Cube").total, pools:alloc("Cube").bag }, { 0, nil })
end)

kit.test("a hash counts values, not functions nor the order in which keys came, and goes deep",
  { fields = { bag = any() } }, function(pools)
  local a <const> = pools:alloc "Cube"
  local function hash_of(value)
    a.bag = value
    return pools:hash()
  end
  local seen <const> = {}
  for i, value in ipairs {
    true, false, 1, 2, 1.5, "1", "x", {}, { 1 }, { 1, 2 }, { { 1 } }, { x = 1 }, { [a] = 1 }, a,
  } do
    local hash <const> = hash_of(value)
    spec.equal({ math.type(hash), seen[hash] }, { "integer", nil }, i)
    seen[hash] = i
  end
  local one <const>, two <const> = {}, {}
  for i = 1, 100 do one["k" .. i], two["k" .. 101 - i] = i, 101 - i end
  spec.equal(hash_of(one), hash_of(two))
  spec.equal(hash_of { print, [{}] = 1 }, hash_of { function() end, [{}] = 1, [print] = 2 })
  local list = {}
  for _ = 1, 20000 do list = { list } end
  local deep <const>, snapshot <const> = hash_of(list), pools:snapshot()
  a.bag = nil
  restore(pools, snapshot)
  spec.equal(pools:hash(), deep)
end)

-- }==

-- {== Saves ==================================================================

kit.test("a loaded game has roots, and what they share with fields", function(pools)
  spawnpool.class("Hero", { fields = { bag = any(), friend = spawnpool.ref } })
  local a <const>, b <const> = pools:alloc("Hero", 0, { x = 3 }), pools:alloc "Hero"
  a.sprite = "a sprite of one save"
  a.bag, a.friend = { 1, 2.5, [b] = a }, b
  b:recycle()
  local text <const> = save(pools, { roots = { hero = a, gone = b, bag = a.bag, list = { 1, nil, 3 } } })
  local loaded <const>, roots <const> = load(text)
  local hero <const> = roots.hero
  spec.equal({ hero.x, hero.sprite, hero.friend }, { 3, "a sprite of one save", nil })
  spec.equal({ hero.bag == roots.bag, hero.bag[roots.gone], roots.list[3] }, { true, hero, 3 })
  spec.equal({ math.type(hero.bag[1]), math.type(hero.bag[2]) }, { "integer", "float" })
  spec.equal({ loaded:is_live(hero), pools:is_live(hero), roots.gone.alive }, { true, false, false })
  spec.equal({ select(2, load(save(pools, { roots = 5 }))) }, { 5, { dropped = 0 } })
  spec.equal((select(2, load(save(pools)))), nil)
  local fresh <const> = spawnpool.new { step = kit.STEP } -- it makes the pools that it lacks
  spec.equal({ (fresh:restore(text)), fresh:hash() }, { true, pools:hash() })
end)

kit.test("a loaded game has limits that the game had set, others as the class says today, and options of its own",
  { limit = 10, idle_limit = 5, grow = 4, fields = { hits = keep(0) }, methods = {
    hit = function(o) o.hits = o.hits + 1 end,
  } }, function(pools)
  local pool <const> = pools:pool "Cube"
  pool.limit, pool.overflow = 7, "error"
  pools:alloc("Cube"):after(2, "hit")
  pools:update(0.5)
  local text <const> = save(pools)
  spawnpool.class("Cube", { limit = 10, idle_limit = 3, grow = 8, fields = { hits = keep(0) }, methods = {
    hit = function(o) o.hits = o.hits + 2 end,
  } })
  local loaded <const> = load(text, { step = kit.STEP, misuse = "error" })
  local again <const>, o <const> = loaded:pool "Cube", loaded:pool("Cube"):nearest(0, 0)
  spec.equal({ again.limit, again.idle_limit, again.grow, again.overflow }, { 7, 3, 8, "error" })
  spec.equal({ again.live, again.idle, o.hits }, { 1, 3, 0 })
  loaded:update(1.5)
  spec.equal({ o.hits, loaded.time }, { 2, 2 })
  o:recycle()
  spec.expect_error("stale", loaded.recycle, loaded, o)
end)

kit.test("a loaded game keeps idle objects above the limit of its class, and makes what prealloc lacks", function(pools)
  local made = 0
  local Orc <const> = spawnpool.class("Orc", { grow = 4, idle_limit = 2 })
  function Orc:on_create() made = made + 1 end
  local pool <const> = pools:pool "Orc"
  pool.idle_limit = 30
  for _ = 1, 10 do pools:alloc "Orc" end
  pools:recycle_all()
  local text <const> = save(pools)
  made = 0
  local loaded <const> = load(text)
  spec.equal({ made, loaded:pool("Orc").idle, loaded:pool("Orc").idle_limit }, { 0, pool.idle, 30 })
  local lacking <const> = 25 - pool.idle
  spawnpool.class("Orc", { prealloc = 25 }) -- in the other managers, too
  made = 0
  spec.equal({ load(text):pool("Orc").idle, made, lacking > 0 }, { 25, lacking, true })
end)

spec.test("save refuses what cannot be saved, with its path", function()
  local Bullet <const> = spawnpool.class("Bullet", { fields = { bag = any() }, methods = { f = function() end } })
  local pools <const>, another <const> = kit.new(), kit.new()
  local bullet <const>, foreign <const> = pools:alloc "Bullet", another:alloc "Bullet"
  local function refused(value, why)
    bullet.bag = value
    spec.equal({ pools:save() }, { nil, "Bullet#1.bag" .. why })
    bullet.bag = nil
    spec.equal({ pools:save { roots = value } }, { nil, "roots" .. why })
  end
  refused(print, " is a function")
  refused({ { deep = { [5] = { ["a b"] = print } } } }, "[1].deep[5]['a b'] is a function")
  refused({ file = io.stdout }, ".file is a userdata")
  refused({ co = coroutine.create(print) }, ".co is a coroutine")
  refused({ v = setmetatable({}, {}) }, ".v is a table with a metatable")
  refused({ class = Bullet }, ".class is a class")
  refused({ o = foreign }, ".o is an object of another manager")
  another:close()
  refused({ foreign }, "[1] is an object of another manager")
  bullet:after(1, "f")
  spec.equal(type(pools:save()), "string")
  bullet:after(1, print)
  spec.equal({ pools:save() },
    { nil, "Bullet#1 has a timer that calls a function (give it the name of a method)" })
  pools:pool("Bullet").overflow = print
  spec.equal({ pools:save() }, { nil, "Bullet.overflow is a function (set it in the class)" })
end)

-- A small save with all there is: fields, values, a timer, a parent, roots.
local function small_save()
  spawnpool.class("Dot", { grow = 1, fields = { bag = any(), hp = 1 }, methods = { f = function() end } })
  local pools <const> = kit.new()
  local a <const> = pools:alloc("Dot", 2)
  a.bag = { 1, x = { "y" } }
  a:after(1, "f")
  pools:alloc("Dot").parent = a
  return save(pools, { roots = { a } })
end

spec.test("a save that is cut off, has a bit flipped or is of a later version is refused", function()
  local text <const> = small_save()
  for at = 1, #text do
    local before <const> = text:sub(1, at - 1)
    spec.equal({ spawnpool.load(before) }, { nil, "damaged" }, at)
    local pools <const>, why <const> = spawnpool.load(before .. string.char(text:byte(at) ~ 1) .. text:sub(at + 1))
    spec.equal({ pools, why == "damaged" or at > 8 and at <= 12 and why == "newer" }, { nil, true }, at)
  end
  spec.equal({ spawnpool.load(text .. "x") }, { nil, "damaged" })
  spec.equal({ spawnpool.load(text:sub(1, 8) .. "\3" .. text:sub(10)) }, { nil, "newer" })
end)

-- By somebody who knows the checksum: it may be another game then, but a sound one.
spec.test("a save that is hostile is refused or sound", function()
  local text <const>, draw <const> = small_save(), random_of(1).below
  local function summed(body)
    local sum = 0xcbf29ce484222325
    for i = 1, #body do sum = (sum ~ body:byte(i)) * 0x100000001b3 end
    return body .. ("<i8"):pack(sum)
  end
  local ONE <const>, TWO <const>, THREE <const> = 0x9e3779b185ebca87, 0xc2b2ae3d27d4eb4f, 0x165667b19e3779f9
  local FOUR <const>, FIVE <const> = 0x85ebca77c2b2ae63, 0x27d4eb2f165667c5
  local function turned(number, bits) return number << bits | number >> (64 - bits) end
  local function mixed(lane, number) return turned(lane + number * TWO, 31) * ONE end
  local function xxh64(body) -- the core's checksum
    local lanes <const>, at = { ONE + TWO, TWO, 0, -ONE }, 1
    local sum = FIVE
    for stripe = 1, #body - 31, 32 do
      for i = 1, 4 do lanes[i] = mixed(lanes[i], (("<i8"):unpack(body, stripe + 8 * i - 8))) end
      at = stripe + 32
    end
    if #body >= 32 then
      sum = turned(lanes[1], 1) + turned(lanes[2], 7) + turned(lanes[3], 12) + turned(lanes[4], 18)
      for i = 1, 4 do sum = (sum ~ mixed(0, lanes[i])) * ONE + FOUR end
    end
    sum = sum + #body
    for i = at, #body - 7, 8 do
      sum, at = turned(sum ~ mixed(0, (("<i8"):unpack(body, i))), 27) * ONE + FOUR, i + 8
    end
    if #body - at >= 3 then
      sum, at = turned(sum ~ ("<I4"):unpack(body, at) * ONE, 23) * TWO + THREE, at + 4
    end
    for i = at, #body do sum = turned(sum ~ body:byte(i) * FIVE, 11) * ONE end
    sum = (sum ~ sum >> 33) * TWO
    sum = (sum ~ sum >> 29) * THREE
    return body .. ("<i8"):pack(sum ~ sum >> 32)
  end
  local first <const>, last <const> = 29, 28 + ("<I8"):unpack(text, 13) -- the core's, with a checksum of their own
  local function forged(at, byte)
    local body <const> = text:sub(1, at - 1) .. byte .. text:sub(at + 1, -9)
    return summed(body:sub(1, first - 1) .. xxh64(body:sub(first, last - 8)) .. body:sub(last + 1))
  end
  spec.equal(forged(first, text:sub(first, first)) == text, true)
  local loaded = 0
  local function load_bytes(bytes)
    local pools <const>, why <const> = spawnpool.load(bytes)
    if not pools then -- its version or its step may be another
      return spec.equal(why == "damaged" or why == "newer" or why == "invalid", true, why)
    end
    spec.check()
    pools:update(0.25)
    pools:close()
    loaded = loaded + 1
  end
  local at = first
  while at <= #text - 8 do
    local is_sum <const> = at > last - 8 and at <= last
    if not is_sum then spec.hear(load_bytes, forged(at, string.char(at < last and 255 or draw(256)))) end
    at = at + (at < 1200 and 1 or 7) -- what is not of one chunk or another comes first
  end
  spec.equal(loaded > 20, true, loaded)
end)

-- }==
