-- Fields whose kind is edited while objects live, for all pairs of kinds, and changes that a pool rejects.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

local keep <const>, live <const>, any <const> = spawnpool.keep, spawnpool.live, spawnpool.any

local LIST <const> = {}
spawnpool.class("Other", {})
local others <const> = kit.new()
local OTHER <const> = others:alloc "Other"

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
  kit.check(pools, "Cube")
  pools:close()
end

spec.describe("a field whose kind is edited", function()
  for i, from in ipairs(kinds(1)) do
    spec.test(("from %s to any other"):format(from.name), function()
      for _, to in ipairs(kinds(2)) do try(kinds(1)[i], to) end
    end)
  end

  kit.test("back and forth begins anew each time", function(pools)
    local Cube <const> = spawnpool.class("Cube", class_with "a")
    local o <const> = pools:alloc "Cube"
    for i = 1, 5 do
      Cube.fields = class_with(spawnpool.fresh(function() return { i } end)).fields
      spec.equal(o.field, { i })
      Cube.fields = class_with "b".fields
      spec.equal(o.field, "b")
      o.field = "c"
    end
  end)

  spec.test("keeps the defaults that objects have through any number of edits", function()
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
end)

kit.test("a change that a pool refuses: leaves the class as it was, too", function(pools)
  local Cube <const> = spawnpool.class("Cube", { prealloc = 2, fields = { n = 1 } })
  local o <const>, idle <const> = pools:alloc "Cube", pools:pool("Cube").idle
  others:pool "Cube"
  -- OTHER has one of the 2^24 slots of a manager.
  local wrong <const> = "cannot change the pool of 'Cube': the allocator refused"
  spec.expect_error(wrong, function() Cube.prealloc = 1 << 24 end)
  spec.expect_error(wrong, spawnpool.class, "Cube", { prealloc = 1 << 24, fields = { m = 1 } })
  spec.expect_error(wrong, spawnpool.class, "Cube", { prealloc = 1 << 24, extends = "Other", grow = 3 })
  spec.equal({ Cube.prealloc, Cube.grow, pools:pool("Cube").idle, o.n }, { 2, nil, idle, 1 })
  spec.equal(Cube.extends, nil)
  Cube.fields = { m = 2 }
  spec.equal({ o.m, others:alloc("Cube").m }, { 2, 2 })
end)
