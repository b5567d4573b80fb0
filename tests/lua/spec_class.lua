-- Classes: declaring, inheriting, changing, and every mistake that a definition can have.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

spec.test("a class is a table with a name: that again gives it anew, with constants and helpers of its own", function()
  local Cube <const> = spawnpool.class("Cube", { limit = 3, sprite = "square" })
  spec.equal({ type(Cube), tostring(Cube), Cube.limit, Cube.sprite }, { "table", "class Cube", 3, "square" })
  spec.equal({ kit.new():pool("Cube").class == Cube, spawnpool.class "Cube" == Cube, Cube.limit }, { true, true, 3 })
  function Cube:on_spawn() end
  spec.equal(spawnpool.class("Cube", { radius = 2 }) == Cube, true)
  spec.equal({ Cube.limit, Cube.radius, type(Cube.on_spawn) }, { nil, 2, "function" })
  Cube.SPEED, Cube.names, Cube[1], Cube.on_spawn = 300, { "a" }, "first", nil
  function Cube.helper(x) return x + 1 end
  function Cube:launch() return self.type end
  spec.equal({ Cube.SPEED, Cube.names[1], Cube[1], Cube.helper(1) }, { 300, "a", "first", 2 })
  spec.equal(Cube.launch(kit.new():pool "Cube"), "Cube")
  local keys <const> = {}
  for key in pairs(Cube) do keys[#keys + 1] = tostring(key) end
  table.sort(keys)
  spec.equal(keys, { "1", "SPEED", "helper", "launch", "names", "radius", "super" })
end)

kit.test("a class may be declared after its pool: live objects get the new fields, and keep the rest", function(pools)
  local o
  spec.equal(#kit.warnings(function() o = pools:alloc("Cube", 0, 7, 8) end), 1)
  o.vx = 3
  local Cube <const> = spawnpool.class("Cube", { x = 1, limit = 2, fields = { hp = 9, name = "crate", calm = true } })
  spec.equal({ o.x, o.y, o.vx, o.hp, o.name, o.calm, o.alive, o.id }, { 7.0, 8.0, 3.0, 9, "crate", true, true, 1 })
  spec.equal({ pools:pool("Cube").limit, o.pool.class == Cube, pools:alloc("Cube").x }, { 2, true, 1.0 })
  spec.equal({ pools:alloc "Cube" }, { nil, "full" })
end)

kit.test("a class takes a name with any letters", function(pools)
  for _, name in ipairs { "Würfel", "a b", "x/y", "%d?", ("n"):rep(200), "alloc" } do
    spawnpool.class(name, { limit = 1 })
    local o <const> = pools:alloc(name)
    spec.equal({ o.type, pools:pool(name).limit, tostring(o) }, { name, 1, name .. "#1 (live)" })
  end
end)

-- {== Inheriting =============================================================

kit.test("settings, initial values and fields pass down three levels, the nearest first", function(pools)
  spawnpool.class("A", { limit = 5, grow = 7, x = 1, y = 1, sprite = "ring", fields = { hp = 1, mp = 1 } })
  spawnpool.class("B", { extends = "A", limit = 6, y = 2, vx = 2, fields = { mp = 2, xp = 2 } })
  spawnpool.class("C", { extends = "B", vx = 3, layer = 3, fields = { xp = spawnpool.keep(3) } })
  local pool <const>, o <const> = pools:pool "C", pools:alloc "C"
  spec.equal({ pool.limit, pool.grow }, { 6, 7 })
  spec.equal({ o.x, o.y, o.vx, o.layer, o.sprite, o.hp, o.mp, o.xp }, { 1.0, 2.0, 3.0, 3, "ring", 1, 2, 3 })
  spec.equal({ pools:alloc("A").y, pools:alloc("B").mp }, { 1.0, 2 })
end)

kit.test("functions and constants pass down, through super and by name, and not up", function(pools)
  local A <const> = spawnpool.class("A", { limit = 5 })
  local B <const> = spawnpool.class("B", { extends = "A" })
  local C <const> = spawnpool.class("C", { extends = B })
  A.SPEED = 1
  function A.helper() return "A" end
  spec.equal({ C.SPEED, C.helper() }, { 1, "A" })
  B.SPEED, B.limit = 2, 1
  function B:on_spawn() error "not here" end
  spec.equal({ A.SPEED, B.SPEED, C.SPEED, A.limit, A.on_spawn, pools:alloc("A").alive }, { 1, 2, 2, 5, nil, true })
  B.SPEED = nil
  spec.equal({ C.SPEED, C.super == B, B.super == A }, { 1, true, true })
  spec.equal({ type(A.super.alloc), type(A.super.recycle) }, { "function", "function" })
end)

kit.test("what changes in any ancestor is heard at once, and another one is taken by declaring again", function(pools)
  local A <const> = spawnpool.class "A"
  spawnpool.class("B", { extends = "A" })
  local C <const> = spawnpool.class("C", { extends = "B" })
  local o <const>, heard = pools:alloc "C", 0
  A.limit, A.x, A.fields = 2, 5, { hp = 3 }
  spec.equal({ pools:pool("C").limit, o.hp, pools:alloc("C").x }, { 2, 3, 5.0 })
  function A:on_despawn() heard = heard + 1 end
  pools:recycle_all()
  spec.equal(heard, 2)
  local Other <const> = spawnpool.class("Other", { x = 2 })
  spec.equal(spawnpool.class("C", { extends = "Other" }) == C, true)
  spec.equal({ pools:alloc("C").x, C.super == Other }, { 2.0, true })
  spawnpool.class("C", {})
  spec.equal({ pools:alloc("C").x, C.super == Other }, { 0.0, false })
end)

kit.test("methods are called on objects, inherited, overridden and replaced", function(pools)
  local Shot <const> = spawnpool.class("Shot", { methods = {
    hit = function(o, n) return "shot " .. o.id .. n end,
    base = function(o) return o end,
  } })
  spawnpool.class("Bullet", { extends = "Shot", methods = { hit = function(_, n) return "bullet" .. n end } })
  local s <const>, b <const> = pools:alloc "Shot", pools:alloc "Bullet"
  spec.equal({ s:hit(1), b:hit(2), b:base() == b }, { "shot 11", "bullet2", true })
  Shot.methods = { hit = function() return "new" end, added = function() return 5 end }
  spec.equal({ s:hit(), b:hit(3), b:added() }, { "new", "bullet3", 5 })
  kit.refuses({ b = b, s = s }, {
    { "b:base()", "Bullet has no field 'base'" }, { "s.hit = 5", "field 'hit' of Shot#1 is read only" },
  })
  s:recycle()
  spec.expect_error("stale", function() s:hit() end)
end)

-- }==

-- {== Settings that the core applies =========================================
-- How objects move, leave bounds, change and touch is compared by the model.

-- A pool has the fields scale_x and scale_y from their first use on.
kit.test("scale_x and scale_y cost a pool nothing until one is written, and begin as their class says", function(pools)
  spawnpool.class("Plain", { fields = { hp = 3 } })
  local a <const>, b <const> = pools:alloc("Plain", 0, 1, 2), pools:alloc("Plain")
  local hash <const>, bytes <const>, snapshot <const> = pools:hash(), pools:stats("Plain").bytes, pools:snapshot()
  spec.equal({ a.scale_x, b.scale_y, pools:stats("Plain").bytes == bytes }, { 1.0, 1.0, true })
  a.scale_x = -1
  spec.equal({ a.scale_x, a.scale_y, b.scale_x, a.hp, a.x, pools:hash() == hash }, { -1.0, 1.0, 1.0, 3, 1.0, false })
  local text <const> = pools:save()
  a.scale_x = 1
  spec.equal(pools:hash(), hash) -- as before: a game that is rewound and played again has the same hashes
  b.scale_y = 2
  pools:restore(snapshot)
  spec.equal({ a.scale_x, b.scale_y, pools:hash() == hash }, { 1.0, 1.0, true })
  spec.equal(spawnpool.load(text):pool("Plain"):nearest(1, 2).scale_x, -1.0)
  spawnpool.class "Given"
  local given <const> = pools:alloc("Given", 0, { scale_x = -2, x = 5 })
  spec.equal({ given.scale_x, given.x }, { -2.0, 5.0 })
  spawnpool.class("Wide", { grow = 1, scale_x = 2, over_life = { scale_y = { 1, 0 } } })
  spawnpool.class("Wider", { extends = "Wide", scale_x = 3 })
  for _ = 1, 2 do
    local c <const>, d <const> = pools:alloc("Wide", 2), pools:alloc("Wider", 2, { scale_x = -2 })
    spec.equal({ c.scale_x, d.scale_x }, { 2.0, -2.0 })
    c.scale_x, d.scale_x = 9, 9
    pools:update(1)
    spec.equal({ c.scale_y, d.scale_y }, { 0.5, 0.5 })
    pools:recycle_all()
    spec.equal(pools:alloc("Wider").scale_x, 3.0)
  end
end)

kit.test("scale_x and scale_y find no room beside too many fields", function(pools)
  spawnpool.class("Full", { fields = kit.fields(1, 48) })
  local a <const> = pools:alloc "Full"
  kit.refuses({ a = a }, { { "a.scale_x = 2", "field 'scale_x' of Full#1 finds no room" } })
  spec.equal({ a.scale_x, a.f1 }, { 1.0, 1 })
end)

-- }==

-- {== Wrong classes ==========================================================

local NAN <const> = 0 / 0

local many <const> = kit.fields

-- Rows { entry of a definition of Cube, message, values of V }: refused there, and where it is assigned, too, unless
-- they are for definitions only.
local function test(name, rows, is_definition)
  spec.test("a wrong class: " .. name, function()
    local pools <const> = kit.new()
    local Cube <const> = spawnpool.class("Cube", { limit = 2, x = 1 })
    local it <const> = { class = spawnpool.class, Cube = Cube, f = print, keep = spawnpool.keep, huge = math.huge }
    for _, row in ipairs(rows) do
      local message <const>, values <const> = "class 'Cube'" .. row[2], row[3]
      kit.refuses(it, { { ("class('Cube', { x = 2, %s })"):format(row[1]), message, values } })
      if not is_definition then kit.refuses(it, { { "Cube." .. row[1], message, values } }) end
    end
    spec.equal({ Cube.limit, Cube.x, pools:pool("Cube").limit, pools:alloc("Cube").x }, { 2, 1, 2, 1.0 })
  end, 2)
end

-- Rows for names that are wrong, each with the nearest right one.
local function misspelt(what, value, names)
  local rows <const> = {}
  for wrong, right in names:gmatch "(%S+)=(%S+)" do
    local message <const> = (" has no %s '%s' (did you mean '%s'?)"):format(what, wrong, right)
    rows[#rows + 1] = { ("%s = %s"):format(wrong, value), message }
  end
  return rows
end

test("misspelt settings", misspelt("setting", "1", "limt=limit idle_limt=idle_limit overfow=overflow preallok=prealloc "
  .. "sprit=sprite radus=radius LAYER=layer feilds=fields extend=extends gruop=group oder=order"), true)

test("misspelt hooks", misspelt("hook", "f",
  "aloc=alloc recyle=recycle on_spwan=on_spawn on_desapwn=on_despawn On_create=on_create"))

test("unknown names", {
  { "wobble = 1", " has no setting 'wobble'$" }, { "[1] = 5", " has no setting '1'$" },
  { "on_fire = f", " has no hook 'on_fire'" },
  { "on_spawn = 12", ": on_spawn must be a function, got 12" },
}, true)

local NO_COUNTS <const> = { -1, 1.5, 16777217, math.maxinteger, math.mininteger, NAN, -math.huge, "12", true, {} }
local SOUND <const> = { " must be the name of a file in sounds/ without its ending, got ", { 3, ".x", "../x", "a\\b" } }

-- By the check of a setting: what is said of a wrong value, and wrong values.
local CHECKS <const> = {
  number = { " must be a finite number, got ", { NAN, math.huge, 1e39, "8", {} } },
  not_negative = { " must not be negative", { -1 } }, positive = { " must be above 0, got ", { 0, -1 } },
  layer = { " must be an integer from -32768 to 32767, got ", { 32768, 1.5, "1" } },
  boolean = { " must be a boolean, got ", { 1, "true" } }, string = { " must be a string, got ", { 3, {} } },
  word = { " must be one of '", { "wrp", 12 } }, count = { " must be an integer from ", NO_COUNTS },
  overflow = { " must be one of 'error', 'grow', 'oldest', 'refuse', got ", { "oldst", 12 } },
  limit = { " must be an integer from 0 to 16777216 (or math.huge: none), got ", NO_COUNTS },
  record = { " must be a table", { 5, "x" } }, over_life = { " must be a table", { 5 } },
  fields = { " must be a table of name = default, got ", { 3 } },
  methods = { " must be a table of functions", { print } },
  animation = { " must be the name of an animation of the sheet, or {frames=, fps=, loop=}, got ",
    { "", "default", true, 5 } }, rate = { " must be ", { 0, 1001, NAN, "1" } },
  frames = { " must list 1 to 64 frames, or be their number, got ", { 0, 65, "1", {}, many(1, 65) } },
  sound = SOUND, sound_name = SOUND,
}

-- Each setting, and each entry of a setting that is a table of them, with what has to stand beside it.
local function generated(rows, owner, form, path)
  for _, row in ipairs(kit.kept("rows").rows(owner)) do
    local check <const> = CHECKS[row.check]
    if check then rows[#rows + 1] = { form:format(row.name .. " = V"), path .. row.name .. check[1], check[2] } end
  end
  return rows
end

local settings <const> = generated({}, "Definition", "%s", ": ")
for setting, form in pairs {
  motion = "{ %s }", bounds = "{ x = 0, y = 0, w = 1, h = 1, outside = 'wrap', %s }", box = "{ w = 1, h = 1, %s }",
  animation = "{ %s }", sound = "{ %s }",
} do
  local owner <const> = setting == "sound" and "Sounds" or setting:gsub("^%l", string.upper)
  generated(settings, owner, setting .. " = " .. form, (": %s."):format(setting))
  settings[#settings + 1] = { setting .. " = " .. form:format "lop = 1", (": %s has no entry 'lop'"):format(setting) }
end
test("each setting", settings)

test("values", {
  { "bounds = { x = 0, y = 0, w = 1, h = 1, outside = 'bonce' }", ": bounds.outside must be one of 'bounce', 'clamp', "
    .. "'recycle', 'wrap', got 'bonce' (did you mean 'bounce'?)" },
  { "motion = { gravty = 1 }", ": motion has no entry 'gravty' (did you mean 'gravity'?)" },
  { "bounds = { x = 0, y = 0, w = 1, h = 1 }", ": bounds needs 'outside'" }, { "box = { w = 1 }", ": box needs 'h'" },
  { "animation = { frames = V }",
    ": animation.frames must list frames, from 1, got ", { { 0 }, { 1, 65536 }, { "1" } } },
  { "over_life = V", ": over_life has 48 entries; at most ", { many(1, 48) } },
  { "over_life = { alpha = { 1, 0 } }", ": over_life has no entry 'alpha'" },
  { "over_life = { a = V }", ": over_life.a must list 2 to 8 numbers", { { 1 }, many(1, 9), 5 } },
  { "over_life = { g = { 1, '0' } }", ": over_life.g must be a finite number" },
})

test("fields and methods", {
  { "fields = { 5 }", ": field names are strings, got 1" },
  { "fields = { alive = 1 }", ": field 'alive' is built in" }, { "fields = { x = 1 }", ": field 'x' is built in" },
  { "fields = { t = {} }", ": field 't' holds a number, boolean or string, got a table" },
  { "fields = { t = f }", ": field 't' holds a number, boolean or string, got a function" },
  { "fields = { k = keep {} }", ": field 'k' holds a number, boolean or string, got a table" },
  { "fields = { n = V }", ": field 'n' is an integer beyond 2^53", { math.maxinteger } },
  { "fields = { n = keep(V) }", ": field 'n' is an integer beyond 2^53", { math.mininteger } },
  { "fields = { ['a\\0b'] = 1 }", ": field 'a' has a zero byte in it" },
  { "methods = { ['a\\0b'] = f }", ": method 'a' has a zero byte in it" },
  { "methods = { recycle = f }", ": method 'recycle' is built in" },
  { "methods = { hit = 5 }", ": method 'hit' must be a function, got 5" },
  { "fields = V", " has 49 own fields; at most 48 fit", { many(1, 49) } },
})

test("names, parents and clashes", {
  { "extends = 3", ": extends must be the name of a class, got 3" },
  { "extends = 'Cube'", " extends itself" }, { "extends = Cube", " extends itself" },
  { "extends = 'Nobody'", " extends 'Nobody', which is not declared" },
  { "fields = { hit = 1 }, methods = { hit = f }", ": 'hit' is both a field and a method" },
}, true)

kit.test("a wrong class: beside others", function(pools)
  local Full <const> = spawnpool.class("Full", { fields = many(1, 48), methods = { fly = print } })
  local Some <const> = spawnpool.class("Some", { fields = many(1, 1) })
  spawnpool.class("Child", { extends = "Full", fields = many(48, 48) })
  spawnpool.class("Line1")
  for i = 2, 100 do spawnpool.class("Line" .. i, { extends = "Line" .. i - 1 }) end
  spawnpool.class("Animal")
  local it <const> = { class = spawnpool.class, Full = Full, Some = Some, more = many(49, 49), f = print,
    Alone = spawnpool.class("Alone", { fields = { hit = 1 } }) }
  spawnpool.class("Lion", { extends = spawnpool.class("Cat", { extends = "Animal" }) })
  spawnpool.class("Has", { extends = "Some", methods = { hit = print } })
  pools:alloc "Some"
  kit.refuses(it, {
    { "class(V)", "a class needs a name of 1 to 200 characters", { 12, true, {}, "", ("n"):rep(201), "a\0b" } },
    { "class()", "a class needs a name" },
    { "class('New', V)", "class 'New': the definition must be a table, got", { 12, true, "x", print } },
    { "class('New', { limt = 3 })", "limt" },
    { "class('Child', { extends = 'Full', fields = more })", "class 'Child' has 49 own fields; at most 48 fit" },
    { "class('Line101', { extends = 'Line100' })",
      "class 'Line101' has a chain of 101 classes that extend each other; at most 100 are allowed" },
    { "class('Line1', { extends = 'Some' })", "class 'Line1' has a chain of 101 classes that extend each other" },
    { "class('Dog', { extends = 'Animl' })",
      "class 'Dog' extends 'Animl', which is not declared (did you mean 'Animal'?)" },
    { "class('Animal', { extends = 'Lion' })", "class 'Animal' extends itself, through 'Lion'" },
    { "class('Child', { extends = 'Some', methods = { f1 = f } })",
      "class 'Child': 'f1' is both a field and a method" },
    { "Alone.methods = { hit = f }", "class 'Alone': 'hit' is both a field and a method" },
    { "Some.fields = { hit = 1 }", "class 'Has': 'hit' is both a field and a method" },
    { "Some.super = {} Some.limit = 3", "class 'Some': super is set by spawnpool.class" },
    { "Some.extends = 'Full'", "class 'Some': extends is set by spawnpool.class" },
  })
  spec.equal({ pools:alloc("Full").f48, pools:alloc("Child").f48, pools:alloc("Some").f1 }, { 48, 48, 1 })
  spec.equal({ pools:alloc("Line100").alive, pools:alloc("Lion").alive }, { true, true })
  spec.equal(#kit.warnings(function() pools:alloc "New" end), 1)
end)

-- }==
