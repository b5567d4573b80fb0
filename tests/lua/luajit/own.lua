-- Tests of features that only LuaJIT has: numbers that are objects, columns, ends that are polled, errors at the
-- caller's line. They speak the words of the specs, in a text that LuaJIT reads.
local ffi = require "ffi"
local kit = require "kit"
local library = require "spawnpool.ffi"
local spec = require "spec"
local equal, refuses, warnings, tick = spec.equal, kit.refuses, kit.warnings, kit.tick
local quick = spec.is_slow

-- A test with a manager of its own.
local function test(name, fn)
  spec.test(name, function()
    local pools = kit.new { misuse = "ignore" }
    fn(pools)
    pools:close()
  end, 2)
end

-- Rows of these calls, which all say the same.
local function each_of(calls, want, values)
  local rows = {}
  for i, code in ipairs(calls) do rows[i] = { code, want, values } end
  return rows
end

-- Beside those: no reference, one of a life to come, and one of another manager.
local NUMBERS = { 0, -1, 1, 1.5, 2 ^ 31, 2 ^ 32 + 1, 2 ^ 53 + 2, 1e300, 1 / 0, -1 / 0, 0 / 0, 2 ^ 64, 1e-300 }

test("a number that is no object is refused by every call", function(pools)
  pools:class("Cube", { fields = { hp = 1 } })
  local live, cube = pools:alloc "Cube", pools:pool "Cube"
  for _, more in ipairs { 0.5, 2 ^ 33, 2 ^ 24 } do NUMBERS[#NUMBERS + 1] = live + more end
  for _, number in ipairs(NUMBERS) do
    local what = tostring(number)
    local function refused(nothing, value, why)
      equal({ value, why == "foreign" or why == "stale" }, { nothing, true }, what)
    end
    refused(false, pools:recycle(number))
    refused(false, cube:recycle(number))
    for _, field in ipairs { "x", "radius", "hp", "layer", "type", "nothing" } do
      refused(nil, pools:get(number, field))
      refused(false, pools:set(number, field, 1))
      equal(pools:last(number, field), nil, what .. " " .. field)
    end
    equal({ pools:is_live(number), type(pools:show(number)) }, { false, "string" }, what)
  end
  equal({ pools:is_live(live), pools:get(live, "hp"), cube.live }, { true, 1, 1 })
end)

test("objects near a place are found, in slot order, as an iterator too", function(pools)
  pools:class "Cube"
  local cube, refs = pools:pool "Cube", {}
  for i = 1, 300 do refs[i] = pools:alloc("Cube", 0, i, 0) end
  for _ = 1, 8 do -- the later ones by a grid
    local list = cube:within(10.4, 0, 2)
    equal({ #list, list[1], list[4] }, { 4, refs[9], refs[12] })
    local seen = {}
    for ref in list do seen[#seen + 1] = ref end
    equal(#seen, 4)
    equal({ cube:nearest(10.4, 3) == refs[10], select(2, cube:nearest(10, 3)) }, { true, 3 })
  end
  equal({ cube:nearest(10, 30, 29) }, { nil, "none" })
  equal(cube:within(5, 0, 1, function(ref) pools:recycle(ref) pools:recycle(ref + 1) end), 2)
  refuses({ cube = cube }, { { "cube:within(0, 0, -1)", "the distance must be a number from 0 up, got -1" },
    { "cube:nearest('a', 0)", "x and y must be finite numbers, got 'a', 0" },
    { "cube:within(0, 0, 1, 7)", "within needs a function, got 7" } })
end)

test("all objects of a manager, or those of a type, are walked and recycled", function(pools)
  pools:class "Cube" pools:class "Ball"
  for i = 1, 3 do pools:alloc "Cube" if i < 3 then pools:alloc "Ball" end end
  local function count(name)
    local n = 0
    for ref in pools:each(name) do n = n + (pools:is_live(ref) and 1 or 0) end
    return n
  end
  equal({ count(), count "Cube", count "Ball", count "None" }, { 5, 3, 2, 0 })
  equal({ pools:recycle_all "Ball", count(), pools:recycle_all(), count() }, { 2, 3, 3, 0 })
  refuses({ pools = pools }, { { "pools:each(7)", "each needs the name of a type, or nothing, got 7" } })
end)

test("a save goes on in another manager, with the names of its sprites", function(pools)
  local definition = { sprite = "rock", fields = { hp = 7, other = library.ref } }
  pools:class("Cube", definition)
  local a, b = pools:alloc("Cube", 2, 3, 4), pools:alloc "Cube"
  pools:set(a, "hp", 9) pools:set(a, "other", b) pools:set(b, "sprite", "gem")
  local bytes = pools:save()
  pools:close()
  for _, wrong in ipairs { "", "junk", bytes:sub(1, 40), bytes:sub(1, -2) .. "x", (bytes:gsub("Cube", "Cupe")) } do
    equal({ library.load(wrong) }, { nil, "damaged" })
  end
  local again = library.load(bytes, { misuse = "ignore" })
  local Cube = again:class("Cube", definition)
  local refs = {}
  for ref in again:pool("Cube"):each() do refs[#refs + 1] = ref end
  a, b = refs[1], refs[2]
  equal({ #refs, again:get(a, "hp"), again:get(a, "x"), again:get(a, "other") == b, Cube ~= nil },
    { 2, 9, 3, true, true })
  equal({ again:get(a, "sprite"), again:get(b, "sprite") }, { "rock", "gem" })
  again:update(3)
  equal({ again:is_live(a), again:is_live(b) }, { false, true })
  again:close()
  refuses({ load = library.load }, { { "load(7)", "load needs the text that pools:save returned, got 7" } })
end)

test("what is no number is an error at the caller's line", function(pools)
  pools:class "Cube"
  local calls = { "pools:recycle(V)", "cube:recycle(V)", "pools:get(V, 'x')", "pools:set(V, 'x', 1)",
    "pools:get(V, 'layer')", "pools:last(V, 'x')" }
  local values = { "12", true, {}, print, ffi.new "int64_t", 12LL, n = 7 }
  refuses({ pools = pools, cube = pools:pool "Cube" },
    each_of(calls, "an object is the number that alloc returned, got", values))
  for i = 1, values.n do equal(pools:is_live(values[i]), false) end
end)

test("a wrong argument is an error at the caller's line", function(pools)
  local Cube = pools:class("Cube", { limit = 9, fields = { hp = 1, armed = false, target = library.ref } })
  local env = { pools = pools, cube = pools:pool "Cube", o = pools:alloc "Cube", Cube = Cube, new = library.new,
    nan = 0 / 0, huge = 1 / 0, keep = library.keep, wide = kit.fields(1, 49), print = print }
  refuses(env, each_of({ "pools:alloc('Cube', V)", "cube:alloc(V)" }, "lifetime must be a finite number of seconds",
    { 0 / 0, -1 / 0, 1e12, -1e12, "2", {}, 2LL }))
  for _, place in ipairs { "nan, 1", "1, huge", "1, 2, 'x'", "1e39, 0" } do
    refuses(env, { { ("pools:alloc('Cube', 0, %s)"):format(place), "x, y and angle must be finite numbers" } })
  end
  refuses(env, {
    { "pools:alloc(5)", "a type has a name of 1 to 200 letters, got 5" }, { "pools:pool('')", "got ''" },
    { "pools:update(-1)", "dt must be a finite number of seconds, from 0 up" },
    { "pools:update('1')", "got '1'" }, { "pools:update(1e12)", "dt is too long" },
    { "pools:get(o, 'hq')", "'Cube' has no field 'hq', but" }, { "pools:get(o, nil)", "no field nil" },
    { "cube.limit = -1", "limit must be an integer" }, { "cube.live = 3", "can set" },
    { "cube.overflow = 'x'", "must be 'error', 'grow', 'oldest' or 'refuse'" },
    { "cube:prewarm(-1)", "prewarm: the count must be" }, { "cube:column('hq')", "has no field 'hq'" },
    { "cube:column('scale')", "is in the column 'look'" },
    { "cube:each('x')", "each reads no fields here: pool:column('x') has them all" },
    { "cube:column('x')[7]", "chunks, from 0: there is no 7" },
    { "cube:column('x').x", "there is no 'x'" }, { "cube:live_bits(9)", "has no chunk 9" },
    { "cube:overlaps(cube)", "overlaps needs a pool" }, { "pools:restore(5)", "a snapshot is what" },
    { "pools:snapshot(cube)", "a snapshot is what" },
    { "pools.paused = 1", "paused a boolean" }, { "pools.time_scale = -1", "time_scale may be 0 to 1e6" },
    { "pools.time = 1", "is no value of 'time'" }, { "pools.tim", "pools has no field 'tim', but" },
    { "new { speed = 1 }", "option 'speed' of" }, { "new { step = 0/0 }", "step" },
    { "new { misuse = 'x' }", "cannot be 'x'" }, { "pools:class('A', 5)", "a definition is a table" },
    { "pools:class('A', { fields = wide })", "field_count is 49 (0..48)" },
    { "function Cube:on_despawn() end", "on_despawn is not called by C" },
    { "Cube.radius = 5", "is set by pools:class" }, { "Cube.alloc = 5", "alloc must be a function" },
  })
  for form, list in pairs {
    ["pools:set(o, %s)"] = {
      ["'hq', 1"] = "'Cube' has no field 'hq'", ["'id', 1"] = "field 'id' is read only",
      ["'x', nan"] = "field 'x' must be a finite number", ["'radius', 1e39"] = "must be a finite number",
      ["'hp', 'x'"] = "field 'hp' must be a number, got 'x'", ["'armed', 1"] = "must be a boolean",
      ["'target', 1"] = "holds a live object or nil", ["'layer', 1.5"] = "must be an integer",
      ["'visible', 1"] = "must be a boolean", ["'remaining', nan"] = "must be seconds",
      ["'parent', o"] = "an object cannot be inside itself", ["'parent', 1"] = "field 'parent'",
      ["'scale_x', nan"] = "must be a finite number",
    },
    ["pools:class('A', { %s })"] = {
      ["radus = 1"] = "class 'A' has no setting 'radus', but", ["radius = 'x'"] = "radius must be a finite number",
      ["blend = 'sub'"] = "blend must be 'add' or 'alpha'", ["prealloc = 2^31"] = "prealloc must be an integer",
      ["sprite = 5"] = "sprite must be a string", ["motion = { gravty = 1 }"] = "gravty is no part of it",
      ["bounds = { x = 0, y = 0, w = 0, h = 1, outside = 'wrap' }"] = "bounds.w",
      ["bounds = { x = 0 }"] = "bounds need", ["over_life = { a = { 1 } }"] = "2..8",
      ["over_life = { q = { 1, 2 } }"] = "is none of", ["fields = { scale_x = 1 }"] = "built in",
      ["fields = { [1] = 1 }"] = "no word", ["fields = { t = {} }"] = "a table of your own, by object",
      ["fields = { t = keep 'x' }"] = "got 'x'", ["extends = 'B'"] = "which is not declared",
      ["on_spawn = print"] = "on_spawn is not called by C",
    },
  } do
    for code, message in pairs(list) do refuses(env, { { form:format(code), message } }) end
  end
  equal(pools:pool("Cube").live, 1)
end)

test("misuse warns once a line, raises, or is quiet", function()
  for mode, want in pairs { warn = { 1, true }, error = { 0, false }, ignore = { 0, true } } do
    local pools = kit.new { misuse = mode, trace = mode == "error" }
    pools:class "Cube"
    local o, ok = pools:alloc "Cube", nil
    pools:recycle(o)
    local said = warnings(function()
      for _ = 1, 5 do
        ok = pcall(function() return (pools:recycle(o)) end)
      end
    end)
    equal({ #said, ok }, want)
    if mode == "warn" then
      equal(said[1]:match "own.lua:%d+: (.*is over)",
        "Cube#1 (stale): the life that this reference names is over")
    elseif mode == "error" then
      refuses({ pools = pools, o = o }, {
        { "pools:get(o, 'x')", "(stale): the life that this reference names is over; allocated at" },
      })
    end
    pools:close()
  end
  local said = warnings(function()
    local pools = library.new()
    pools:class "Dot"
    for _ = 1, 3 do pools:alloc("Dot", 300, 200) end
    pools:alloc("Dot", 0, 200)
    pools:alloc("Dot", 2, 3, 4)
    pools:close()
  end)
  equal(#said, 1)
  spec.contains(said[1], "alloc of Dot: the first number is its lifetime")
end)

test("what ended in an update is listed once, with its last fields", function(pools)
  pools:class("Cube", { fields = { hp = 5, armed = true }, sprite = "ring" })
  pools:class("Wall", { bounds = { x = 0, y = 0, w = 10, h = 10, outside = "recycle" } })
  local a, b = pools:alloc("Cube", kit.STEP, 3, 4), pools:alloc("Wall", 0, 50, 5)
  pools:recycle(pools:alloc "Cube")
  tick(pools)
  for _ = 1, 2 do
    local list = {}
    for ref, why in pools:ended() do
      list[#list + 1] = ref
      list[#list + 1] = why
    end
    equal(list, { a, "expired", b, "outside" })
  end
  for field, value in pairs { x = 3, hp = 5, armed = true, sprite = "ring", type = "Cube", alive = false } do
    equal(pools:last(a, field), value, field)
  end
  equal(pools:last(b, "x"), 50)
  for _ = 1, 40 do pools:alloc "Cube" end
  equal({ pools:last(a, "x") }, { nil, "stale" })
  tick(pools)
  for _ in pools:ended() do error "nothing ended" end
  for _ = 1, 5000 do pools:alloc("Cube", kit.STEP) end -- more than there was room for
  tick(pools)
  local count = 0
  for ref in pools:ended() do
    count = count + (pools:is_live(ref) and 0 or 1)
    if count % 2 == 0 then pools:alloc("Cube", 9) end
  end
  equal(count, 5000)
end)

test("columns stay where they are while a pool grows", function(pools)
  pools:class("Cube", { grow = 16, fields = { hp = 1 } })
  local pool, first = pools:pool "Cube", pools:alloc("Cube", 0, 7, 0)
  local x, hp, look = pool:column "x", pool:column "hp", pool:column "look"
  local kept, address = x[0], tonumber(ffi.cast("uintptr_t", x[0]))
  local index = first % 64
  for i = 1, quick and 2000 or 100000 do
    pools:alloc("Cube", 0, i, 0)
    if i == 1000 then collectgarbage() end
  end
  equal({ kept[index], tonumber(ffi.cast("uintptr_t", x[0])) }, { 7, address })
  kept[index] = 8
  equal({ pools:get(first, "x"), hp[0][index], look[0][index].radius }, { 8, 1, 8 })
  local sum, count = 0, 0
  for k = 0, pool:chunks() - 1 do
    local xs, bits = x[k], pool:live_bits(k)
    for i = 0, 63 do
      if bit.band(bits[bit.rshift(i, 5)], bit.lshift(1, i)) ~= 0 then sum, count = sum + xs[i], count + 1 end
    end
  end
  local want = 0
  for o in pool:each() do want = want + pools:get(o, "x") end
  equal({ sum, count }, { want, pool.live })
  pool:recycle_all()
  pool:clear()
  refuses({ x = x }, { { "x[0]", "has 0 chunks" } })
  pools:remove "Cube"
  refuses({ x = x }, { { "x[0]", "the manager is closed" } })
end)

test("leaks name lines, and show names objects", function()
  local pools = kit.new { trace = true }
  pools:class "Cube"
  local o = pools:alloc "Cube"
  tick(pools, 64)
  pools:alloc "Cube"
  local list = pools:leaks { older_than = 0.5 }
  equal({ #list, list[1].type, list[1].count, list[1].oldest, list[1].object }, { 1, "Cube", 1, 1, o })
  equal({ list[1].site:find "own.lua:%d+$" ~= nil, #pools:leaks(), tostring(pools:show(o)) }, { true, 2,
    "Cube#1 (live)" })
  pools:recycle(o)
  equal({ pools:show(o), pools:show "x", pools:show(1) }, { "Cube#1 (stale)", "'x' (foreign)", "1 (foreign)" })
  pools:close()
  equal(pools:show(o), ("%s (foreign)"):format(o))
end)

test("an unknown type is a pool with a warning, or an error", function()
  local pools, strict = kit.new(), kit.new { unknown = "error" }
  pools:class "Bullet"
  local said = warnings(function() pools:alloc "Bulet" end)
  equal(#said, 1)
  spec.contains(said[1], "type 'Bulet' has no class; there are 'Bullet'")
  strict:class "Bullet"
  refuses({ pools = strict }, { { "pools:alloc 'Bulet'", "type 'Bulet' has no class" } })
  pools:close()
  strict:close()
end)

test("after close nothing works and nothing breaks", function(pools)
  local Cube = pools:class("Cube", { fields = { hp = 1 } })
  local cube, o, x = pools:pool "Cube", pools:alloc "Cube", pools:pool("Cube"):column "x"
  local walk, state = cube:each()
  local snapshot, ended, ends = pools:snapshot(), pools:ended()
  equal({ pools:close() }, { 1, 32 })
  equal({ walk(state), ended(ends), pools:close() }, { nil, nil, 0, 0 })
  refuses({ pools = pools, cube = cube, o = o, x = x, Cube = Cube, snapshot = snapshot, print = print }, each_of({
    "pools:get(o, 'x')", "pools:set(o, 'x', 1)", "pools:get(o, 'hp')", "pools:last(o, 'x')", "pools:stats()",
    "pools:stats('Cube')", "pools:hash()", "pools:snapshot()", "pools:leaks()", "pools:ended()", "pools:class('Cube')",
    "pools.time", "pools.paused = true", "cube.live", "cube:each()", "cube:stats()", "cube:clear()",
    "cube:trim()", "cube:recycle_all()", "cube:prewarm(1)", "x[0]", "cube:chunks()", "cube:live_bits(0)",
    "cube:overlaps(cube, print)", "cube.limit = 1", "pools:remove('Cube')",
  }, "the manager is closed"))
  equal({ pools:restore(snapshot) }, { false, "closed" })
  equal({ tostring(pools), tostring(cube), cube.type }, { "pools (closed)", "pool of Cube (closed)", "Cube" })
end)

test("a function that makes room gets the pool, gives a victim or none, and may end the pool", function(pools)
  pools:class("Cube", { limit = 1 })
  local pool, first = pools:pool "Cube", pools:alloc "Cube"
  pool.overflow = function(self) return self == pool and first or nil end
  equal({ pools:is_live(pool:alloc()), pools:is_live(first) }, { true, false })
  for _, victim in ipairs { first, false } do
    pool.overflow = function() return victim or nil end
    equal({ pools:alloc "Cube" }, { nil, "full" })
  end
  pool.overflow = "error"
  spec.expect_error("is full %(limit 1%)", pool.alloc, pool)
  for _, finish in ipairs { function() pools:remove "Ball" end, function() pools:close() end } do
    pools:class("Ball", { limit = 1, overflow = finish })
    pools:alloc "Ball"
    equal({ pools:alloc "Ball" }, { nil, "closed" })
  end
end)

test("no object of a manager is ever one of another", function(pools)
  local seen, open = {}, {}
  for round = 1, quick and 20 or 600 do -- more than there are ids
    local other = kit.new()
    other:class "Cube"
    for _ = 1, 3 do
      local o = other:alloc "Cube"
      equal({ seen[o], pools:is_live(o) }, { nil, false })
      seen[o] = true
    end
    if round % 3 > 0 then other:close() end -- others go to the collector
  end
  local ok, it = true, nil
  while ok and not quick do
    ok, it = pcall(kit.new)
    open[#open + 1] = ok and it or nil
  end
  equal(quick or #open > 200 and #open < 256 and it:find "255 managers are open: close one" ~= nil, true)
  for _, manager in ipairs(open) do manager:close() end
end)

test("a slot whose generations are used up is retired", function(pools)
  pools:class("Cube", { limit = 1, grow = 1 })
  local pool, seen = pools:pool "Cube", nil
  for _ = 1, quick and 10 or 2 ^ 20 + 5 do
    local o = pool:alloc()
    if o == seen or o >= 2 ^ 53 then error "a number twice" end
    seen = seen or o
    pools:recycle(o)
  end
  equal({ pools:is_live(seen), pools:stats("Cube").retired }, { false, quick and 0 or 1 })
end)

test("what a game does each frame is compiled, and makes no garbage", function(pools)
  if quick or not jit.status() then return end
  local Cube = pools:class("Cube", { vx = 1, radius = 2, fields = { hp = 1 }, prealloc = 600 })
  function Cube:alloc(lifetime, x, y)
    local o, why = Cube.super.alloc(self, lifetime, x, y)
    if o then pools:set(o, "hp", 3) end
    return o, why
  end
  function Cube:recycle(o) return Cube.super.recycle(self, o) end
  local cube, x = pools:pool "Cube", pools:pool("Cube"):column "x"
  local objects, hits = {}, 0
  local function hit() hits = hits + 1 end
  local function frame()
    for i = 1, 100 do objects[i] = pools:alloc("Cube", 0.5, i * 3, 5) end
    for i = 1, 100, 2 do
      pools:set(objects[i], "y", pools:get(objects[i], "y") + 1)
      pools:set(objects[i], "hp", pools:get(objects[i], "hp") + 1)
    end
    for i = 1, 100, 3 do pools:recycle(objects[i]) end
    for o in cube:each() do hits = hits + pools:get(o, "radius") end
    for k = 0, cube:chunks() - 1 do
      local cells = x[k]
      for i = 0, 63 do cells[i] = cells[i] + 1 end
    end
    cube:overlaps(cube, hit)
    pools:update(1 / 64)
    for o in pools:ended() do hits = hits + (pools:is_live(o) and 1 or 0) end
  end
  -- What is not compiled makes garbage: numbers of 64 bits, for one. Traces of the first frames are of another game.
  for _ = 1, 100 do frame() end
  jit.flush()
  for _ = 1, 300 do frame() end
  collectgarbage()
  collectgarbage "stop"
  local bytes = math.huge
  for _ = 1, 5 do
    local before = collectgarbage "count"
    for _ = 1, 200 do frame() end
    bytes = math.min(bytes, (collectgarbage "count" - before) * 1024 / 200)
  end
  collectgarbage "restart"
  if bytes > 0 then error(("%.1f bytes of garbage a frame"):format(bytes)) end
end)
