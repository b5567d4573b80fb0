-- Wrong calls, each with the error that it raises at the caller's line. None of them changes anything.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

local NAN <const>, HUGE <const> = 0 / 0, math.huge

-- Values of every type but the ones named.
local function all_but(...)
  local allowed <const> = {}
  for _, name in ipairs { ... } do allowed[name] = true end
  local values <const> = {}
  for _, value in ipairs { true, 12, 1.5, "text", {}, print, coroutine.create(print), io.stdout } do
    if not allowed[type(value)] then values[#values + 1] = value end
  end
  return values
end

-- Appends the lists that follow the first one to it.
local function join(all, ...)
  for _, list in ipairs { ... } do table.move(list, 1, #list, #all + 1, all) end
  return all
end

local NO_NUMBERS <const> = join(all_but "number", { "1", NAN, HUGE, -HUGE })
local NO_STRINGS <const> = all_but "string"
local NO_BOOLEANS <const> = all_but "boolean"
local NO_OBJECTS <const> = all_but()

-- The values that the names in the rows stand for: two managers and their contents.
local function world()
  local pools <const>, others <const> = kit.new { misuse = "error" }, kit.new()
  local Cube <const> = spawnpool.class("Cube", { grow = 1, animation = "run", fields = {
    hp = 1, speed = 1.5, armed = false, name = "crate", target = spawnpool.ref, bag = spawnpool.any(),
  } })
  local Ball <const> = spawnpool.class("Ball", { methods = { hit = print } })
  function Ball:alloc() error "called" end
  spawnpool.class "Gone"
  local o <const>, inner <const>, dead <const> = pools:alloc "Cube", pools:alloc "Cube", pools:alloc "Cube"
  inner.parent = o
  local it <const> = {
    pools = pools, others = others, pool = pools:pool "Cube",
    empty = kit.new():pool "Cube", balls = pools:pool "Ball", gone = pools:pool "Gone",
    spawnpool = spawnpool, Cube = Cube, Ball = Ball, o = o, inner = inner, dead = dead, far = others:alloc "Cube",
    timer = pools:after(1, print), snapshot = pools:snapshot(), save = others:save(), after = dead.after,
    launch = dead.launch, run = dead.run, next_field = pairs(o), f = print, stdout = io.stdout,
    null = spec.light(0), hits = debug.getmetatable(pools:pool("Cube"):within(0, 0, 9)).__call,
  }
  it.next_of_pool, it.walk_of_pool = it.pool:each()
  it.next_of_pools, it.walk_of_pools = pools:each()
  dead:recycle()
  pools:remove "Gone"
  return it
end

-- `is_undone`: a call has changed the state, and given back what it took.
local function test(name, rows, is_undone)
  spec.test("wrong calls: " .. name, function()
    local it <const> = world()
    local hash <const>, stats <const> = it.pools:hash(), it.pools:stats()
    kit.refuses(it, rows)
    local after <const> = it.pools:stats()
    spec.equal({ after.live, after.total, after.allocs }, { stats.live, stats.total, stats.allocs })
    spec.equal(it.pools:hash() == hash, not is_undone)
    kit.check(it.pools, "Cube", "Ball")
  end, 2)
end

-- Rows of the template for each of `names`: NAME stands for the name.
local function for_each(names, code, want, values)
  local rows <const> = {}
  for name in names:gmatch "%S+" do
    rows[#rows + 1] = { (code:gsub("NAME", name)), (want:gsub("NAME", name)), values }
  end
  return rows
end

spec.test("wrong calls: are named with their line in coroutines, and seen through metamethods", function()
  local it <const> = world()
  local co <const> = coroutine.create(function() it.pools:alloc(12) end)
  local ok <const>, message <const> = coroutine.resume(co)
  local line <const> = debug.getinfo(1, "l").currentline - 2
  spec.equal({ ok, message:match ":(%d+):" }, { false, tostring(line) })
  local proxy <const> = setmetatable({}, { __index = function(_, type) return it.pools:pool(type).live end })
  spec.equal(proxy.Cube, 2)
  spec.expect_error("spec_arguments.lua:%d+: bad argument #1 to 'pool'", function() return proxy[12] end)
end)

spec.test("arguments at the edges, and in excess, do no harm", function()
  local it <const> = world()
  local pools <const>, pool <const>, o <const> = it.pools, it.pool, it.o
  spec.equal({ pools:alloc("Cube", nil).lifetime, pools:alloc("Cube", 1e11).lifetime }, { 0.0, 1e11 })
  spec.equal(pools:alloc("Cube", 0, 3e38, -3e38, 1e-45).alive, true)
  spec.equal({ pools:alloc("Cube", -1, { x = 1 }) }, { nil, "prewarmed" })
  spec.equal({ pools:alloc("Cube", 0, 1, 2, 3, nil, "x", {}, 4).x, pools:is_live(o, 1, 2) }, { 1.0, true })
  spec.equal({ pools:update(0, 1, "x"), pool:prewarm(0, {}), pools:recycle(o, 1, 2) }, { true, 0, true })
end)

spec.test("a name that is too long has no hint", function()
  local pools <const>, long <const> = kit.new(), ("n"):rep(130)
  spawnpool.class("Long", { fields = { [long] = 1 } })
  local ok <const>, message <const> = pcall(function() return pools:alloc("Long")[long .. "n"] end)
  spec.equal({ ok, message:find("has no field 'nnn", 1, true) ~= nil, message:find "did you mean" }, { false, true })
end)

spec.test("metatables are protected, by names", function()
  local it <const> = world()
  for name, want in pairs { pools = "pools", pool = "pool", o = "object", timer = "timer", Cube = "class" } do
    spec.equal(getmetatable(it[name]), "spawnpool." .. want)
  end
  spec.expect_error("protected metatable", setmetatable, it.Cube, {})
  spec.equal(tostring(it.timer):match "^timer: " ~= nil, true)
end)

-- {== The object that a method is called on ==================================

-- Each method of what `name` stands for, called on what is something else: on values, and on the variables `wrong`.
local function on_self(name, methods, expected, wrong)
  local rows <const> = {}
  for method in pairs(methods) do
    local call <const> = ("%s.%s"):format(name, method)
    local message <const> = ("bad argument #1 to '%s' (%s, got "):format(method, expected)
    join(rows, { { call .. "(V, 'Cube')", message, { true, 12, "Cube", {}, print, io.stdout } },
      { call .. "()", message .. "no value" },
      { ("({ NAME = %s }):NAME()"):gsub("NAME", method):format(call), "on bad self (" .. expected .. ", got " } })
    for _, variable in ipairs(wrong) do rows[#rows + 1] = { ("%s(%s, 'Cube')"):format(call, variable), message } end
  end
  return rows
end

local function methods_of(name) return debug.getmetatable(world()[name]).__index end

test("methods of managers", on_self("pools", methods_of "pools",
  "pools (call methods with a colon: pools:alloc(...)) expected", { "pool", "o", "null" }))

test("methods of pools", on_self("pool", methods_of "pool",
  "pool (call methods with a colon: pool:alloc(...)) expected", { "pools", "o", "null" }))

test("methods of others", join(
  on_self("o", { recycle = true, after = true, every = true, run = true, launch = true }, "object expected",
    { "pools", "pool" }),
  on_self("timer", { stop = true }, "timer (call its method with a colon: timer:stop()) expected", { "pools", "o" }),
  on_self("Cube.super", { alloc = true, recycle = true },
    "pool (call methods with a colon: pool:alloc(...)) expected", { "pools", "o" })))

-- }==

-- {== Managers ===============================================================

test("types", join(
  for_each("alloc pool remove stats", "pools:NAME(V)", "bad argument #1 to 'NAME' (string expected, got ", NO_STRINGS),
  for_each("alloc pool remove", "pools:NAME(nil)", "bad argument #1 to 'NAME' (string expected, got nil)$"),
  for_each("alloc pool remove stats", "pools:NAME(V)", "bad argument #1 to 'NAME' (a type is a name of 1 to 200 char",
    { "", ("n"):rep(201) }),
  for_each("alloc pool remove stats", "pools:NAME 'Cube\\0'", "bad argument #1 to 'NAME' (a type has no zero bytes")))

local LIFETIME <const> = " (lifetime must be a finite number of seconds (at most 1e11), got "
local NO_TIMES <const> = join({ 1.1e11, -1.1e11, math.maxinteger }, NO_NUMBERS)

test("lifetimes and places", {
  { "pools:alloc('Cube', V)", "bad argument #2 to 'alloc'" .. LIFETIME, NO_TIMES },
  { "pools:alloc('Ball', V)", "bad argument #2 to 'alloc'" .. LIFETIME, NO_TIMES },
  { "pool:alloc(V)", "bad argument #1 to 'alloc'" .. LIFETIME, NO_TIMES },
  { "Cube.super.alloc(pool, V)", LIFETIME, NO_TIMES },
  { "pools:alloc('Cube', 0, V)", "bad argument #3 to 'alloc' (x must be a finite number, got ",
    join({ NAN, HUGE, -HUGE, "1" }, all_but("number", "table")) },
  { "pools:alloc('Cube', 0, 1, V)", "bad argument #4 to 'alloc' (y must be a finite number, got ", NO_NUMBERS },
  { "pools:alloc('Cube', 0, 1, 1, V)", "bad argument #5 to 'alloc' (angle must be a finite number, got ", NO_NUMBERS },
  { "pool:alloc(0, 'x')", "bad argument #2 to 'alloc' (x must be a finite number, got 'x'" },
  { "pool:alloc(0, 1, V)", "bad argument #3 to 'alloc' (y must be a finite number, got ", NO_NUMBERS },
  { "pool:alloc(0, 1, 1, V)", "bad argument #4 to 'alloc' (angle must be a finite number, got ", NO_NUMBERS },
  { "pools:alloc('Cube', 0, 1e39)", "bad argument #3 to 'alloc' (x is too large" },
  { "pools:alloc('Cube', 0, 1, 1e39)", "bad argument #4 to 'alloc' (y is too large" },
  { "pools:alloc('Cube', 0, 1, 1, 1e39)", "bad argument #5 to 'alloc' (angle is too large" },
  { "pools:alloc('Cube', 0, 1, 2, 3, V)", "bad argument #6 to 'alloc' (object expected, got ", NO_OBJECTS },
  { "pools:alloc('Cube', 0, 1, 2, 3, dead)", "parent is no live object" },
  { "pools:alloc('Cube', 0, { hpp = 1 })", "bad argument #3 to 'alloc' (Cube has no field 'hpp' (did you mean 'hp'?)" },
  { "pools:alloc('Cube', 0, { hp = 'x' })", "#3 to 'alloc' (field 'hp' must be a number, got 'x'" },
  { "pools:alloc('Cube', 0, { x = V })", "#3 to 'alloc' (field 'x' must be a finite number, got ", { NAN, HUGE } },
  { "pools:alloc('Cube', 0, { layer = 1.5 })", "#3 to 'alloc' (field 'layer' must be an integer" },
  { "pools:alloc('Cube', 0, { id = 3 })", "#3 to 'alloc' (field 'id' is read only" },
  { "pools:alloc('Cube', 0, { 1 })", "#3 to 'alloc' (field names are strings, got number" },
  { "pools:alloc('Cube', 0, { parent = V })", "#3 to 'alloc' (field 'parent' must be an object or nil", NO_OBJECTS },
  { "pools:alloc('Cube', 0, { parent = dead, x = 5 })", "#3 to 'alloc' (field 'parent' must be a live object" },
  { "pools:alloc('Cube', null)", "lifetime must be a finite number" },
  { "pools:alloc('Cube', 0, null)", "x must be a finite number" },
}, true)

test("objects", {
  { "pools:recycle(V)", "bad argument #1 to 'recycle' (object expected, got ", NO_OBJECTS },
  { "pools:recycle(pool)", "bad argument #1 to 'recycle' (object expected, got spawnpool.pool)$" },
  { "pools:recycle(nil)", "bad argument #1 to 'recycle' (object expected, got nil)$" },
  { "pools:recycle()", "bad argument #1 to 'recycle' (object expected, got no value)$" },
  { "pool:recycle(V)", "bad argument #1 to 'recycle' (object expected, got ", NO_OBJECTS },
  { "Cube.super.recycle(pool, V)", "bad argument #2 to 'recycle' (object expected, got ", NO_OBJECTS },
  { "Cube.super.recycle(pool)", "bad argument #2 to 'recycle' (object expected, got no value" },
  { "pools:recycle(far)", "recycle of Cube#1 refused: foreign" }, { "pool:recycle(far)", "Cube#1 refused: foreign" },
  { "pools:recycle(dead)", "recycle of Cube#3 refused: stale" },
  { "pool:recycle(dead)", "recycle of Cube#3 refused: stale" },
  { "dead:recycle()", "recycle of Cube#3 refused: stale" },
})

test("the clock", {
  { "pools:update(V)", "bad argument #1 to 'update' (dt must be a finite number, got ", NO_NUMBERS },
  { "pools:update()", "bad argument #1 to 'update' (dt must be a finite number, got no value)$" },
  { "pools:update(null)", "bad argument #1 to 'update'" },
  { "pools:update(-1)", "bad argument #1 to 'update' (dt must not be negative" },
  { "pools:update(1e300)", "bad argument #1 to 'update' (dt is too long" },
  { "pools.time_scale = V", "time_scale must be", join({ -1, 1e7 }, NO_NUMBERS) },
  { "pools.paused = V", "paused must be true or false", NO_BOOLEANS },
  { "pools.paused = nil", "paused must be true or false" },
})

test("fields that managers and pools do not have", {
  { "pools[V] = 1", "pools have no writable field '", { "time", "alloc", "nothing", 1, true } },
  { "pools.pased = 1", "pools have no writable field 'pased' (time_scale and paused can be set)" },
  { "pools[V]", "pools have no field '", { "nothing", "live", 1, true } },
  { "pools.tiem", "no field 'tiem' (did you mean 'time'?)" },
  { "pools:recylce()", "no field 'recylce' (did you mean 'recycle'?)" },
  { "pool[V] = 1", "pool 'Cube' has no writable field '",
    { "live", "idle", "total", "peak", "type", "class", "alloc", 1, true } },
  { "pool.limt = 1", "pool 'Cube' has no writable field 'limt' (limit, idle_limit, grow and overflow can be set)" },
})

local COUNTS <const> = join(all_but "number", { -1, 1.5, NAN, -HUGE, (1 << 24) + 1, math.maxinteger, "1" })

test("settings of a pool", {
  { "pool.limit = V", "limit must be an integer from 0 to 16777216, got ", COUNTS },
  { "pool.limit = V", "got nan$", { NAN, -NAN } },
  { "pool.idle_limit = V", "idle_limit must be an integer from 0 to 16777216, got ", COUNTS },
  { "pool.grow = V", "grow must be an integer from 1 to 16777216, got ", join({ 0, HUGE }, COUNTS) },
  { "pool.grow = nil", "grow must be an integer" },
  { "pool.overflow = V", "overflow is 'refuse', 'oldest', 'grow', 'error' or a", { "oldst", "", 1, true, {} } },
  { "pool.overflow = nil", "overflow is 'refuse'" },
})

test("prewarm", {
  { "pool:prewarm(V)", "count must be an integer from 0 to 16777216", COUNTS },
  { "pool:prewarm()", "count must be" },
  { "pool:prewarm(5, 5)", "table expected" },
  { "pool:prewarm(5, { per_fraem = 1 })", "prewarm has no option 'per_fraem' (per_frame, delay)" },
  { "pool:prewarm(5, { per_frame = V })", "per_frame must be", { -1, NAN, "x", 1.5 } },
  { "pool:prewarm(5, { delay = V })", "delay must be", { -1, HUGE, {} } },
  { "gone:prewarm(5)", "the pool was removed, or its manager closed" },
})

-- }==

-- {== Objects ================================================================

-- An assignment to a field, and what it says instead of "got".
local function field_rows(name, want, values)
  local code <const>, text <const> = "o." .. name .. " = ", ("field '%s' of Cube#1 %s, got "):format(name, want)
  return { { code .. "V", text, values }, { code .. "nil", text .. "nil" } }
end

test("values of fields", join(
  field_rows("x", "must be a number", { "1", true, {}, print }),
  field_rows("radius", "must be a number", { "1", false }),
  field_rows("scale_x", "must be a number", { "wide" }),
  { { "o.x = V", "field 'x' of Cube#1 must be a finite number, got ", { NAN, HUGE, -HUGE, 1e39, 1e300 } },
    { "o.radius = V", "field 'radius' of Cube#1 must be a finite number, got ", { NAN, 1e300 } },
    { "o.scale_x = V", "field 'scale_x' of Cube#1 must be a finite number, got inf", { HUGE } } },
  field_rows("layer", "must be an integer from -32768 to 32767",
    { 1.5, 32768, -32769, math.maxinteger, "1", NAN, true }),
  field_rows("sprite", "must be the name of a sprite", { 3, true, {} }),
  field_rows("visible", "must be true or false", { 0, 1, "true", {} }),
  field_rows("pinned", "must be true or false", { 0, "yes" }),
  field_rows("armed", "must be true or false", { 1, "true", {} }),
  field_rows("hp", "must be a number", { "12", true, {} }),
  field_rows("speed", "must be a number", { "fast", false, {} }),
  { { "o.hp = V", "number", { 1 << 53, math.mininteger } },
    { "o.remaining = V", "field 'remaining' of Cube#1 must be", { -1, NAN, -HUGE, "1", {}, 1e12 } },
    { "o.remaining = nil", "field 'remaining' of Cube#1 must be" },
    { "o.target = V", "field 'target' of Cube#1 must be an object or nil", NO_OBJECTS },
    { "o.parent = V", "field 'parent' of Cube#1 must be an object or nil", NO_OBJECTS } },
  for_each("o inner", "o.parent = NAME",
    "field 'parent' of Cube#1 must not be the object itself or something inside it"),
  for_each("far dead", "o.parent = NAME", "field 'parent' of Cube#1 must be a live object of the same manager")))

test("names of fields", join(
  for_each("type pool id age lifetime alive recycle", "o.NAME = 1", "field 'NAME' of Cube#1 is read only"),
  { { "o.lifetme", "Cube has no field 'lifetme' (did you mean 'lifetime'?)$" },
    { "o.lifetme = 1", "Cube has no field 'lifetme' (did you mean 'lifetime'?)$" },
    { "o.radus", "(did you mean 'radius'?)$" }, { "o.nmae", "(did you mean 'name'?)$" },
    { "o.speeed", "(did you mean 'speed'?)$" }, { "o.recyle", "(did you mean 'recycle'?)$" },
    { "o.wobble", "Cube has no field 'wobble'$" }, { "o[1]", "Cube has no field '1'" },
    { "o[true] = 1", "Cube has no field 'true'" }, { "o['x\\0y']", "Cube has no field 'x\0y'" },
    { "o[V]", "Cube has no field '" .. ("n"):rep(100), { ("n"):rep(100), ("n"):rep(200) } },
    { "next_field(o, V)", "the last field of the walk expected", { "nothing", "type", "recycle", 7, {} } },
    { "next_field(o, o)", "the last field of the walk expected" },
    { "next_field(V)", "object expected", NO_OBJECTS },
    { "o()", "attempt to call" }, { "o + 1", "attempt to perform arithmetic" }, { "#o", "attempt to get length" },
    { "o .. ''", "attempt to concatenate" }, { "o < o", "attempt to compare" } }))

test("launch", {
  { "o:launch(V, 1)", "angle must be a finite number, got ", NO_NUMBERS },
  { "o:launch(0, V)", "speed must be a finite number, got ", NO_NUMBERS },
  { "o:launch(1e300, 1)", "angle is too large" }, { "o:launch(0, 1e300)", "speed is too large" },
  { "dead:launch(0, 1)", "Cube#3 is stale" }, { "launch(dead, 0, 1)", "Cube#3 is stale" },
})

-- }==

-- {== Timers =================================================================

test("timers", join(
  for_each("o pools", "NAME:after(V, f)", "#1 to 'after' (after must be a finite number, got ", NO_NUMBERS),
  for_each("o pools", "NAME:every(V, f)", "#1 to 'every' (every must be a finite number, got ", NO_NUMBERS),
  for_each("o pools", "NAME:after(V, f)", "bad argument #1 to 'after' (must be seconds from 0 up", { -1, 1e12 }),
  for_each("o pools", "NAME:every(V, f)", "bad argument #1 to 'every' (must be seconds above 0", { -1, 0, 1e12 }),
  for_each("o pools", "NAME:after(nil, f)", "after must be a finite number, got nil"),
  for_each("o pools", "NAME:after(1)", "function expected"),
  for_each("o pools", "NAME:every(1, 5)", "function expected"),
  for_each("o pools", "NAME:run(V)", "function expected", { 1, {}, true }),
  for_each("o pools", "NAME:run()", "function expected"),
  { { "o:after(1, 'hit')", "Cube#1 has no method 'hit'" },
    { "o:after(1, 5)", "method name or function expected, got number" },
    { "after(dead, 1, f)", "Cube#3 (stale) is not live" }, { "run(dead, f)", "Cube#3 (stale) is not live" },
    { "dead:after(1, f)", "Cube#3 is stale" },
    { "timer.stopp", "a timer has no field 'stopp': it has the method stop" } }))

-- }==

-- {== Walks and queries ======================================================

local FILTER <const> = "a filter is {type=}, {class=}, {group=} or function(obj), got "

-- Rows for each call that takes a filter.
local function filter_rows(got, values)
  return for_each("each recycle_all clear take", "pools:NAME(V)", FILTER .. got, values)
end

test("filters", join(filter_rows("number", { 12 }), filter_rows("boolean", { true }),
  filter_rows("an empty table", { {} }), filter_rows("a table with 'tipe'", { { tipe = "Cube" } }),
  filter_rows("a table with '1'", { { "Cube" } }), filter_rows("type = number", { { type = 3 } }),
  filter_rows("class = number", { { class = 1 } }), filter_rows("class = table", { { class = {} } }),
  filter_rows("group = table", { { group = {} } }), filter_rows("userdata", { io.stdout }),
  { { "pools:each(null)", FILTER }, { "pools:clear(f)", "clear takes pools, not single objects" },
    { "pool:take { type = 'Cube' }", "function" }, { "pool:take(1)", "function" } }))

-- Rows for the iterators, of a pool and of a manager, called by hand.
local function walk_rows(code, want, values)
  return for_each("pool pools", code, want, values)
end

test("walks", join(
  walk_rows("next_of_NAME(walk_of_NAME, V)", "(the last object of the walk expected)", { "Cube", 12, true, {} }),
  walk_rows("next_of_NAME(walk_of_NAME, far)", "bad argument #2"),
  walk_rows("next_of_NAME(walk_of_NAME, null)", "bad argument #2"),
  walk_rows("next_of_NAME('x', nil)", "bad argument #1"),
  walk_rows("next_of_NAME()", "bad argument #1")))

local function set_rows(live)
  local rows <const> = {}
  for _, row in ipairs {
    { "'sped', 1", "Cube has no field 'sped' (did you mean 'speed'?)" }, { "nil, 1", "Cube has no field" },
    { "'x', 'five'", "field 'x' of Cube must be a number, got 'five'" },
    { "'x', 1e39", "field 'x' of Cube must be a finite number" },
    { "'speed', true", "field 'speed' of Cube must be a number" },
    { "'armed', 1", "field 'armed' of Cube must be true or false" },
    { "'target', 1", "field 'target' of Cube must be an object" },
    { "'age', 1", "field 'age' of Cube is read only" }, { "'type', 'x'", "field 'type' of Cube is read only" },
    { "'layer', 1 << 20", "field 'layer' of Cube must be an integer" },
    { "'sprite', 5", "field 'sprite' of Cube must be" }, { "'remaining', -1", "field 'remaining' of Cube must be" },
    { "'animation', 5", "field 'animation' of Cube must be the name of an animation" },
    { "'frame', 'first'", "field 'frame' of Cube must be" }, { "'frame', 0", "field 'frame' of Cube must be a frame" },
    { "'speed', 1 << 60", "field 'speed' of Cube is an integer beyond 2^53" }, { "'x'", "value expected" },
  } do rows[#rows + 1] = { live .. ":set(" .. row[1] .. ")", row[2] } end
  return rows
end

test("set and add", join(set_rows "pool", set_rows "empty", {
  { "pool:set('parent', o)", "field 'parent' of Cube must not be the object itself" },
  { "balls:set('wobble', 1)", "Ball has no field 'wobble'" },
  { "balls:set('x', 'five')", "field 'x' of Ball must be a number, got 'five'" },
  { "balls:set 'x'", "value expected" },
  { "pool:add('x', V)", "amount must be a finite number", NO_NUMBERS },
  { "pool:add 'x'", "amount must be a finite number" }, { "pool:add('x', 1e300)", "the amount is too large" },
  { "pool:add('rdius', 1)", "no field 'rdius' (did you mean 'radius'?)" },
}, for_each("armed name bag target layer sprite visible age remaining type", "pool:add('NAME', 1)",
  "field 'NAME' of Cube holds no number that can be added to")))

test("queries", {
  { "pool:overlaps(V, f)", "'overlaps' (pool expected, got ", { "Cube", 5, {} } },
  { "pool:overlaps(nil, f)", "pool" }, { "pool:overlaps()", "'overlaps' (pool expected, got no value)$" },
  { "pool:overlaps(pools, f)", "'overlaps' (pool expected, got spawnpool.pools)$" },
  { "pool:overlaps(pool)", "function expected" },
  { "pool:overlaps(others:pool 'Cube', f)", "the pools belong to different managers" },
  { "pool:overlaps(gone, f)", "the pool was removed" }, { "gone:overlaps(pool, f)", "the pool was removed" },
  { "pool:separate 'Cube'", "pool" }, { "pool:separate(others:pool 'Cube')", "the pools belong to different managers" },
  { "pool:within(V, 0, 1)", "x must be a finite number", NO_NUMBERS },
  { "pool:within(0, V, 1)", "y must be a finite number", NO_NUMBERS },
  { "pool:within(0, nil, 1)", "y must be a finite number" },
  { "pool:within(0, 0)", "'within' (radius must be a finite number, got no value)$" },
  { "pool:within(0, 0, -1)", "radius must not be negative" }, { "pool:within(0, 0, 1e39)", "too large" },
  { "pool:within(0, 0, 1, 5)", "function expected" }, { "hits(5)", "list of objects expected, got number" },
  { "pool:nearest(V, 0)", "x must be a finite number, got ", NO_NUMBERS },
  { "pool:nearest(V, 0)", "x must be a finite number, got nan", { NAN, -NAN } },
  { "pool:nearest(0)", "y must be a finite number" },
  { "pool:nearest(0, 0, V)", "within must be a distance from 0 up", { -1, NAN, "5", {} } },
})

-- }==

-- {== Light userdata of other libraries ======================================

local function lights(...)
  local values <const> = {}
  for i, address in ipairs { ... } do values[i] = spec.light(address) end
  return values
end

local FOREIGN <const> = lights(0, 1, 64, 0x7ffc12345678, 0x55d0c0ffee00, -1, math.mininteger, 0xffffffff)

test("light userdata as an object", join(
  for_each("V.x V[1] V.pool V.recycle V:recycle()", "NAME", "this light userdata is no spawnpool object", FOREIGN),
  for_each("V.x V.alive", "NAME = 1", "this light userdata is no spawnpool object", FOREIGN),
  for_each("pools pool", "NAME:recycle(V)", "recycle of object refused: foreign", FOREIGN),
  walk_rows("next_of_NAME(walk_of_NAME, V)", "bad argument #2", lights(0, 0x7ffc12345678, -1, 0x01ffffff, 0x100ffffff)),
  { { "Cube.super.recycle(pool, V)", "recycle of object refused: foreign", FOREIGN } }))

kit.test("a light userdata of another library is not alive, and prints as such", function(pools)
  for _, foreign in ipairs(FOREIGN) do
    spec.equal({ foreign.alive, pools:is_live(foreign) }, { false, false })
    spec.equal(tostring(foreign):match "^light userdata: " ~= nil, true)
  end
end)

-- }==

-- {== The module, saves and reports ==========================================

test("options of new", {
  { "spawnpool.new(V)", "bad argument #1 to 'new' (table expected", { 1, "x", true, print } },
  { "spawnpool.new { misues = 'warn' }", "unknown option 'misues' (did you mean 'misuse'?)" },
  { "spawnpool.new { stop = 1 }", "unknown option 'stop' (did you mean 'step'?)" },
  { "spawnpool.new { 'warn' }", "unknown option '1'" }, { "spawnpool.new { wobble = 1 }", "unknown option 'wobble'$" },
  { "spawnpool.new { unknown = V }", "option 'unknown' must be one of 'error', 'generic', got",
    { "erorr", "", 1, true, {} } },
  { "spawnpool.new { misuse = V }", "option 'misuse' must be one of 'error', 'ignore', 'warn', got",
    { "erorr", "", 1, true, {} } },
  { "spawnpool.new { path = V }", "option 'path' must be a file name with a '?'", { "pools", "", 1, true, {} } },
  { "spawnpool.new { step = V }", "option 'step' must be", { 0, -1, 1e-7, 1001, NAN, HUGE, "1", true } },
  { "spawnpool.new { seed = V }", "option 'seed' must be a finite number", NO_NUMBERS },
  { "spawnpool.new { trace = 'yes' }", "option 'trace' must be a boolean, got 'yes'" },
  { "spawnpool.fresh(5)", "fresh needs a function, got 5" },
})

test("saves and snapshots", {
  { "pools:save { root = {} }", "save has no option 'root'" }, { "pools:save(5)", "table expected" },
  { "spawnpool.load(5)", "string expected, got number" }, { "spawnpool.load(save, 5)", "table expected, got number" },
  { "spawnpool.load(save, { stepp = 1 })", "unknown option" },
  { "pools:restore(5)", "snapshot expected, got number" }, { "pools:restore()", "snapshot expected, got no value" },
  { "pools:snapshot {}", "snapshot expected, got table" },
  { "snapshot.size", "a snapshot has no field 'size'" }, { "snapshot.dropped = 1", "a snapshot cannot be changed" },
})

test("configure and leaks", {
  { "pools:configure { headrom = 1 }", "configure has no option 'headrom' (headroom)" },
  { "pools:configure { headroom = V }", "headroom must be a number from 1 to 1000", { 0.5, NAN, "2", 1e9 } },
  { "pools:configure(5)", "table expected" },
  { "pools:leaks { older = 1 }", "leaks has no option 'older' (older_than)" },
  { "pools:leaks { older_than = V }", "older_than must be a number of seconds", { "1", NAN, {}, true } },
  { "pools:leaks(5)", "table expected" },
})

-- }==
