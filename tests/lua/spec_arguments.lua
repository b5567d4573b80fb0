-- Wrong calls, each with the error that it raises at the caller's line. None of them changes anything.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

local NAN <const>, HUGE <const> = 0 / 0, math.huge

-- Values of every type but the ones named, and of the types of userdata that the library has.
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
    pools = pools, others = others, empty = kit.new():pool "Cube", pool = pools:pool "Cube",
    gone = pools:pool "Gone", object = o,
    spawnpool = spawnpool, Cube = Cube, super = Cube.super, o = o, inner = inner, dead = dead,
    far = others:alloc "Cube", timer = pools:after(1, print), snapshot = pools:snapshot(), save = others:save(),
    after = dead.after, launch = dead.launch, run = dead.run, next_field = pairs(o), f = print,
    null = spec.light(0),
    named = setmetatable({}, { __name = "Named", __tostring = error }),
    hits = debug.getmetatable(pools:pool("Cube"):within(0, 0, 9)).__call,
  }
  it.next_of_pool, it.walk_of_pool = it.pool:each()
  it.next_of_pools, it.walk_of_pools = pools:each()
  it.alone = { pool = it.next_of_pool, pools = it.next_of_pools }
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

spec.test("metatables are protected, by names", function()
  local it <const> = world()
  for name, want in pairs { pools = "pools", pool = "pool", o = "object", timer = "timer", Cube = "class" } do
    spec.equal(getmetatable(it[name]), "spawnpool." .. want)
  end
  spec.expect_error("protected metatable", setmetatable, it.Cube, {})
  spec.equal(tostring(it.timer):match "^timer: " ~= nil, true)
end)

