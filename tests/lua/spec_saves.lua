-- Snapshots, saves and hashes: a manager that is put back, or made of its bytes, goes on as it would have gone on, and
-- so do the Lua values of its objects, also with another class. What is no save is refused.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"
local projects <const> = require "reload_kit"
local world <const> = require "snapshot_world"

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

-- {== Both ===================================================================

-- Rolled back to a snapshot or to a save, it goes the way that it went; so does what is loaded.
spec.test("a random game goes on from its snapshots and saves as it went on, with the references of then", function()
  local pools <const>, hashes <const> = world.new(), {}
  local function play(from, to)
    for step = from, to do
      spec.equal(hashes[step] or pools:hash(), pools:hash(), ("step %d"):format(step))
      hashes[step] = pools:hash()
      world.step(pools, step)
    end
  end
  local snapshot
  for step = 1, 361, 40 do
    local one <const> = pools:pool("Ship"):nearest(0, 0) -- the same in any copy
    local text <const>, hash <const> = save(pools, { roots = { one } }), pools:hash()
    snapshot = pools:snapshot(snapshot)
    local loaded <const>, _, notes <const> = load(text, { misuse = "ignore" })
    spec.equal({ loaded:hash() == hash, #notes, notes.dropped }, { true, 0, 0 })
    spec.equal(#save(loaded, { roots = { (loaded:pool("Ship"):nearest(0, 0)) } }), #text)
    play(step, step + 39)
    for k = step, step + 39 do
      spec.equal(loaded:hash() == hashes[k], true, ("saved at %d, step %d"):format(step, k))
      world.step(loaded, k)
    end
    kit.check(loaded, "Ship", "Spark")
    loaded:close()
    local done <const>, roots <const>, more <const> = pools:restore(text)
    spec.equal({ done, #more }, { true, 0 })
    spec.equal(roots[1], one)
    kit.check(pools, "Ship", "Spark")
    play(step, step + 19)
    restore(pools, snapshot)
    kit.check(pools, "Ship", "Spark")
    play(step, step + 39)
    local fresh <const> = spawnpool.new { step = world.STEP } -- it makes the pools that it lacks
    spec.equal({ (fresh:restore(text)), fresh:hash() == hash }, { true, true })
    fresh:close()
  end
end)

-- A random graph of tables, with circles, with tables and objects as keys; and the same again for the same seed.
local function graph_of(seed, objects)
  local tables <const>, count = {}, 0
  local function drawn(below)
    count = count + 1
    return world.drawn(seed, count, below)
  end
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
    if type(key) ~= "table" then
      if not is_same_graph(value, b[key], pairs_of) then return false end
    else
      unmatched = unmatched + 1
    end
  end
  for key in next, b do
    if type(key) == "table" then unmatched = unmatched - 1 elseif a[key] == nil then return false end
  end
  return unmatched == 0
end

kit.test("a random graph comes back the same from a save and a snapshot", { fields = { bag = spawnpool.any() } },
  function(pools)
  local objects <const> = { pools:alloc "Cube", pools:alloc "Cube", pools:alloc "Cube" }
  objects[3]:recycle()
  for seed = 1, 60 do
    local graph <const> = graph_of(seed, objects)
    objects[1].bag, objects[2].bag = graph, { graph, graph[1] }
    local text <const>, snapshot <const> = save(pools, { roots = graph }), pools:snapshot()
    local hash <const> = pools:hash()
    local function check(a, b, door)
      spec.equal(is_same_graph(graph_of(seed, objects), a.bag, {}), true, ("seed %d: %s"):format(seed, door))
      spec.equal({ rawequal(b.bag[1], a.bag), rawequal(b.bag[2], a.bag[1]), pools:hash() }, { true, true, hash })
    end
    graph[1][1], objects[1].bag, objects[2].bag = "changed", nil, nil
    restore(pools, snapshot)
    check(objects[1], objects[2], "snapshot")
    local done <const>, roots <const> = pools:restore(text)
    check(objects[1], objects[2], "save")
    spec.equal({ done, rawequal(roots, objects[1].bag) }, { true, true })
  end
end)

-- A class of random fields and settings.
local function random_class(draw)
  local makers <const> = {
    function() return draw(5) end, function() return draw(2) == 0 end, function() return spawnpool.any(draw(5)) end,
    function() return spawnpool.any() end, function() return spawnpool.keep(draw(5)) end,
    function() return spawnpool.keep "text" end, function() return spawnpool.ref end,
    function() return spawnpool.fresh(function() return { 1 } end) end, function() return spawnpool.live(draw(9)) end,
  }
  local fields <const> = {}
  for _, name in ipairs { "one", "two", "three" } do
    local make <const> = makers[draw(#makers + 1) + 1]
    fields[name] = make and make()
  end
  local function maybe(most) if draw(3) == 0 then return 1 + draw(most) end end
  return spawnpool.class("Thing", {
    fields = fields, limit = maybe(20), idle_limit = maybe(20), prealloc = maybe(10), grow = maybe(9),
    order = draw(2) == 0 and "lifo" or "fifo", overflow = draw(3) == 0 and "oldest" or nil,
  })
end

spec.test("a class changes at random: a load, a restored save and a restored snapshot have the hash of then", function()
  for seed = 1, 60 do
    local count = 0
    local function draw(below)
      count = count + 1
      return world.drawn(seed, count, below)
    end
    random_class(draw)
    local pools <const>, things <const> = kit.new(), {}
    local function play()
      local what <const> = draw(8)
      local pool <const> = pools:pool "Thing"
      if what < 4 then things[#things + 1] = pools:alloc("Thing", draw(2) * draw(3)) end
      if what == 4 then pools:update(draw(4) / 8) end
      if what == 5 and draw(4) == 0 then random_class(draw) end
      if what == 6 then pool.limit = 1 + draw(30) end
      if what == 7 then pool.idle_limit = 1 + draw(30) end
      for _, thing in ipairs(things) do
        for _, name in ipairs { "one", "two", "three" } do
          local value <const> = ({ draw(9), 0.5, true, "text", { draw(9) }, things[1] })[1 + draw(7)]
          pcall(function() thing[name] = value end)
        end
        if draw(9) == 0 and thing.alive then thing:recycle() end
      end
    end
    for step = 1, 60 do
      play()
      if step % 10 == 0 then
        local text <const>, snapshot <const>, hash <const> = save(pools), pools:snapshot(), pools:hash()
        local loaded <const> = load(text)
        local hashes <const> = { loaded:hash() }
        loaded:close()
        for i, state in ipairs { text, snapshot } do
          restore(pools, state)
          hashes[i + 1] = pools:hash()
        end
        spec.equal(hashes, { hash, hash, hash }, ("seed %d, step %d"):format(seed, step))
      end
    end
  end
end)

for _, way in ipairs { "snapshot", "save" } do
  kit.test("what is restored follows the idle limit of today, and leaves objects no values of then: " .. way,
    { prealloc = 10, fields = { skin = spawnpool.keep "plain", bag = spawnpool.keep(0) } }, function(pools)
    for i = 1, 10 do pools:alloc("Cube", 0, { skin = "skin", bag = i }) end
    pools:recycle_all()
    local pool <const>, before <const> = pools:pool "Cube", pools[way](pools)
    pool.idle_limit = 3
    restore(pools, before)
    spec.equal({ pool.idle, pool.total }, { 3, 3 })
    pool.idle_limit = 12
    local skins, bags = 0, 0
    for _ = 1, 12 do
      local o <const> = pools:alloc "Cube"
      skins = skins + (o.skin == "skin" and 1 or 0)
      bags = bags + (o.bag > 0 and 1 or 0)
    end
    spec.equal({ skins, bags }, { 3, 3 })
  end)
end

-- Of a save that is loaded into another manager, and of what is restored into its own.
for _, door in ipairs { "load", "restore", "snapshot" } do
  kit.test(door .. " follows the class of today, ends coroutines and runs on_restore", { fields = {
    hp = 3, old = 1, bag = spawnpool.any(), kind = 5, same = spawnpool.keep(1),
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
    spawnpool.class("Cube", { fields = { hp = 3, new = "n", bag = spawnpool.any(), kind = true, same = 1 } })
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
  local answers <const>, state = {}, nil
  function Cube:on_restore(o)
    if o.id > 1 then
      answers[#answers + 1] = o.id
      return
    end
    pools:recycle_all()
    pools:alloc "Cube"
    for i, result in ipairs { { pools:snapshot() }, { pools:restore(state) }, { pools:save() }, { pools:hash() } } do
      spec.equal({ i, result[1] or nil, result[2] }, { i, nil, "busy" })
      answers[#answers + 1] = "busy"
    end
  end
  for _ = 1, 3 do pools:alloc "Cube" end
  state = pools:snapshot()
  restore(pools, state)
  spec.equal({ table.concat(answers, " "), pools:stats().live }, { "busy busy busy busy", 1 })
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
  refused(other, snapshot, "foreign")
  refused(other, text:sub(1, -2), "damaged")
  spec.equal({ spawnpool.new({ step = 1 / 7 }):restore(text) }, { false, "invalid" })
  spec.equal({ spawnpool.load(text, { step = 1 / 7 }) }, { nil, "invalid" })
  pools:remove "Cube"
  refused(pools, snapshot, "invalid")
end)

kit.test("a restore or a changed class happens entirely or not at all, whatever allocation is refused", function(pools)
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
  local snapshot <const>, text <const> = pools:snapshot(), pools:save()
  local function state() return { pools:hash(), version, spawnpool.class("Cube").limit, pools:pool("Cube").total } end
  local function restore_snapshot() return pools:restore(snapshot) end
  local function restore_save() return (pools:restore(text)) end
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

-- }==

-- {== Snapshots ==============================================================

kit.test("a snapshot has references, fields and values as they were, copied", { fields = {
  any = spawnpool.any(), set = spawnpool.any(5), f = spawnpool.fresh(function() return { 1 } end),
} }, function(pools)
  local a <const>, b <const>, gone <const> = pools:alloc "Cube", pools:alloc "Cube", pools:alloc "Cube"
  gone:recycle()
  local shared <const> = { 1, [a] = b }
  shared.self = shared
  a.any, b.any, a.set, b.set = shared, { shared }, nil, print
  a.f[2] = 2
  local snapshot <const> = pools:snapshot()
  shared[1], a.any, b.any, a.set, b.set, a.f[2] = 9, nil, nil, 7, 8, nil
  local later <const> = pools:alloc "Cube"
  a:recycle()
  restore(pools, snapshot)
  spec.equal({ a.alive, b.alive, gone.alive, later.alive }, { true, true, false, false })
  spec.equal(a.any == shared, false) -- a copy, also of what was in the field
  spec.equal({ a.any[1], a.any[a] == b, a.any.self == a.any, b.any[1] == a.any }, { 1, true, true, true })
  spec.equal({ a.set, b.set == print, a.f[2] }, { nil, true, 2 })
  a.any[1] = 3
  restore(pools, snapshot)
  spec.equal(a.any[1], 1) -- what is restored is a copy, too
end)

kit.test("a snapshot shares functions, userdata, coroutines, classes, modules and metatables", { fields = {
  any = spawnpool.any(), more = spawnpool.any(),
} }, function(pools, Cube)
  local a <const>, Account <const> = pools:alloc "Cube", {}
  Account.__index = Account
  local account <const> = setmetatable({ class = Account, rest = 5 }, Account)
  local closed <const> = setmetatable({}, { __gc = function() end })
  local values <const> = { print, io.stdout, coroutine.create(print), Cube, string, pools, closed, Account }
  a.any, a.more = { values, account, { kind = Account } }, account
  local snapshot <const> = pools:snapshot()
  account.rest, a.any, a.more = 6, nil, nil
  restore(pools, snapshot)
  for i, value in ipairs(values) do spec.equal(rawequal(a.any[1][i], value), true, i) end
  spec.equal({ a.more.rest, rawequal(a.more, account), rawequal(a.more, a.any[2]) }, { 5, false, true })
  for _, it in ipairs { getmetatable(a.more), a.more.class, a.any[3].kind } do
    spec.equal(rawequal(it, Account), true)
  end
end)

spec.test("a snapshot shares what files have made while they loaded; a save refuses it, but in roots", function()
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
  { fields = { any = spawnpool.any() } }, function(pools)
  local snapshot <const> = pools:snapshot()
  local bytes <const> = snapshot.bytes
  spec.equal(rawequal(pools:snapshot(snapshot), snapshot), true)
  spec.equal({ snapshot.bytes == bytes, bytes > 0, tostring(snapshot) }, { true, true, "spawnpool.snapshot" })
  for _ = 1, 300 do pools:alloc("Cube", 0, { any = {} }) end
  local hash <const> = pools:hash()
  restore(pools, snapshot)
  spec.equal({ pools:pool("Cube").total, pools:hash() == hash }, { 0, false })
  spec.equal(pools:alloc("Cube").any, nil)
end)

-- }==

-- {== Hashes =================================================================

kit.test("a hash counts values, not functions nor the order in which keys came, and goes deep",
  { fields = { any = spawnpool.any() } }, function(pools)
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
  a.any = { print, [{}] = 1 }
  local no_order <const> = pools:hash()
  a.any = { function() end, [{}] = 1, [print] = 2 }
  spec.equal(pools:hash(), no_order)
  local list = {}
  for _ = 1, 20000 do list = { list } end
  a.any = list
  local deep <const>, snapshot <const> = pools:hash(), pools:snapshot()
  a.any = nil
  restore(pools, snapshot)
  spec.equal(pools:hash(), deep)
end)

-- }==

-- {== Saves ==================================================================

kit.test("a loaded game has roots, and what they share with fields", function(pools)
  spawnpool.class("Hero", { fields = { bag = spawnpool.any(), friend = spawnpool.ref } })
  local a <const>, b <const> = pools:alloc("Hero", 0, { x = 3 }), pools:alloc "Hero"
  a.sprite = "a sprite of one save"
  a.bag, a.friend = { 1, 2.5, "x\0y", true, [b] = a, nan = 0 / 0, inf = -math.huge }, b
  a.bag.self = a.bag
  b:recycle()
  local text <const> = save(pools, { roots = { hero = a, gone = b, bag = a.bag, list = { 1, nil, 3 } } })
  local loaded <const>, roots <const> = load(text)
  local hero <const> = roots.hero
  spec.equal({ hero.x, hero.sprite, hero.friend }, { 3, "a sprite of one save", nil })
  spec.equal({ hero.bag == roots.bag, hero.bag.self == hero.bag }, { true, true })
  spec.equal({ hero.bag[1], hero.bag[2], hero.bag[3], hero.bag[4] }, { 1, 2.5, "x\0y", true })
  spec.equal({ hero.bag.nan ~= hero.bag.nan, hero.bag.inf, hero.bag[roots.gone] }, { true, -math.huge, hero })
  spec.equal({ math.type(hero.bag[1]), math.type(hero.bag[2]), roots.list[3] }, { "integer", "float", 3 })
  spec.equal({ loaded:is_live(hero), pools:is_live(hero), roots.gone.alive }, { true, false, false })
  spec.equal((select(2, load(save(pools, { roots = 5 })))), 5)
  spec.equal((select(2, load(save(pools)))), nil)
end)

kit.test("a loaded game has limits that the game had set, others as the class says today, and options of its own",
  { limit = 10, idle_limit = 5, grow = 4, fields = { hits = spawnpool.keep(0) }, methods = {
    hit = function(o) o.hits = o.hits + 1 end,
  } }, function(pools)
  local pool <const> = pools:pool "Cube"
  pool.limit, pool.overflow = 7, "error"
  pools:alloc("Cube"):after(2, "hit")
  pools:update(0.5)
  local text <const> = save(pools)
  spawnpool.class("Cube", { limit = 10, idle_limit = 3, grow = 8, fields = { hits = spawnpool.keep(0) }, methods = {
    hit = function(o) o.hits = o.hits + 2 end,
  } })
  local loaded <const> = load(text, { step = kit.STEP, misuse = "error" })
  local again <const>, o <const> = loaded:pool "Cube", loaded:pool("Cube"):nearest(0, 0)
  spec.equal({ again.limit, again.idle_limit, again.grow, again.overflow }, { 7, 3, 8, "error" })
  spec.equal({ again.live, again.idle, o.hits }, { 1, 3, 0 })
  loaded:update(1.25)
  spec.equal(o.hits, 0)
  loaded:update(0.25)
  spec.equal({ o.hits, loaded.time }, { 2, 2 })
  o:recycle()
  spec.expect_error("stale", loaded.recycle, loaded, o)
end)

kit.test("a loaded game keeps idle objects above the limit of its class, and makes what prealloc lacks", function(pools)
  local made = 0
  local Orc <const> = spawnpool.class("Orc", { idle_limit = 2 })
  function Orc:on_create() made = made + 1 end
  local pool <const> = pools:pool "Orc"
  pool.idle_limit = 20
  for _ = 1, 10 do pools:alloc "Orc" end
  pools:recycle_all()
  local text <const>, hash <const> = save(pools), pools:hash()
  made = 0
  local loaded <const> = load(text)
  spec.equal({ made, loaded:pool("Orc").idle, loaded:pool("Orc").idle_limit }, { 0, pool.idle, 20 })
  spec.equal(loaded:hash() == hash, true)
  local lacking <const> = 25 - pool.idle
  spawnpool.class("Orc", { prealloc = 25 }) -- in the other managers, too
  made = 0
  spec.equal({ load(text):pool("Orc").idle, made, lacking > 0 }, { 25, lacking, true })
end)

spec.test("save refuses what cannot be saved, with its path", function()
  local Bullet <const> = spawnpool.class("Bullet", { fields = { bag = spawnpool.any() } })
  local pools <const>, another <const> = kit.new(), kit.new()
  local bullets <const> = { pools:alloc "Bullet", pools:alloc "Bullet", pools:alloc "Bullet" }
  local foreign <const> = another:alloc "Bullet"
  local function refused(value, why)
    bullets[3].bag = value
    spec.equal({ bullets[3].id, pools:save() }, { 3, nil, "Bullet#3.bag" .. why })
  end
  refused({ on_hit = print }, ".on_hit is a function")
  refused(print, " is a function")
  refused({ { deep = { [5] = { ["a b"] = print } } } }, "[1].deep[5]['a b'] is a function")
  refused({ file = io.stdout }, ".file is a userdata")
  refused({ co = coroutine.create(print) }, ".co is a coroutine")
  refused({ v = setmetatable({}, {}) }, ".v is a table with a metatable")
  refused({ class = Bullet }, ".class is a class")
  refused({ o = foreign }, ".o is an object of another manager")
  another:close()
  refused({ [1] = foreign }, "[1] is an object of another manager")
  spec.equal(pools:stats().live, 3)
end)

kit.test("save refuses values in roots, and timers that call functions", { methods = { f = function() end } },
  function(pools)
  local o <const> = pools:alloc "Cube"
  spec.equal({ pools:save { roots = { a = { b = print } } } }, { nil, "roots.a.b is a function" })
  spec.equal({ pools:save { roots = print } }, { nil, "roots is a function" })
  o:after(1, "f")
  spec.equal(type(pools:save()), "string")
  o:after(1, print)
  spec.equal({ pools:save() },
    { nil, "Cube#1 has a timer that calls a function (give it the name of a method)" })
end)

-- A small save with all there is: fields, values, a timer, a parent, roots.
local function small_save()
  spawnpool.class("Dot", { grow = 1, fields = { bag = spawnpool.any(), hp = 1 }, methods = { f = function() end } })
  local pools <const> = kit.new()
  local a <const> = pools:alloc("Dot", 2)
  a.bag = { 1, x = { "y" } }
  a:after(1, "f")
  pools:alloc("Dot").parent = a
  return save(pools, { roots = { a } })
end

spec.test("a save that is cut off, has a bit flipped or is of a later version is refused", function()
  local text <const> = small_save()
  for size = 0, #text - 1 do spec.equal({ spawnpool.load(text:sub(1, size)) }, { nil, "damaged" }, size) end
  spec.equal({ spawnpool.load(text .. "x") }, { nil, "damaged" })
  for at = 1, #text do
    local changed <const> = text:sub(1, at - 1) .. string.char(text:byte(at) ~ 1 << at * 5 % 8) .. text:sub(at + 1)
    local pools <const>, why <const> = spawnpool.load(changed)
    local newer <const> = at > 8 and at <= 12
    if pools or (why ~= "damaged" and not (newer and why == "newer")) then
      error(("a bit of byte %d: %s %s"):format(at, pools, why))
    end
  end
  spec.equal({ spawnpool.load(text:sub(1, 8) .. "\2" .. text:sub(10)) }, { nil, "newer" })
  spec.equal({ spawnpool.load(("x"):rep(100)) }, { nil, "damaged" })
end)

-- By somebody who knows the checksum: it may be another game then, but a sound one.
spec.test("a save that is hostile is refused or sound", function()
  local text <const> = small_save()
  local function summed(body)
    local sum = 0xcbf29ce484222325
    for i = 1, #body do sum = (sum ~ body:byte(i)) * 0x100000001b3 end
    return body .. ("<i8"):pack(sum)
  end
  spec.equal(summed(text:sub(1, -9)), text)
  local core <const> = ("<I8"):unpack(text, 13)
  local loaded = 0
  for i = 1, 400 do
    -- The core's part has a checksum of its own: what Lua reads is behind it.
    local at <const> = 21 + core + world.drawn(i, 1, #text - 8 - 20 - core)
    local byte <const> = string.char(world.drawn(i, 2, 3) == 0 and 255 or world.drawn(i, 3, 256))
    local body <const> = text:sub(1, at - 1) .. byte .. text:sub(at + 1, -9)
    local pools, why
    kit.warnings(function()
      local done <const>, a <const>, b <const> = pcall(spawnpool.load, summed(body))
      if not done then error(("byte %d: %s"):format(at, a), 0) end
      pools, why = a, b
    end)
    if pools then
      kit.check(pools, "Dot")
      pools:update(3)
      pools:hash()
      pools:close()
      loaded = loaded + 1
    else
      spec.equal(why == "damaged" or why == "invalid", true, why) -- its step is another one
    end
  end
  spec.equal(loaded > 20, true, loaded)
end)

kit.test("a save whose class fails raises the error of the class, and leaves nothing", function(pools)
  kit.warnings(function() pools:alloc "Nobody" end)
  spec.expect_error("unknown type 'Nobody'", spawnpool.load, save(pools), { unknown = "error" })
end)

-- }==
