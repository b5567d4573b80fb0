-- Own fields of every kind: plain, keep, live, fresh, ref and any; their names, and kinds that are edited while objects
-- live, for all pairs of kinds.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

-- {== Names ==================================================================

kit.test("the name of a field means in each pool what its class says, also when pools take turns", { fields = {
  k = 1, n = 2,
} }, function(pools, Cube)
  spawnpool.class("Ball", { fields = { n = 3.5, z = 4 } })
  spawnpool.class("Word", { fields = { n = "text", k = true } })
  local cube <const>, ball <const>, word <const> = pools:alloc "Cube", pools:alloc "Ball", pools:alloc "Word"
  for i = 1, 3 do
    spec.equal({ cube.n, ball.n, word.n, cube.k, word.k }, { 1 + i, 2.5 + i, "text", 1, true })
    cube.n, ball.n = 2 + i, 3.5 + i
    spec.equal(math.type(cube.n), "integer")
    spec.expect_error("no field 'z'", function() return cube.z end)
    spec.expect_error("no field 'k'", function() ball.k = 5 end)
  end
  Cube.fields = { j = 7, k = "moved", n = 1 }
  spec.equal({ cube.j, cube.k, cube.n }, { 7, "moved", 5 })
  Cube.fields = { k = 1 }
  spec.expect_error("no field 'n'", function() cube.n = 1 end)
  spec.equal(cube.k, 1)
end)

kit.test("the name of a field is a string: no other value is, whatever it looks like; it may be long", { fields = {
  ["1"] = 5, ["true"] = 6, [("n"):rep(60)] = 1, -- longer than what Lua keeps once
}, methods = { [("m"):rep(60)] = function(o) return o.id end } }, function(pools)
  local o <const> = pools:alloc(("Cube"):rep(1), 0, { [("n"):rep(60)] = 2 })
  for i = 2, 4 do
    local name <const> = ("n"):rep(60)
    spec.equal({ o[name], o["1"], o["true"], o[("m"):rep(60)](o) }, { i, 5, 6, 1 })
    o[name] = o[name] + 1
    for _, key in ipairs { 1, 1.0, true, {}, print, o, pools, ("n"):rep(61) } do
      spec.expect_error("no field", function() return o[key] end)
      spec.expect_error("no field", function() o[key] = 1 end)
    end
    spec.expect_error("no field", function() return o[nil] end)
  end
  for live = 1, 2 do
    spec.equal({ pools:alloc(("T"):rep(60)).type, pools:pool(("T"):rep(60)).live }, { ("T"):rep(60), live })
  end
end)

-- }==

-- {== Kinds ==================================================================

kit.test("a fresh field makes one value per life, when it is first read; an error reaches the reader", function(pools)
  local made, act, weak <const> = 0, nil, setmetatable({}, { __mode = "v" })
  spawnpool.class("Cube", { grow = 1, fields = { list = spawnpool.fresh(function(o)
    if act then act(o) end
    made = made + 1
    return { owner = o, n = made }
  end) } })
  local o <const>, other <const> = pools:alloc "Cube", pools:alloc "Cube"
  spec.equal(made, 0)
  function act() error "not yet" end
  spec.expect_error("not yet", function() return o.list end)
  act = nil
  spec.equal({ o.list.owner == o, o.list.n, o.list == o.list, other.list.n }, { true, 1, true, 2 })
  weak[1] = o.list
  o:recycle()
  collectgarbage()
  collectgarbage()
  spec.equal(weak[1], nil) -- nothing is held alive once the life is over
  local again <const> = pools:take()
  spec.equal({ again.list.n, again.list.owner == again }, { 3, true })
  again.list = { n = "mine" }
  spec.equal(again.list.n, "mine")
end)

kit.test("an object that is destroyed leaves no value to the next one in its slot", { grow = 1, fields = {
  kept = spawnpool.keep "plain",
} }, function(pools)
  local o <const> = pools:alloc "Cube"
  o.kept = "mine"
  o:recycle()
  spec.equal({ pools:clear "Cube", pools:alloc("Cube").kept }, { 1, "plain" })
end)

kit.test("a ref is nil once the life that it names is over, of another manager too", { fields = {
  target = spawnpool.ref,
} }, function(pools)
  local others = kit.new()
  local far <const> = others:alloc "Cube"
  local a <const> = pools:alloc("Cube", 0, { target = far })
  local b <const> = pools:alloc("Cube", 0, { target = a })
  spec.equal({ n = 3, a.target == far, b.target == a, far.target }, { n = 3, true, true, nil })
  a:recycle()
  others:close()
  spec.equal(b.target, nil)
  b.target = far
  others = kit.new() -- it may have the number of the closed one
  for _ = 1, 40 do others:alloc "Cube" end
  spec.equal(b.target, nil)
end)

kit.test("an any field holds any value, nil too, and falls back to its default", { grow = 1 }, function(pools, Cube)
  local shared <const> = {}
  Cube.fields = { p = spawnpool.any(shared), q = spawnpool.any(), u = spawnpool.any(false) }
  local o = pools:alloc "Cube"
  spec.equal({ o.p == shared, o.q, o.u }, { true, nil, false })
  for _, value in ipairs { 1, "x", false, {}, print, coroutine.create(print), pools, 2.5 } do
    o.p, o.q, o.u = value, value, value
    spec.equal({ o.p == value, o.q == value, o.u == value }, { true, true, true })
  end
  o.p, o.q, o.u = nil, nil, nil
  spec.equal({ o.p, o.q, o.u }, {})
  o:recycle()
  o = pools:take()
  spec.equal({ o.p == shared, o.q, o.u }, { true, nil, false })
end)

-- }==

