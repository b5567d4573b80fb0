-- Objects: alloc, take and walks, which give them; their fields, times and names, equality, and stale references.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

-- {== alloc ==================================================================

local DEFAULTS <const> = {
  x = 0.0, y = 0.0, vx = 0.0, vy = 0.0, ax = 0.0, ay = 0.0, angle = 0.0, spin = 0.0, scale = 1.0, r = 1.0, g = 1.0,
  b = 1.0, a = 1.0, radius = 8.0, layer = 0, sprite = "circle", visible = true,
}
local VALUES <const> = {
  x = 1.0, y = 2.0, vx = 3.0, vy = 4.0, ax = 5.0, ay = 6.0, angle = 7.0, spin = 8.0, scale = 0.5, r = 0.25, g = 0.125,
  b = 0.0, a = 0.75, radius = 3.0, layer = -2, sprite = "star", visible = false,
}

for title, case in pairs { ["the default"] = { {}, DEFAULTS }, ["the value of the class"] = { VALUES, VALUES } } do
  kit.test("alloc starts every field at " .. title, case[1], function(pools)
    local o <const> = pools:alloc "Cube"
    for name, want in pairs(case[2]) do
      spec.equal({ o[name], math.type(o[name]) }, { want, math.type(want) }, name)
    end
    spec.equal({ o.pinned, o.age, o.lifetime, o.remaining }, { false, 0.0, 0.0, math.huge })
  end)
end

kit.test("alloc places the object and fills its fields before on_spawn sees them",
  { x = 5, y = 6, angle = 7, fields = { hp = 1, name = "crate", armed = false } }, function(pools, Cube)
  local seen
  function Cube:on_spawn(o)
    seen = { o.x, o.y, o.angle, o.lifetime, o.layer, o.sprite, o.hp, o.name, o.armed, o.alive }
  end
  local function expect(want, ...)
    pools:alloc("Cube", ...)
    for i, value in ipairs { 5.0, 6.0, 7.0, 0.0, 0, "circle", 1, "crate", false, true } do
      if want[i] == nil then want[i] = value end
    end
    spec.equal(seen, want)
  end
  expect({ 10.0, 20.0, 0.5, 2.0 }, 2, 10, 20, 0.5)
  expect({ [2] = 20.0 }, 0, nil, 20)
  expect({ 3.0, [5] = 2, [6] = "ring", [7] = 9, [8] = "barrel", [9] = true }, 0,
    { x = 3, layer = 2, sprite = "ring", hp = 9, name = "barrel", armed = true })
  expect({}, 0, {})
end)

kit.test("alloc that fails leaves nothing behind of the values that it was given",
  { grow = 1, fields = { list = spawnpool.any(), n = 1, text = "a" } }, function(pools)
  pools:pool("Cube"):prewarm(1)
  for _ = 1, 8 do -- whatever the order of the pairs
    spec.expect_error("nope", pools.alloc, pools, "Cube", 0, { list = {}, n = 5, text = "b", nope = 1 })
    spec.expect_error("x", pools.alloc, pools, "Cube", 0, { list = {}, text = "b", x = "wrong" })
  end
  local o <const> = pools:alloc "Cube"
  spec.equal({ o.id, o.list, o.n, o.text }, { 1, nil, 1, "a" })
end)

kit.test("alloc raises the error value of on_spawn or of an override itself, table or nil", {}, function(pools, Cube)
  for _, name in ipairs { "on_spawn", "alloc" } do
    local raised
    Cube[name] = function() error(raised, 0) end
    for _, value in ipairs { { code = 7 }, "text", 12, false, "nil" } do
      raised = value
      if value == "nil" then raised = nil end
      spec.equal(table.pack(pcall(pools.alloc, pools, "Cube")), { n = 2, false, raised })
    end
    Cube[name] = nil
  end
  spec.equal(pools:pool("Cube").live, 0)
end)

kit.test("alloc warns once for a line that gives x and y where a lifetime is due", {}, function(pools)
  local Own <const> = spawnpool.class("Own", {})
  function Own:alloc(lifetime) return Own.super.alloc(self, lifetime) end
  local said <const> = kit.warnings(function()
    for _ = 1, 3 do pools:alloc("Cube", 300, 200) end
    pools:pool("Cube"):alloc(5, 6)
    pools:alloc("Cube", 0, 200)
    pools:alloc("Cube", 300, 200, 1)
    pools:alloc("Own", 300, 200)
    spawnpool.new { misuse = "ignore" }:alloc("Cube", 300, 200)
  end)
  spec.equal(#said, 2)
  spec.equal(said[1]:match "spec_object.lua:%d+: (.*)", "alloc of Cube: the first number is its lifetime in " ..
    'seconds, the second one x. For x and y write alloc("Cube", 0, 300.0, 200.0)')
end)

-- }==

-- {== take and walks =========================================================

-- "Cube#1 Cube#2" of a walk, stopped after 10000 steps.
local function names(...)
  local list <const> = {}
  for o in ... do
    list[#list + 1] = ("%s#%d"):format(o.type, o.id)
    if #list > 10000 then error("an endless walk", 2) end
  end
  return table.concat(list, " ")
end

kit.test("a walk visits every type of a manager, by filter", function(pools)
  spawnpool.class("Animal", { group = "zoo" })
  spawnpool.class("Cat", { extends = "Animal" })
  local Lion <const> = spawnpool.class("Lion", { extends = "Cat", group = "wild" })
  spawnpool.class "Cube"
  for _, type in ipairs { "Animal", "Cat", "Lion", "Cube", "Cat" } do pools:alloc(type) end
  spec.equal(names(pools:each()), "Animal#1 Cat#1 Cat#2 Lion#1 Cube#1")
  for want, filters in pairs {
    ["Cat#1 Cat#2"] = { "Cat", { type = "Cat" } }, ["Cat#1 Cat#2 Lion#1"] = { { class = "Cat" } },
    ["Lion#1"] = { { class = Lion }, { class = "Animal", type = "Lion" }, { group = "wild" } },
    ["Animal#1 Cat#1 Cat#2"] = { { group = "zoo" } }, ["Cat#2"] = { function(o) return o.id == 2 end },
    [""] = { "Nothing", { group = "nothing" } },
  } do
    for _, filter in ipairs(filters) do spec.equal(names(pools:each(filter)), want) end
  end
end)

kit.test("take starts from the class like any alloc, and gives back what on_spawn recycles or refuses",
  { grow = 1, x = 4, fields = { hp = 9 } }, function(pools, Cube)
  local pool <const>, fresh = pools:pool "Cube", nil
  function Cube:on_spawn(_, is_fresh) fresh = is_fresh end
  local o = pools:alloc("Cube", 5, 1, 2, 3)
  o.hp = 1
  o:recycle()
  o = pool:take()
  spec.equal({ o.x, o.y, o.angle, o.hp, o.lifetime, fresh }, { 4, 0, 0, 9, 0, false })
  o:recycle()
  function Cube:on_spawn(it) it:recycle() end
  spec.equal({ pools:take "Cube" }, { nil, "recycled" })
  function Cube:on_spawn(it) error("no " .. it.id) end
  spec.expect_error("no 1", pools.take, pools, "Cube")
  spec.equal({ pool.live, pool.idle }, { 0, 1 })
end)

-- }==

-- {== Objects ================================================================

local function open(definition)
  local pools <const> = kit.new()
  spawnpool.class("Cube", definition or { grow = 1, fields = { hp = 1, speed = 1.5, armed = false, name = "crate" } })
  return pools, pools:alloc "Cube"
end

spec.test("an object takes a value in every writable field and gives it back", function()
  local _, o <const> = open()
  for name in ("x y vx vy ax ay angle spin scale r g b a radius"):gmatch "%a+" do
    o[name] = 0.1
    spec.equal({ o[name] == 0.1, o[name] == ("f"):unpack(("f"):pack(0.1)) }, { false, true }, name) -- 32 bits
    o[name] = 3
    spec.equal({ o[name], math.type(o[name]) }, { 3.0, "float" }, name)
  end
  for name, values in pairs {
    layer = { -32768, 32767, 0 }, sprite = { "star", "", "a sprite nobody knows" }, visible = { false, true },
    pinned = { true, false }, hp = { 2, 2.5, -1, (1 << 53) - 1, math.huge }, speed = { 1.0, 2, -0.0, 0.1 },
    armed = { true, false }, name = { "barrel", "", 12, true, "crate" },
  } do
    for _, value in ipairs(values) do
      o[name] = value
      spec.equal(o[name], value, name)
    end
  end
end)

spec.test("pairs walks an object: own fields, then the built-in ones, without those that are nil", function()
  local pools <const>, o <const> = open { fields = { hp = 1, target = spawnpool.ref, bag = spawnpool.any(), made =
    spawnpool.fresh(function(it) return it.hp + 1 end) } }
  o.x, o.bag, o.scale_x = 5, "full", 2
  local order <const>, values <const> = {}, {}
  for name, value in pairs(o) do
    order[#order + 1] = name
    values[name] = value
    spec.equal(o[name], value)
  end
  spec.equal(table.concat(order, " "),
    "bag hp made scale_x scale_y x y angle vx vy ax ay spin scale radius layer sprite r g b a visible pinned")
  spec.equal({ values.hp, values.bag, values.made, values.x, values.scale_x }, { 1, "full", 2, 5.0, 2.0 })
  o.target, o.parent = o, pools:alloc "Cube"
  for name in pairs(o) do values[name] = true end
  spec.equal({ values.target, values.parent, values.type, values.recycle }, { true, true })
  local next_field <const> = pairs(o)
  o:recycle()
  spec.expect_error("is stale", pairs, o)
  kit.refuses({ next_field = next_field, o = o }, { { "next_field(o, 'x')", "is stale" } })
end)

spec.test("a life ends with the block of a <close> variable", function()
  local pools <const>, heard = kit.new(), {}
  local Cube <const> = spawnpool.class "Cube"
  function Cube:on_despawn(o, why) heard[#heard + 1] = why .. o.id end
  do local _ <close> = pools:alloc "Cube" end
  do
    local o <close> = pools:alloc "Cube"
    o:recycle()
  end
  do local _ <close> = pools:alloc("Cube", -1) end
  spec.equal({ pools:stats().live, #heard }, { 0, 2 })
  spec.equal(kit.warnings(function()
    local o <close> = pools:alloc "Cube"
    pools:close()
    spec.equal(o.alive, false)
  end), {})
end)

kit.test("remaining is what is left of a lifetime, and can be set, also in hooks", {}, function(pools, Cube)
  function Cube:on_spawn(o) o.remaining = 4 * kit.STEP end
  function Cube:on_despawn(o) o.remaining = 5 end
  local o <const>, other <const> = pools:alloc "Cube", pools:alloc("Cube", 0, { remaining = 2 * kit.STEP })
  kit.tick(pools)
  spec.equal({ o.remaining, o.lifetime, other.remaining }, { 3 * kit.STEP, 4 * kit.STEP, 3 * kit.STEP })
  other.remaining, o.remaining = 0, math.huge
  spec.equal({ other.alive, o.remaining, o.lifetime }, { true, math.huge, 0 })
  kit.tick(pools, 5)
  spec.equal({ other.alive, o.alive }, { false, true })
end)

spec.test("an object is equal to itself alone, a table key for ever, and prints as Cube#1 (live)", function()
  local pools <const>, o <const> = open()
  local other <const> = pools:alloc "Cube"
  local first <const>, state <const> = pools:pool("Cube"):each()
  spec.equal({ o == first(state, nil), rawequal(o, first(state, nil)) }, { true, true })
  spec.equal({ o == other, o == nil, o == "Cube#1 (live)" }, { false, false, false })
  local known <const> = { [o] = "first", [other] = "other" }
  spec.equal({ tostring(o), ("%s"):format(other) }, { "Cube#1 (live)", "Cube#2 (live)" })
  o:recycle()
  local heir <const> = pools:alloc "Cube"
  spec.equal({ known[o], known[other], known[heir], o == heir, heir.id }, { "first", "other", nil, false, 1 })
  spec.equal({ tostring(o), tostring(heir) }, { "Cube#1 (stale)", "Cube#1 (live)" })
  for _, name in ipairs { "remove", "close" } do
    pools[name](pools, "Cube")
    spec.equal({ tostring(o), tostring(heir) }, { "object (stale)", "object (stale)" })
  end
end)

kit.test("launch turns an object and gives it a speed that way", {}, function(pools)
  local o <const> = pools:alloc("Cube", 0, 5, 6)
  spec.equal(o:launch(math.pi / 2, 60) == o, true)
  spec.equal({ math.abs(o.vx) < 1e-4, o.vy, o.x, o.y }, { true, 60, 5, 6 })
  spec.equal(math.abs(o.angle - math.pi / 2) < 1e-6, true)
  o:launch(0, -2)
  spec.equal({ o.angle, o.vx, math.abs(o.vy) }, { 0, -2, 0 })
end)

-- }==

-- {== References =============================================================

spec.test("a stale reference raises when it is read or written, and says what to do, for ever", function()
  local pools <const>, o <const> = open()
  o:recycle()
  local it <const> = { o = o }
  local message = "Cube#1 is stale: that life is over (test obj.alive or pools:is_live(obj) before use"
  local rows <const> = { { "o.alive = true", message } }
  for _, name in ipairs { "x", "hp", "scale_x", "type", "pool", "id", "age", "remaining", "nothing" } do
    rows[#rows + 1] = { "o." .. name, message }
    rows[#rows + 1] = { "o." .. name .. " = 1", message }
  end
  for _ = 1, 2 do
    kit.refuses(it, rows)
    pools:alloc "Cube" -- somebody else lives in the slot now
  end
  spec.equal(pools:stats("Cube").stale_uses, 2 * #rows)
  pools:remove "Cube"
  for _ = 1, 50 do pools:alloc "Cube" end
  kit.refuses(it, { { "o.x", "is stale" } })
  spec.equal({ o.alive, pools:is_live(o) }, { false, false })
  pools:close()
  message = "this object is stale: its manager is closed"
  kit.refuses(it, { { "o.x", message }, { "o.x = 1", message } })
  spec.equal({ o.alive, pools:is_live(o), o:recycle() }, { false, false, false, "closed" })
end)

spec.test("a light userdata of another library does no harm, whatever its bits", function()
  local pools <const> = kit.new { misuse = "ignore" }
  spawnpool.class("Cube", { fields = { hp = 1 } })
  for i = 1, 300 do
    local o <const> = pools:alloc "Cube"
    if i % 3 == 0 then o:recycle() end
  end
  local total <const> = pools:pool("Cube").live
  math.randomseed(7)
  for _ = 1, 3000 do
    -- Bits near those of real references: small generations, low ids, slots around the end.
    local foreign <const> = spec.light(math.random(0, 6) << 32 | math.random(0, 4) << 24 | math.random(0, 1100))
    pcall(function() foreign.hp = foreign.x end)
    if not pools:is_live(foreign) then
      local done <const>, why <const> = pools:recycle(foreign)
      spec.equal({ done, why == "foreign" or why == "stale", foreign.alive }, { false, true, false })
      spec.equal(tostring(foreign):find "live", nil)
    end
  end
  spec.equal(pools:pool("Cube").live, total)
end)

-- }==
