-- Saves: a game goes on from its bytes as it would have gone on, also with another class; what is no save is refused.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"
local world <const> = require "snapshot_world"

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

spec.describe("a loaded game", function()
  spec.test("goes on as the saved one, loaded or restored, with the references of then", function()
    local pools <const> = world.new()
    for step = 1, 400 do
      world.step(pools, step)
      if step % 80 == 0 then
        local one <const> = pools:pool("Ship"):nearest(0, 0) -- the same in any copy
        local text <const>, hash <const> = save(pools, { roots = { one } }), pools:hash()
        local loaded <const>, _, notes <const> = load(text, { misuse = "ignore" })
        spec.equal({ loaded:hash() == hash, #notes, notes.dropped }, { true, 0, 0 })
        spec.equal(#save(loaded, { roots = { (loaded:pool("Ship"):nearest(0, 0)) } }), #text)
        for k = step + 1, step + 40 do
          world.step(pools, k)
          world.step(loaded, k)
          spec.equal(loaded:hash() == pools:hash(), true, ("saved at %d, step %d"):format(step, k))
        end
        kit.check(loaded, "Ship", "Spark")
        loaded:close()
        local done <const>, roots <const>, more <const> = pools:restore(text)
        spec.equal({ done, roots[1] == one, #more, pools:hash() == hash }, { true, true, 0, true })
        kit.check(pools, "Ship", "Spark")
        local fresh <const> = spawnpool.new { step = world.STEP } -- it makes the pools that it lacks
        spec.equal({ (fresh:restore(text)), fresh:hash() == hash }, { true, true })
        fresh:close()
      end
    end
  end)

  kit.test("has roots, and what they share with fields", function(pools)
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

  kit.test("calls methods by name when their time comes", function(pools)
    local add <const>, take <const> = kit.log()
    spawnpool.class("Bomb", { methods = { explode = function(o) add("boom", o.id) end } })
    pools:alloc("Bomb"):after(2, "explode")
    pools:update(0.5)
    local loaded <const> = load(save(pools))
    loaded:update(1.25)
    spec.equal(take(), "")
    loaded:update(0.25)
    spec.equal({ take(), loaded.time }, { "boom 1", 2 })
  end)

  kit.test("has limits that the game had set, and others as the class says today", function(pools)
    spawnpool.class("Orc", { limit = 10, idle_limit = 5, grow = 4 })
    local pool <const> = pools:pool "Orc"
    pool.limit, pool.overflow = 7, "error"
    pools:alloc "Orc"
    local text <const> = save(pools)
    spawnpool.class("Orc", { limit = 10, idle_limit = 3, grow = 8 })
    local again <const> = load(text):pool "Orc"
    spec.equal({ again.limit, again.idle_limit, again.grow, again.overflow }, { 7, 3, 8, "error" })
    spec.equal({ again.live, again.idle }, { 1, 3 })
  end)

  kit.test("keeps idle objects above the limit of the class, and makes what its prealloc lacks", function(pools)
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

  -- Loaded into another manager, and restored into its own.
  for door, restored in pairs { load = false, restore = true } do
    spec.test(door .. " follows the class of today, ends coroutines and runs on_restore", function()
      local add <const>, take <const> = kit.log()
      local Orc <const> = spawnpool.class("Orc", { fields = {
        hp = 3, old = 1, bag = spawnpool.any(), kind = 5, same = spawnpool.keep(1),
      } })
      function Orc:on_restore(o) add("restored", o.id, self == o.pool) end
      local pools <const> = kit.new()
      local orc <const> = pools:alloc("Orc", 0, { hp = 7, old = 8, bag = { 1 }, kind = 6, same = 4 })
      orc:run(function() coroutine.yield(1) add "never" end)
      local text <const> = save(pools)
      spawnpool.class("Orc", { fields = { hp = 3, new = "n", bag = spawnpool.any(), kind = true, same = 1 } })
      orc.bag = nil
      local game, notes, _ = pools, nil, nil
      local said <const> = kit.warnings(function()
        if restored then _, _, notes = pools:restore(text) else game, _, notes = load(text) end
      end)
      game:update(2)
      local next <const>, state <const> = game:each()
      local o <const> = next(state)
      spec.equal({ take(), o == orc, notes.dropped }, { "restored 1 true", restored, 1 })
      spec.equal({ o.hp, o.new, o.bag, o.kind, o.same }, { 7, "n", { 1 }, true, 4 })
      table.sort(notes, function(a, b) return a.field < b.field end)
      spec.equal({ #notes, notes[1].field, notes[1].live, notes[2].field, notes[2].kind },
        { 2, "kind", 1, "old", nil })
      spec.equal({ #said, table.concat(said):find("field 'old' of Orc is gone", 1, true) ~= nil }, { 2, true })
    end)
  end

  kit.test("has its own options, and refuses another step", function(pools)
    spawnpool.class "Orc"
    pools:alloc "Orc"
    local text <const> = save(pools)
    spec.equal({ spawnpool.load(text, { step = 1 / 7 }) }, { nil, "invalid" })
    local loaded <const> = load(text, { step = kit.STEP, misuse = "error" })
    local o <const> = loaded:alloc "Orc"
    o:recycle()
    spec.expect_error("stale", loaded.recycle, loaded, o)
  end)

  spec.test("can be saved, loaded and closed again and again", function()
    local pools = world.new()
    for step = 1, 120 do world.step(pools, step) end
    local hash <const> = pools:hash()
    for _ = 1, 300 do
      local text <const> = save(pools)
      pools:close()
      pools = load(text, { misuse = "ignore" })
    end
    spec.equal(pools:hash(), hash)
  end)
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

spec.describe("a random graph", function()
  kit.test("comes back the same from a save and a snapshot", { fields = { bag = spawnpool.any() } }, function(pools)
    local objects <const> = { pools:alloc "Cube", pools:alloc "Cube", pools:alloc "Cube" }
    objects[3]:recycle()
    for seed = 1, 300 do
      local graph <const> = graph_of(seed, objects)
      objects[1].bag, objects[2].bag = graph, { graph, graph[1] }
      local text <const>, snapshot <const> = save(pools, { roots = graph }), pools:snapshot()
      local hash <const> = pools:hash()
      local function check(a, b, door)
        spec.equal(is_same_graph(graph_of(seed, objects), a.bag, {}), true, ("seed %d: %s"):format(seed, door))
        spec.equal({ rawequal(b.bag[1], a.bag), rawequal(b.bag[2], a.bag[1]), pools:hash() }, { true, true, hash })
      end
      graph[1][1], objects[1].bag, objects[2].bag = "changed", nil, nil
      spec.equal((pools:restore(snapshot)), true)
      check(objects[1], objects[2], "snapshot")
      local done <const>, roots <const> = pools:restore(text)
      check(objects[1], objects[2], "save")
      spec.equal({ done, rawequal(roots, objects[1].bag) }, { true, true })
    end
  end)
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

spec.test("a class that changes at random: a load, a restored save and a restored snapshot have the hash of then",
  function()
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
            spec.equal((pools:restore(state)), true)
            hashes[i + 1] = pools:hash()
          end
          spec.equal(hashes, { hash, hash, hash }, ("seed %d, step %d"):format(seed, step))
        end
      end
    end
  end)

spec.describe("a save that is restored", function()
  kit.test("is refused as in load, and nothing has changed", { fields = { bag = spawnpool.any() } }, function(pools)
    local o <const> = pools:alloc("Cube", 0, { bag = { 1 } })
    local text <const>, hash <const> = save(pools), pools:hash()
    spec.equal({ pools:restore(text:sub(1, -2)) }, { false, "damaged" })
    spec.equal({ spawnpool.new({ step = 1 / 7 }):restore(text) }, { false, "invalid" })
    spec.equal({ pools:hash() == hash, o.bag }, { true, { 1 } })
  end)
end)

spec.describe("save refuses", function()
  spec.test("what cannot be saved, with its path", function()
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

  kit.test("values in roots, and timers that call functions", { methods = { f = function() end } }, function(pools)
    local o <const> = pools:alloc "Cube"
    spec.equal({ pools:save { roots = { a = { b = print } } } }, { nil, "roots.a.b is a function" })
    spec.equal({ pools:save { roots = print } }, { nil, "roots is a function" })
    o:after(1, "f")
    spec.equal(type(pools:save()), "string")
    o:after(1, print)
    spec.equal({ pools:save() },
      { nil, "Cube#1 has a timer that calls a function (give it the name of a method)" })
  end)
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

spec.describe("a save", function()
  spec.test("that is cut off or has a bit flipped is refused", function()
    local text <const> = small_save()
    for size = 0, #text - 1 do spec.equal({ spawnpool.load(text:sub(1, size)) }, { nil, "damaged" }, size) end
    spec.equal({ spawnpool.load(text .. "x") }, { nil, "damaged" })
    for at = 1, #text do
      for bit = 0, 7 do
        local changed <const> = text:sub(1, at - 1) .. string.char(text:byte(at) ~ 1 << bit) .. text:sub(at + 1)
        local pools <const>, why <const> = spawnpool.load(changed)
        local newer <const> = at > 8 and at <= 12
        if pools or (why ~= "damaged" and not (newer and why == "newer")) then
          error(("bit %d of byte %d: %s %s"):format(bit, at, pools, why))
        end
      end
    end
  end)

  -- By somebody who knows the checksum: it may be another game then, but a sound one.
  spec.test("that is hostile is refused or sound", function()
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

  spec.test("of a later version says so", function()
    local text <const> = small_save()
    spec.equal({ spawnpool.load(text:sub(1, 8) .. "\2" .. text:sub(10)) }, { nil, "newer" })
    spec.equal({ spawnpool.load "" }, { nil, "damaged" })
    spec.equal({ spawnpool.load(("x"):rep(100)) }, { nil, "damaged" })
  end)

  spec.test("whose class fails raises the error of the class, and leaves nothing", function()
    spawnpool.class("Dot", { fields = { hp = 1 } })
    local pools <const> = kit.new { unknown = "error" }
    pools:alloc "Dot"
    local text <const> = save(pools)
    local renamed <const> = text:gsub("Dot", "Dop")
    spec.equal({ spawnpool.load(renamed) }, { nil, "damaged" })
    local generic <const> = spawnpool.new { step = kit.STEP }
    kit.warnings(function() generic:alloc "Nobody" end)
    local other <const> = save(generic)
    spec.equal(pcall(spawnpool.load, other, { unknown = "error" }), false)
  end)
end)
