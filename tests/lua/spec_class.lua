-- Classes: declaring, inheriting, changing, and every mistake that a definition can have.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

spec.describe("class", function()
  spec.test("declares a table that prints its name", function()
    local Cube <const> = spawnpool.class("Cube", { limit = 3, sprite = "square" })
    spec.equal({ type(Cube), tostring(Cube), Cube.limit, Cube.sprite }, { "table", "class Cube", 3, "square" })
    spec.equal(kit.new():pool("Cube").class == Cube, true)
  end)

  spec.test("is known by its name: again gives the same table", function()
    local Cube <const> = spawnpool.class("Cube", { limit = 3 })
    spec.equal(spawnpool.class "Cube" == Cube, true)
    spec.equal(Cube.limit, 3)
    function Cube:on_spawn() end
    spec.equal(spawnpool.class("Cube", { radius = 2 }) == Cube, true)
    spec.equal({ Cube.limit, Cube.radius, type(Cube.on_spawn) }, { nil, 2, "function" })
  end)

  kit.test("can be declared before its pool, after it, or never", function(pools)
    spawnpool.class("Before", { x = 1 })
    spec.equal(pools:alloc("Before").x, 1.0)
    local said <const> = kit.warnings(function() pools:alloc "After" end)
    spec.equal(#said, 1)
    local after <const> = spawnpool.class("After", { x = 2, limit = 2, fields = { hp = 3 } })
    local o <const> = pools:alloc "After"
    spec.equal({ o.x, o.hp, pools:pool("After").limit, pools:pool("After").class == after }, { 2.0, 3, 2, true })
    spec.equal({ pools:alloc "After" }, { nil, "full" })
  end)

  kit.test("declared late gives live objects the new fields at their defaults, and leaves the rest", function(pools)
    local o
    kit.warnings(function() o = pools:alloc("Cube", 0, 7, 8) end)
    o.vx = 3
    spawnpool.class("Cube", { x = 1, fields = { hp = 9, name = "crate", calm = true } })
    spec.equal({ o.x, o.y, o.vx, o.hp, o.name, o.calm, o.alive, o.id }, { 7.0, 8.0, 3.0, 9, "crate", true, true, 1 })
  end)

  spec.test("may hold constants and helpers of its own", function()
    local Cube <const> = spawnpool.class "Cube"
    Cube.SPEED, Cube.names, Cube[1] = 300, { "a" }, "first"
    function Cube.helper(x) return x + 1 end
    function Cube:launch() return self.type end
    spec.equal({ Cube.SPEED, Cube.names[1], Cube[1], Cube.helper(1) }, { 300, "a", "first", 2 })
    spec.equal(Cube.launch(kit.new():pool "Cube"), "Cube")
    local keys <const> = {}
    for key in pairs(Cube) do keys[#keys + 1] = tostring(key) end
    table.sort(keys)
    spec.equal(keys, { "1", "SPEED", "helper", "launch", "names", "super" })
  end)

  kit.test("takes a name with any letters", function(pools)
    for _, name in ipairs { "Würfel", "a b", "x/y", "%d?", ("n"):rep(200), "alloc" } do
      spawnpool.class(name, { limit = 1 })
      local o <const> = pools:alloc(name)
      spec.equal({ o.type, pools:pool(name).limit, tostring(o) }, { name, 1, name .. "#1 (live)" })
    end
  end)
end)

spec.describe("inheritance", function()
  kit.test("passes settings, initial values and fields down three levels, the nearest first", function(pools)
    spawnpool.class("A", { limit = 5, grow = 7, x = 1, y = 1, sprite = "ring", fields = { hp = 1, mp = 1 } })
    spawnpool.class("B", { extends = "A", limit = 6, y = 2, vx = 2, fields = { mp = 2, xp = 2 } })
    spawnpool.class("C", { extends = "B", vx = 3, layer = 3, fields = { xp = spawnpool.keep(3) } })
    local pool <const>, o <const> = pools:pool "C", pools:alloc "C"
    spec.equal({ pool.limit, pool.grow }, { 6, 7 })
    spec.equal({ o.x, o.y, o.vx, o.layer, o.sprite, o.hp, o.mp, o.xp }, { 1.0, 2.0, 3.0, 3, "ring", 1, 2, 3 })
    spec.equal({ pools:alloc("A").y, pools:alloc("B").mp }, { 1.0, 2 })
  end)

  spec.test("passes functions and constants down, through super and by name", function()
    local A <const> = spawnpool.class "A"
    local B <const> = spawnpool.class("B", { extends = "A" })
    local C <const> = spawnpool.class("C", { extends = B })
    A.SPEED = 1
    function A.helper() return "A" end
    spec.equal({ C.SPEED, C.helper() }, { 1, "A" })
    B.SPEED = 2
    spec.equal({ A.SPEED, B.SPEED, C.SPEED }, { 1, 2, 2 })
    B.SPEED = nil
    spec.equal(C.SPEED, 1)
    spec.equal({ C.super == B, B.super == A, type(A.super.alloc), type(A.super.recycle) },
      { true, true, "function", "function" })
    spec.equal(A.on_spawn, nil)
  end)

  kit.test("hears at once what changes in any ancestor", function(pools)
    local A <const> = spawnpool.class "A"
    spawnpool.class("B", { extends = "A" })
    spawnpool.class("C", { extends = "B" })
    local o <const> = pools:alloc "C"
    A.limit, A.x, A.fields = 2, 5, { hp = 3 }
    spec.equal({ pools:pool("C").limit, o.hp, pools:alloc("C").x }, { 2, 3, 5.0 })
    local heard = 0
    function A:on_despawn() heard = heard + 1 end
    o:recycle()
    spec.equal(heard, 1)
  end)

  kit.test("can be changed by declaring again", function(pools)
    spawnpool.class("A", { x = 1 })
    spawnpool.class("B", { x = 2 })
    local C <const> = spawnpool.class("C", { extends = "A" })
    pools:alloc "C"
    spec.equal(spawnpool.class("C", { extends = "B" }) == C, true)
    spec.equal({ pools:alloc("C").x, C.super == spawnpool.class "B" }, { 2.0, true })
    spawnpool.class("C", {})
    spec.equal({ pools:alloc("C").x, C.super == spawnpool.class "B" }, { 0.0, false })
  end)

  kit.test("does not let a child change its parent", function(pools)
    local A <const> = spawnpool.class("A", { limit = 5 })
    local B <const> = spawnpool.class("B", { extends = "A" })
    function B:on_spawn() error "not here" end
    B.limit, B.SPEED = 1, 2
    spec.equal({ A.limit, A.SPEED, A.on_spawn, pools:alloc("A").alive }, { 5, nil, nil, true })
  end)
end)

spec.describe("a wrong class", function()
  local function refuses(pattern, name, definition)
    kit.blames(pattern, function() spawnpool.class(name, definition) end)
  end

  spec.test("needs a name", function()
    for _, name in ipairs { 12, true, {}, "", ("n"):rep(201), "a\0b" } do
      refuses("a class needs a name of 1 to 200 characters", name)
    end
    kit.blames("a class needs a name", function() spawnpool.class() end)
    for _, definition in ipairs { 12, true, "x", print } do
      refuses("class 'Cube': the definition must be a table, got", "Cube", definition)
    end
  end)

  spec.test("is told of a misspelt setting, with the nearest name", function()
    for wrong, right in pairs {
      limt = "limit", idle_limt = "idle_limit", overfow = "overflow", preallok = "prealloc", sprit = "sprite",
      radus = "radius", LAYER = "layer", feilds = "fields", extend = "extends", gruop = "group", oder = "order",
    } do
      local pattern <const> = ("class 'Cube' has no setting '%s' %%(did you mean '%s'%%?%%)"):format(wrong, right)
      refuses(pattern, "Cube", { [wrong] = 1 })
    end
    refuses("class 'Cube' has no setting 'wobble'$", "Cube", { wobble = 1 })
    refuses("class 'Cube' has no setting '1'$", "Cube", { 5 })
    refuses("class 'Cube' has no setting 'true'$", "Cube", { [true] = 5 })
  end)

  spec.test("is told of a misspelt hook, with the nearest name", function()
    for wrong, right in pairs {
      aloc = "alloc", recyle = "recycle", on_spwan = "on_spawn", on_desapwn = "on_despawn", On_create = "on_create",
    } do
      local pattern <const> = ("class 'Cube' has no hook '%s' %%(did you mean '%s'%%?%%)"):format(wrong, right)
      refuses(pattern, "Cube", { [wrong] = function() end })
      local Ball <const> = spawnpool.class "Ball"
      kit.blames(pattern:gsub("Cube", "Ball"), function() Ball[wrong] = function() end end)
    end
    refuses("class 'Cube' has no hook 'on_fire'", "Cube", { on_fire = function() end })
    refuses("class 'Cube': on_spawn must be a function, got 12", "Cube", { on_spawn = 12 })
    refuses("class 'Cube': alloc must be a function, got 'fast'", "Cube", { alloc = "fast" })
  end)

  spec.test("is told of wrong values of counts", function()
    local huge <const> = (1 << 24) + 1
    for _, key in ipairs { "prealloc", "grow", "limit", "idle_limit" } do
      for _, value in ipairs { -1, 1.5, huge, math.maxinteger, math.mininteger, 0 / 0, -math.huge, "12", true, {} } do
        local pattern <const> = ("class 'Cube': %s must be an integer from [01] to 16777216.*, got "):format(key)
        refuses(pattern, "Cube", { [key] = value })
      end
    end
    refuses("grow must be an integer from 1 to 16777216, got 0", "Cube", { grow = 0 })
    refuses("prealloc must be an integer from 0 to 16777216, got inf", "Cube", { prealloc = math.huge })
    refuses("limit must be an integer from 0 to 16777216 %(or math.huge: none%), got %-1", "Cube", { limit = -1 })
  end)

  spec.test("is told of wrong values of everything else", function()
    local policies <const> = "overflow must be one of 'error', 'grow', 'oldest', 'refuse', got "
    for _, case in ipairs {
      { policies .. "'oldst' %(did you mean 'oldest'%?%)", { overflow = "oldst" } },
      { policies .. "12", { overflow = 12 } },
      { "order must be one of 'fifo', 'lifo', got 'filo'", { order = "filo" } },
      { "x must be a finite number, got %-?nan", { x = 0 / 0 } },
      { "vy must be a finite number, got inf", { vy = math.huge } },
      { "scale must be a finite number, got 1e%+39", { scale = 1e39 } },
      { "radius must be a finite number, got '8'", { radius = "8" } },
      { "layer must be an integer from %-32768 to 32767, got 32768", { layer = 32768 } },
      { "layer must be an integer from %-32768 to 32767, got 1.5", { layer = 1.5 } },
      { "sprite must be a string, got 3", { sprite = 3 } },
      { "sound must be the name of a file in sounds/ without its ending, got 3", { sound = 3 } },
      { "sound must be the name of a file in sounds/ without its ending, got '%.x'", { sound = ".x" } },
      { "sound must be the name of a file in sounds/ without its ending, got 'a\\b'", { sound = "a\\b" } },
      { "sound.spawn must be the name of a file", { sound = { spawn = "../x" } } },
      { "sound has no entry 'recycled' %(did you mean 'recycle'%?%)", { sound = { recycled = "x" } } },
      { "visible must be a boolean, got 1", { visible = 1 } },
      { "group must be a string, got table", { group = {} } },
      { "fields must be a table of name = default, got 3", { fields = 3 } },
      { "extends must be the name of a class, got 3", { extends = 3 } },
      { "extends must be the name of a class, got table", { extends = {} } },
    } do
      refuses("class 'Cube': " .. case[1], "Cube", case[2])
    end
  end)

  spec.test("is told of wrong fields", function()
    for _, case in ipairs {
      { "field 'x' is built in", { x = 1 } },
      { "field 'alive' is built in", { alive = true } },
      { "field 'parent' is built in", { parent = 1 } },
      { "field 'recycle' is built in", { recycle = 1 } },
      { "field 'pinned' is built in", { pinned = true } },
      { "field names are strings, got 1", { 5 } },
      { "field 't' holds a number, boolean or string, got a table", { t = {} } },
      { "field 'f' holds a number, boolean or string, got a function", { f = print } },
      { "field 'k' holds a number, boolean or string, got a table", { k = spawnpool.keep {} } },
      { "field 'k' holds a number, boolean or string, got a nil", { k = spawnpool.keep() } },
      { "field 'n' .*beyond 2%^53", { n = math.maxinteger } },
      { "field 'n' .*beyond 2%^53", { n = spawnpool.keep(math.mininteger) } },
    } do
      refuses("class 'Cube': " .. case[1], "Cube", { fields = case[2] })
    end
  end)

  kit.test("has too many fields, its own and its parents'", function(pools)
    local function many(first, last)
      local fields <const> = {}
      for i = first, last do fields["f" .. i] = i end
      return fields
    end
    spawnpool.class("Full", { fields = many(1, 48) })
    spec.equal(pools:alloc("Full").f48, 48)
    refuses("class 'Over' has 49 own fields; at most 48 fit", "Over", { fields = many(1, 49) })
    refuses("class 'Child' has 49 own fields; at most 48 fit", "Child", { extends = "Full", fields = many(49, 49) })
    local Some <const> = spawnpool.class("Some", { fields = many(1, 1) })
    kit.blames("class 'Some' has 49 own fields; at most 48 fit", function() Some.fields = many(2, 50) end)
    spec.equal(pools:alloc("Some").f1, 1)
    spawnpool.class("Child", { extends = "Full", fields = many(48, 48) })
    spec.equal(pools:alloc("Child").f48, 48)
  end)

  spec.test("extends a line of classes that is too long", function()
    spawnpool.class "Line1"
    for i = 2, 100 do spawnpool.class("Line" .. i, { extends = "Line" .. i - 1 }) end
    refuses("class 'Line101' makes a line of 101 classes that extend each other; 100 at most", "Line101",
      { extends = "Line100" })
    spawnpool.class "Root"
    refuses("class 'Line1' makes a line of 101 classes that extend each other", "Line1", { extends = "Root" })
    spec.equal(kit.new():alloc("Line100").alive, true)
  end)

  spec.test("has names with zero bytes", function()
    refuses("class 'Cube': field 'a.*' has a zero byte in it", "Cube", { fields = { ["a\0b"] = 1 } })
    refuses("class 'Cube': method 'a.*' has a zero byte in it", "Cube", { methods = { ["a\0b"] = print } })
  end)

  spec.test("extends itself, a stranger, or goes round in circles", function()
    refuses("class 'Cube' extends itself", "Cube", { extends = "Cube" })
    refuses("class 'Cube' extends 'Nobody', which is not declared", "Cube", { extends = "Nobody" })
    spawnpool.class "Animal"
    refuses("class 'Cat' extends 'Animl', which is not declared %(did you mean 'Animal'%?%)", "Cat",
      { extends = "Animl" })
    local Cat <const> = spawnpool.class("Cat", { extends = "Animal" })
    spawnpool.class("Lion", { extends = "Cat" })
    refuses("class 'Animal' extends itself, through 'Lion'", "Animal", { extends = "Lion" })
    refuses("class 'Cat' extends itself", "Cat", { extends = Cat })
    spec.equal(kit.new():alloc("Lion").alive, true)
  end)

  kit.test("changes nothing", { limit = 2, x = 1 }, function(pools, Cube)
    pools:alloc "Cube"
    refuses("limt", "Cube", { limt = 3, x = 2 })
    refuses("radius", "Cube", { limit = 5, radius = "x" })
    kit.blames("limit", function() Cube.limit = -1 end)
    spec.equal({ Cube.limit, Cube.x, pools:pool("Cube").limit, pools:alloc("Cube").x }, { 2, 1, 2, 1.0 })
    refuses("limt", "Never", { limt = 3 })
    spec.equal(#kit.warnings(function() pools:alloc "Never" end), 1)
  end)

  spec.test("is told at assignment, too", function()
    local Cube <const> = spawnpool.class "Cube"
    kit.blames("class 'Cube': limit must be an integer", function() Cube.limit = 1.5 end)
    kit.blames("class 'Cube' has no setting 'limt' %(did you mean 'limit'%?%)", function() Cube.limt = 3 end)
    kit.blames("class 'Cube': on_spawn must be a function", function() Cube.on_spawn = 3 end)
    kit.blames("class 'Cube': super is set by spawnpool.class", function() Cube.super = {} end)
    kit.blames("class 'Cube': extends is set by spawnpool.class", function() Cube.extends = "Ball" end)
  end)
end)