-- {== Kinds that are edited ==================================================

local keep <const>, live <const>, any <const> = spawnpool.keep, spawnpool.live, spawnpool.any

local LIST <const> = {}
spawnpool.class("Other", {})
local OTHER <const> = spawnpool.pools:alloc "Other"

-- `holds`: fields that hold the same keep their values in live objects. `first`: the value of a life that begins,
-- `other`: what the game has set. Those of the second list are the edited ones.
local function kinds(n)
  local text <const> = ("a"):rep(n)
  local function make(o) return { o.id, n } end
  return {
    { name = "an integer", kind = n, holds = "number", first = n, other = n + 70 },
    { name = "a float", kind = n + 0.5, holds = "number", first = n + 0.5, other = n + 70.5 },
    { name = "a boolean", kind = true, holds = "boolean", first = true, other = false },
    { name = "a text", kind = text, holds = "text", first = text, other = "other" },
    { name = "keep(number)", kind = keep(n), holds = "number", first = n, other = n + 80, keeps = true },
    { name = "keep(text)", kind = keep(text), holds = "text", first = text, other = "kept", keeps = true },
    { name = "live(number)", kind = live(n), holds = "number", first = n, other = n + 90, follows = true },
    { name = "live(text)", kind = live(text), holds = "text", first = text, other = "live", follows = true },
    { name = "fresh", kind = spawnpool.fresh(make), holds = "fresh", first = n, other = { "fresh" }, is_fresh = true },
    { name = "any(v)", kind = any(text), holds = "any", first = text, other = LIST },
    { name = "any()", kind = any(), holds = "any", first = nil, other = "anything" },
    { name = "ref", kind = spawnpool.ref, holds = "ref", first = nil, other = OTHER },
  }
end

local function class_with(kind) return { fields = { aa = 1, field = kind, zz = "z" } } end

-- The field as it is when a life begins.
local function expect_first(o, kind, what)
  local value <const> = o.field
  if kind.is_fresh then
    spec.equal({ what, value }, { what, { o.id, kind.first } })
    spec.equal(o.field == value, true)
  else
    spec.equal({ what, value, n = 2 }, { what, kind.first, n = 2 })
  end
end

local function try(from, to)
  local pools <const>, what <const> = kit.new(), from.name .. " -> " .. to.name
  local Cube <const> = spawnpool.class("Cube", class_with(from.kind))
  local untouched <const>, unread <const>, set <const> = pools:alloc "Cube", pools:alloc "Cube", pools:alloc "Cube"
  local idle <const> = pools:alloc "Cube"
  local old <const> = untouched.field
  set.field, idle.field = from.other, from.other
  local number <const> = idle.id
  idle:recycle()
  Cube.fields = class_with(to.kind).fields
  local same <const> = from.holds == to.holds
  if not same or to.follows then
    expect_first(untouched, to, what)
  else
    spec.equal({ what, untouched.field, n = 2 }, { what, old, n = 2 })
    if not to.is_fresh then spec.equal({ what, unread.field, n = 2 }, { what, old, n = 2 }) end
  end
  if same then
    spec.equal({ what, set.field, n = 2 }, { what, from.other, n = 2 })
  else
    expect_first(set, to, what)
    expect_first(unread, to, what)
    if to.is_fresh then spec.equal(set.field ~= untouched.field, true) end
  end
  spec.equal({ set.aa, set.zz }, { 1, "z" })
  local again <const> = pools:take(function(o) return o.id == number end)
  if same and from.keeps and to.keeps then
    spec.equal({ what, again.field, n = 2 }, { what, from.other, n = 2 })
  elseif not (to.keeps and same) then
    expect_first(again, to, what)
  end
  for _ = 1, 40 do expect_first(pools:alloc "Cube", to, what) end
  set.field = to.other
  spec.equal({ what, set.field == to.other }, { what, true })
  spec.check()
  pools:close()
end

for i, from in ipairs(kinds(1)) do
  spec.test(("a field whose kind is edited from %s to any other"):format(from.name), function()
    for _, to in ipairs(kinds(2)) do try(kinds(1)[i], to) end
  end)
end

spec.test("a field whose kind is edited: keeps the defaults that objects have through any number of edits", function()
  local pools <const>, objects <const> = kit.new(), {}
  local Cube <const> = spawnpool.class("Cube", class_with "1")
  for i = 1, 6 do
    objects[i] = pools:alloc "Cube"
    Cube.fields = class_with(tostring(i + 1)).fields
  end
  for i, o in ipairs(objects) do spec.equal(o.field, tostring(i)) end
  Cube.fields = class_with(live "7").fields -- nobody has the default "7"
  Cube.fields = class_with(live "8").fields
  objects[3].field = "8" -- set by the game, and the same as the default
  Cube.fields = class_with(live "9").fields
  spec.equal({ objects[2].field, objects[3].field, pools:alloc("Cube").field }, { "2", "9", "9" })
end)

-- }==