-- {== Each argument of each method ===========================================

-- By the letters of the rows of what a game can reach: a right argument, the words for a wrong one, and wrong ones.
local KINDS <const> = {
  m = { "pools", "pools (call methods with a colon: pools:alloc(...)) expected", { "pool", "o", "null" } },
  p = { "pool", "pool", { "pools", "o", "null" } },
  o = { "o", "object expected, got ", { "pools", "pool" } },
  S = { "snapshot", "snapshot expected, got ", { "pools", "pool" } },
  t = { "'Cube'", "string expected, got ", { "o" } }, k = { "'x'" }, s = { "save", "string expected, got ", { "o" } },
  n = { "1", "must be a finite number", { "null", "o" }, number = true }, i = { "1", " must be" },
  f = { "f", "function expected", { "o" } }, T = { "{}", "table expected", { "o" } },
}
local SELF <const> = { timer = { "timer", "timer (call its method with a colon: timer:stop()) expected", { "pools" } } }
local ALLOWED <const> = { n = { "number" }, i = { "number" }, t = { "string" }, s = { "string" }, T = { "table" },
  f = { "function", "string" } } -- objects take the name of a method, too

-- The functions of src/script/bind/members.h: owner, name, kinds of its arguments and right ones.
local METHODS <const> = {}
local MEMBERS <const> = io.open("src/script/bind/members.h"):read "a"
local OWNERS <const> = { pools = true, pool = true, object = true, timer = true, super = true, spawnpool = true }
for owner, name, takes in MEMBERS:gmatch 'X%((%l+), (%l[%w_]*), [^"]-"(.-)"' do
  local method <const> = { owner = owner, name = name, kinds = {}, rights = {} }
  for letter, optional in takes:gmatch "(%S)(%??)" do
    local kind <const> = #method.kinds == 0 and SELF[owner] or KINDS[letter]
    table.insert(method.kinds, { of = kind, letter = letter, optional = optional ~= "" })
    table.insert(method.rights, kind and kind[1] or "nil")
  end
  METHODS[#METHODS + 1] = OWNERS[owner] and method or nil
end

local function call_of(method, arguments)
  return ("%s.%s(%s)"):format(method.owner, method.name, table.concat(arguments, ", "))
end

local TIMES <const> = { alloc = true, after = true, every = true }

-- Rows for the functions whose names `is_wanted`: each argument is a wrong one in turn.
local function generated(is_wanted)
  local rows <const> = {}
  for _, method in ipairs(METHODS) do
    for i, it in ipairs(is_wanted(method.name) and method.kinds or {}) do
      local given <const> = table.move(method.rights, 1, #method.rights, 1, {})
      local words <const> = it.of and it.of[2]
      local function row(value, values)
        given[i] = value
        local code <const> = call_of(method, given)
        rows[#rows + 1] = { code, ("bad argument #%d to '%s' ("):format(i, method.name), values }
        rows[#rows + 1] = { code, words, values }
      end
      if words then
        local values <const> = all_but(table.unpack(ALLOWED[it.letter] or {}))
        local endless <const> = TIMES[method.name] and NAN or HUGE -- a time may be that
        row("V", it.letter == "n" and join({ "1", NAN, -HUGE, endless }, values) or values)
        for _, variable in ipairs(it.of[3] or {}) do row(variable) end
        if not it.optional then row "nil" end
      end
    end
  end
  return rows
end

-- These take anything, or say more than the kind of an argument.
local OTHERS <const> = { is_live = true, separate = true, new = true, class = true, tiles = true, fresh = true,
  restore = true }

test("each argument of each method", generated(function(name) return not OTHERS[name] and name ~= "alloc" end))

test("each argument of alloc", generated(function(name) return name == "alloc" end))

spec.test("each method refuses cleanly after close, and after the removal of its pool", function()
  local it <const> = world()
  local CLOSED <const>, GONE <const> = "manager is closed", "the pool was removed, or its manager closed"
  local KEYS <const> = { "live", "idle", "total", "peak", "type", "class", "limit", "overflow", "nothing" }
  local removed <const> = it.others:pool "Cube"
  spec.equal({ { it.pools:close() }, { it.others:remove "Cube" } }, { { 2, 3 }, { 1, 1 } })
  for _, pool in ipairs { it.pool, removed } do
    it.pool = pool
    for _, method in ipairs(METHODS) do
      local code <const> = method.owner ~= "spawnpool" and call_of(method, method.rights) or "false"
      local done <const>, first <const>, second <const> = pcall(load("return " .. code, "=row", "t", it))
      local said <const> = done and "" or first
      local refuses <const> = said:find(CLOSED, 1, true) or said:find(GONE, 1, true) or second == "closed"
      spec.equal(refuses and true or first == false or first == 0, true, ("%s: %s %s"):format(code, first, second))
    end
    kit.refuses(it, { { "pool[V]", GONE, KEYS }, { "pool[V] = 1", GONE, KEYS } })
  end
  kit.refuses(it, { { "pools.time", CLOSED }, { "pools.nothing", CLOSED }, { "pools.paused = true", CLOSED } })
  spec.equal({ tostring(it.pools), tostring(it.pool) }, { "pools (closed)", "pool (removed)" })
end)

test("methods without a colon", join(
  for_each("alloc update close", "({ NAME = pools.NAME }):NAME()", "on bad self (pools (call methods with a colon"),
  for_each("alloc each set", "({ NAME = pool.NAME }):NAME()", "on bad self (pool (call methods with a colon"),
  for_each("recycle tween", "({ NAME = o.NAME }):NAME()", "on bad self (object expected, got ")))

-- }==

-- {== Managers ===============================================================

test("types", join(
  for_each("alloc pool remove stats", "pools:NAME(V)", "bad argument #1 to 'NAME' (a type is a name of 1 to 200 char",
    { "", ("n"):rep(201) }), { { "pools:pool 'Cube\\0'", "bad argument #1 to 'pool' (a type has no zero bytes" } }))

local LIFETIME <const> = " (lifetime must be a finite number of seconds (at most 1e11), got "

test("lifetimes and places", {
  { "pools:alloc('Cube', V)", "#2 to 'alloc'" .. LIFETIME, { 1.1e11, -1.1e11, math.maxinteger, "x" } },
  { "pools:alloc('Ball', 'x')", "#2 to 'alloc'" .. LIFETIME }, { "pool:alloc(2e11)", "#1 to 'alloc'" .. LIFETIME },
  { "pools:alloc('Cube', 0, V)", "bad argument #3 to 'alloc' (x must be a finite number, got ",
    join({ NAN, HUGE, -HUGE, "1" }, all_but("number", "table")) },
  { "pools:alloc('Cube', 0, 1, V)", "bad argument #4 to 'alloc' (y must be a finite number, got ", NO_NUMBERS },
  { "pools:alloc('Cube', 0, 1, 1, V)", "bad argument #5 to 'alloc' (angle must be a finite number, got ", NO_NUMBERS },
  { "pool:alloc(0, 1, 1, 'x')", "#4 to 'alloc' (angle must be" }, { "pool:alloc(0, 1e39)", "x is too large" },
  { "pools:alloc('Cube', 0, 1, 2, 3, V)", "bad argument #6 to 'alloc' (object expected, got ", NO_OBJECTS },
  { "pools:alloc('Cube', 0, 1, 2, 3, dead)", "parent is no live object" },
  { "pools:alloc('Cube', 0, { hpp = 1 })", "bad argument #3 to 'alloc' (Cube has no field 'hpp' (did you mean 'hp'?)" },
  { "pools:alloc('Cube', 0, { hp = 'x' })", "#3 to 'alloc' (field 'hp' must be a number, got 'x'" },
  { "pools:alloc('Cube', 0, { id = 3 })", "#3 to 'alloc' (field 'id' is read only" },
  { "pools:alloc('Cube', 0, { 1 })", "#3 to 'alloc' (field names are strings, got number" },
  { "pools:alloc('Cube', 0, { parent = dead, x = 5 })", "#3 to 'alloc' (field 'parent' must be a live object" },
}, true)

test("objects", join(for_each("pools pool", "NAME:recycle(far)", "recycle of Cube#1 refused: foreign"),
  for_each("pools:recycle(dead) pool:recycle(dead) dead:recycle()", "NAME", "recycle of Cube#3 refused: stale")))

test("the clock, and fields of managers and pools", {
  { "pools:update(-1)", "bad argument #1 to 'update' (dt must not be negative" },
  { "pools:update(1e300)", "bad argument #1 to 'update' (dt is too long" },
  { "pools.time_scale = V", "time_scale must be", join({ -1, 1e7 }, NO_NUMBERS) },
  { "pools.paused = V", "paused must be true or false", all_but "boolean" },
  { "pools[V] = 1", "pools have no writable field '", { "time", "alloc", "nothing", 1, true } },
  { "pools.pased = 1", "pools have no writable field 'pased' (time_scale and paused can be set)" },
  { "pools[V]", "pools have no field '", { "nothing", "live", 1, true } },
  { "pools.tiem", "no field 'tiem' (did you mean 'time'?)" },
  { "pool[V] = 1", "pool 'Cube' has no writable field '",
    { "live", "idle", "total", "peak", "type", "class", "alloc", 1, true } },
  { "pool.limt = 1", "pool 'Cube' has no writable field 'limt' (limit, idle_limit, grow and overflow can be set)" },
})

local COUNTS <const> = join(all_but "number", { -1, 1.5, NAN, -HUGE, (1 << 24) + 1, math.maxinteger, "1" })

test("settings of a pool, and prewarm", {
  { "pool.limit = V", "limit must be an integer from 0 to 16777216, got ", COUNTS },
  { "pool.idle_limit = V", "idle_limit must be an integer from 0 to 16777216, got ", COUNTS },
  { "pool.grow = V", "grow must be an integer from 1 to 16777216, got ", join({ 0, HUGE }, COUNTS) },
  { "pool.grow = nil", "grow must be an integer" },
  { "pool.overflow = V", "overflow is 'refuse', 'oldest', 'grow', 'error' or a", { "oldst", "", 1, true, {} } },
  { "pool.overflow = nil", "overflow is 'refuse'" },
  { "pool:prewarm(V)", "count must be an integer from 0 to 16777216", COUNTS },
  { "pool:prewarm(5, 5)", "table expected" },
  { "pool:prewarm(5, { per_fraem = 1 })", "prewarm has no option 'per_fraem' (per_frame, delay)" },
  { "pool:prewarm(5, { per_frame = V })", "per_frame must be", { -1, NAN, "x", 1.5 } },
  { "pool:prewarm(5, { delay = V })", "delay must be", { -1, -HUGE, {} } },
  { "gone:prewarm(5)", "the pool was removed, or its manager closed" },
})

-- }==

-- {== Objects ================================================================

-- An assignment to a field, of an object and of a pool.
local function field_rows(name, want, values)
  local text <const> = ("field '%s' of %s %s"):format(name, "%s", want)
  return {
    { ("o.%s = V"):format(name), text:format "Cube#1", values }, { ("o.%s = nil"):format(name), text:format "Cube#1" },
    { ("pool:set('%s', V)"):format(name), text:format "Cube", values },
  }
end

test("values of fields", join(
  field_rows("x", "must be a number", { "1", true, {}, print }), field_rows("scale_x", "must be a number", { "wide" }),
  field_rows("layer", "must be an integer from -32768 to 32767",
    { 1.5, 32768, -32769, math.maxinteger, "1", NAN, true }),
  field_rows("sprite", "must be the name of a sprite", { 3, true, {} }),
  field_rows("visible", "must be true or false", { 0, 1, "true", {} }),
  field_rows("armed", "must be true or false", { 1, "true" }),
  field_rows("hp", "must be a number", { "12", true, {} }), field_rows("speed", "must be a number", { "fast", {} }),
  field_rows("remaining", "must be ", { -1, NAN, -HUGE, "1", {}, 1e12 }), {
    { "o.x = V", "field 'x' of Cube#1 must be a finite number, got ", { NAN, HUGE, -HUGE, 1e39, 1e300 } },
    { "o.radius = 1e39", "field 'radius' of Cube#1 must be a finite" }, { "o.scale_x = 1 / 0", "must be a finite" },
    { "o.x = named", "must be a number, got Named: 0x" }, { "o.hp = V", "number", { 1 << 53, math.mininteger } },
    { "o.target = V", "field 'target' of Cube#1 must be an object or nil", NO_OBJECTS },
    { "o.parent = V", "field 'parent' of Cube#1 must be an object or nil", NO_OBJECTS },
  },
  for_each("o inner", "o.parent = NAME",
    "field 'parent' of Cube#1 must not be the object itself or something inside it"),
  for_each("far dead", "o.parent = NAME", "field 'parent' of Cube#1 must be a live object of the same manager")))

test("names of fields", join(
  for_each("type pool id age lifetime alive recycle", "o.NAME = 1", "field 'NAME' of Cube#1 is read only"),
  { { "o.lifetme", "Cube has no field 'lifetme' (did you mean 'lifetime'?)$" },
    { "o.speeed", "(did you mean 'speed'?)$" }, { "o.recyle", "(did you mean 'recycle'?)$" },
    { "o.wobble", "Cube has no field 'wobble'$" }, { "o[1]", "Cube has no field '1'" },
    { "o[true] = 1", "Cube has no field 'true'" }, { "o['x\\0y']", "Cube has no field 'x\0y'" },
    { "o[V]", "Cube has no field '" .. ("n"):rep(100), { ("n"):rep(100), ("n"):rep(200) } },
    { "next_field(o, V)", "the last field of the walk expected", { "nothing", "type", "recycle", 7, {} } },
    { "next_field(o, o)", "the last field of the walk expected" },
    { "next_field(V)", "object expected", NO_OBJECTS }, { "o()", "attempt to call" } }))

test("launch and timers", join(
  for_each("o pools", "NAME:after(V, f)",
    "bad argument #1 to 'after' (after takes seconds from 0 up (at most 1e11; math.huge: never), got ", { -1, 1e12 }),
  for_each("o pools", "NAME:every(V, f)",
    "bad argument #1 to 'every' (every takes seconds above 0 (at most 1e11; math.huge: never), got ",
    { -1, 0, 1e12 }), {
    { "o:launch(1e300, 1)", "angle is too large" }, { "o:launch(0, 1e300)", "speed is too large" },
    { "launch(dead, 0, 1)", "Cube#3 is stale" },
    { "o:after(1, 'hit')", "Cube#1 has no method 'hit'" },
    { "pools:after(1, 'hit')", "function expected" },
    { "o:after(1, 5)", "method name or function expected, got number" },
    { "after(dead, 1, f)", "Cube#3 (stale) is not live" }, { "run(dead, f)", "Cube#3 (stale) is not live" },
    { "dead:after(1, f)", "Cube#3 is stale" },
    { "timer.stopp", "a timer has no field 'stopp': it has the method stop" },
  }))

-- }==

-- {== Walks and queries ======================================================

local FILTER <const> = "a filter is {type=}, {class=}, {group=} or function(obj), got "

-- Rows for each call that takes a filter.
local function filter_rows(got, values)
  return for_each("each recycle_all clear take", "pools:NAME(V)", FILTER .. got, values)
end

-- Rows for the iterators, of a pool and of a manager, called by hand.
local function walk_rows(code, want, values) return for_each("pool pools", code, want, values) end

test("filters and walks", join(filter_rows("number", { 12 }), filter_rows("boolean", { true }),
  filter_rows("an empty table", { {} }), filter_rows("a table with 'tipe'", { { tipe = "Cube" } }),
  filter_rows("a table with '1'", { { "Cube" } }), filter_rows("type = number", { { type = 3 } }),
  filter_rows("class = table", { { class = {} } }), filter_rows("group = table", { { group = {} } }),
  filter_rows("userdata", { io.stdout }),
  { { "pools:each(null)", FILTER }, { "pools:clear(f)", "clear takes pools, not single objects" },
    { "pool:take { type = 'Cube' }", "function" }, { "pool:take(1)", "function" } },
  walk_rows("next_of_NAME(walk_of_NAME, V)", "(the last object of the walk expected)", { "Cube", 12, true, {} }),
  walk_rows("next_of_NAME(walk_of_NAME, far)", "bad argument #2"),
  walk_rows("next_of_NAME(walk_of_NAME, null)", "bad argument #2"),
  walk_rows("for _ in alone.NAME do end", "each() returns an iterator and a number for it: pass both on"),
  walk_rows("next_of_NAME('x', nil)", "bad argument #1"), walk_rows("next_of_NAME()", "bad argument #1")))

test("set and add", join({
  { "pool:set('sped', 1)", "Cube has no field 'sped' (did you mean 'speed'?)" },
  { "pool:set(nil, 1)", "Cube has no field" }, { "pool:set('x', 1e39)", "field 'x' of Cube must be a finite number" },
  { "pool:set('age', 1)", "field 'age' of Cube is read only" },
  { "pool:set('animation', 5)", "field 'animation' of Cube must be the name of an animation" },
  { "pool:set('frame', V)", "field 'frame' of Cube must be", { "first", 0 } },
  { "pool:set('speed', 1 << 60)", "field 'speed' of Cube is an integer beyond 2^53" },
  { "pool:set 'x'", "value expected" }, { "empty:set('remaining', -1)", "field 'remaining' of Cube must be" },
  { "pool:set('parent', o)", "field 'parent' of Cube must not be the object itself" },
  { "pool:add('x', V)", "amount must be a finite number", NO_NUMBERS },
  { "pool:add('x', 1e300)", "the amount is too large" },
  { "pool:add('rdius', 1)", "no field 'rdius' (did you mean 'radius'?)" },
}, for_each("armed name bag target layer sprite visible age remaining type", "pool:add('NAME', 1)",
  "field 'NAME' of Cube holds no number that can be added to")))

test("queries", {
  { "pool:overlaps(others:pool 'Cube', f)", "the pools belong to different managers" },
  { "pool:overlaps(gone, f)", "the pool was removed" }, { "gone:overlaps(pool, f)", "the pool was removed" },
  { "pool:separate 'Cube'", "pool" }, { "pool:separate(others:pool 'Cube')", "the pools belong to different managers" },
  { "pool:within(0, 0, -1)", "radius must not be negative" }, { "pool:within(0, 0, 1e39)", "too large" },
  { "pool:within(0, 0, 1, 5)", "function expected" }, { "hits(V)", "list of objects expected, got ", all_but "table" },
  { "pool:nearest(0, 0, V)", "within must be a distance from 0 up", { -1, NAN, "5", {} } },
})

-- }==

-- {== Light userdata of other libraries ======================================

local FOREIGN <const> = { 0, 1, 64, 0x7ffc12345678, 0x55d0c0ffee00, -1, math.mininteger, 0xffffffff }
for i, address in ipairs(FOREIGN) do FOREIGN[i] = spec.light(address) end

test("light userdata as an object", join(
  for_each("V.x V[1] V.pool V.recycle V:recycle()", "NAME", "this light userdata is no spawnpool object", FOREIGN),
  for_each("V.x V.alive", "NAME = 1", "this light userdata is no spawnpool object", FOREIGN),
  for_each("pools pool", "NAME:recycle(V)", "recycle of object refused: foreign", FOREIGN),
  { { "Cube.super.recycle(pool, V)", "recycle of object refused: foreign", FOREIGN } }))

-- }==

-- {== The module, saves and reports ==========================================

test("options of new", {
  { "spawnpool.new(V)", "bad argument #1 to 'new' (table expected", { 1, "x", true, print } },
  { "spawnpool.new { misues = 'warn' }", "unknown option 'misues' (did you mean 'misuse'?)" },
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

test("saves, snapshots, configure and leaks", {
  { "pools:save { root = {} }", "save has no option 'root'" },
  { "pools:restore(V)", "snapshot expected, got ", all_but "string" },
  { "spawnpool.load(save, { stepp = 1 })", "unknown option" },
  { "snapshot.size", "a snapshot has no field 'size'" }, { "snapshot.dropped = 1", "a snapshot cannot be changed" },
  { "pools:configure { headrom = 1 }", "configure has no option 'headrom' (headroom)" },
  { "pools:configure { headroom = V }", "headroom must be a number from 1 to 1000", { 0.5, NAN, "2", 1e9 } },
  { "pools:leaks { older = 1 }", "leaks has no option 'older' (older_than)" },
  { "pools:leaks { older_than = V }", "older_than must be seconds from 0 up, got ", { "1", NAN, {}, true, -1 } },
})

-- }==
