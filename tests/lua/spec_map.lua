-- Walks that read fields: pool:each(field...) and pool:map. Whatever happens inside of one, an object has what the
-- function returned for it, and `o.field` says the same.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

local BUILT_IN <const> = {
  "x", "y", "vx", "angle", "radius", "scale", "layer", "sprite", "visible", "age", "id", "type", "parent", "remaining",
  "alive", "scale_x",
}
local FIELDS <const> = { n = 1, f = 0.5, flag = true, text = "a", kept = spawnpool.keep(4), list = spawnpool.any(),
  to = spawnpool.ref, made = spawnpool.fresh(function() return {} end) }

local function list(next_one, serial)
  local objects <const> = {}
  for o in next_one, serial do objects[#objects + 1] = o end
  return objects
end

-- Objects with ends, parents and values of their own.
local function fill(pools, count)
  local objects <const> = {}
  for i = 1, count do
    local o <const> = pools:alloc("Cube", i % 3 * 5, i, -i, i / 7)
    o.n, o.f, o.text, o.to, o.layer = i, i / 3, tostring(i), objects[i - 1], i % 8
    if i % 5 == 0 then o.parent = objects[i - 1] end
    objects[i] = o
  end
  return objects
end

kit.test("each with fields gives each object what its fields read as, in the order of each()", { fields = FIELDS },
  function(pools)
  local names <const> = table.move(BUILT_IN, 1, #BUILT_IN, 1, {})
  for name in pairs(FIELDS) do names[#names + 1] = name end
  local objects <const>, pool <const> = fill(pools, 150), pools:pool "Cube"
  objects[30]:recycle()
  for round = 1, 2 do -- in the second one, scale_x has a column, and the iterators are known
    for first = 1, #names do
      local walk <const> = list(pool:each())
      local a <const>, b <const>, c <const> = names[first], names[first * 7 % #names + 1], names[first * 5 % #names + 1]
      for o, va, vb, vc in pool:each(a, b, c) do
        spec.equal(o, table.remove(walk, 1))
        spec.equal({ n = 4, a, va, vb, vc }, { n = 4, a, o[a], o[b], o[c] })
        spec.equal(math.type(va), math.type(o[a]))
      end
      spec.equal(#walk, 0)
    end
    objects[1].scale_x = round
  end
end)

kit.test("map that returns what it was given changes nothing, field by field and all at once", { fields = FIELDS },
  function(pools)
  fill(pools, 100)
  local pool <const> = pools:pool "Cube"
  pool:set("scale_x", 1)
  local all <const> = { "x", "y", "vx", "angle", "radius", "scale", "layer", "sprite", "visible", "parent", "remaining",
    "scale_x", "n", "f", "flag", "to" }
  for _, o in ipairs(list(pool:each "made")) do spec.equal(o.made ~= nil, true) end
  local hash <const> = pools:hash()
  for _, name in ipairs(all) do
    spec.equal(pool:map({ name }, function(_, value) return value end), 100)
    spec.equal({ name, pools:hash() }, { name, hash })
  end
  spec.equal({ pool:map(all, function(_, ...) return ... end), pools:hash() }, { 100, hash })
  spec.equal({ pool:map({}, function(...) return select("#", ...) end), pools:hash() }, { 100, hash })
end)

kit.test("map stores as many values as there are, leaves a field for nil, and passes its arguments on",
  { fields = { n = 1, text = "a" } }, function(pools, Cube)
  local a <const>, pool <const> = pools:alloc("Cube", 0, 1, 2), pools:pool "Cube"
  function Cube.steer(o, x, y, n, ...) -- a method of the class will do
    spec.equal({ o, x, y, n, ... }, { a, 1.0, 2.0, 1, "p", false })
    return x + 1, nil, n + 1, "more than there are fields"
  end
  spec.equal({ pool:map({ "x", "y", "n" }, Cube.steer, "p", false), a.x, a.y, a.n }, { 1, 2.0, 2.0, 2 })
  spec.equal({ pool:map({ "x", "y" }, function() return 9 end), a.x, a.y, math.type(a.n) }, { 1, 9.0, 2.0, "integer" })
  spec.equal({ pool:map({ "text", "n" }, function(_, text) return text .. "b", 3 end), a.text, a.n }, { 1, "ab", 3 })
end)

kit.test("map goes on after an error, and raises the first one with the object; a wrong result stores nothing",
  { fields = FIELDS }, function(pools)
  local objects <const>, pool <const> = fill(pools, 70), pools:pool "Cube"
  local calls, thrown = 0, {}
  local function fails(o, _, n)
    calls = calls + 1
    if o == objects[40] then error "the first" end
    if o == objects[50] then error(thrown) end
    return n, 0
  end
  local _, message <const> = pcall(pool.map, pool, { "x", "n" }, fails)
  spec.contains(message, "spec_map.lua:", ": the first (Cube#40)")
  spec.equal({ calls, objects[39].n, objects[40].n, objects[50].n, objects[51].n }, { 70, 0, 40, 50, 0 })
  objects[40]:recycle()
  spec.equal({ pcall(pool.map, pool, { "x", "n" }, fails) }, { false, thrown })
  for _, row in ipairs {
    { 5, {}, "'n' must be a number, got table" }, { 0 / 0, 5, "'x' must be a finite number, got " },
    { 5, 1 << 60, "'n' is an integer beyond 2^53" }, { 5, "3", "'n' must be a number, got '3'" },
  } do
    local before <const> = pools:hash()
    local ok <const>, said <const> = pcall(function() pool:map({ "x", "n" }, function() return row[1], row[2] end) end)
    spec.contains(said, "spec_map.lua:", "what the function of map returns for field ", row[3], "(Cube#1)")
    spec.equal({ ok, pools:hash() }, { false, before })
  end
end)

-- Each act happens at object 10 of 100 in a map that returns 7 for all. It returns what `n` of 10 and 11 is, and calls.
kit.test("lives and classes may change inside a map, which stores nothing into a life that has ended",
  { fields = { n = 1 }, grow = 8 }, function(pools)
  local pool <const> = pools:pool "Cube"
  local snapshot
  for name, row in pairs {
    recycle = { function(o) o:recycle() end, nil, 7, 100 },
    ["a new life in the slot"] = { function(o) o:recycle() pools:take { type = "Cube" } end, nil, 7, 100 },
    ["the next one ends"] = { function(_, next_one) next_one:recycle() end, 7, nil, 99 },
    growth = { function() for _ = 1, 500 do pools:alloc "Cube" end end, 7, 7, 100 },
    restore = { function() pools:restore(snapshot) end, 1, 7, 100 },
    clear = { function() pool:clear() pool:trim() end, 7, 7, 100 },
    ["a field more"] = { function() pool:set("scale_x", 3) end, 7, 7, 100 },
    ["a map inside"] = { function() pool:map({ "n" }, function() return 6 end) end, 7, 7, 100 },
    ["a walk inside"] = { function() for o, n in pool:each "n" do o.n = n + 1 end end, 7, 7, 100 },
  } do
    pools:recycle_all()
    for _ = 1, 100 do pools:alloc "Cube" end
    local objects <const> = list(pool:each())
    snapshot = pools:snapshot()
    local calls <const> = pool:map({ "n" }, function(o)
      if o == objects[10] then row[1](o, objects[11]) end
      return 7
    end)
    local ten <const>, eleven <const> = objects[10], objects[11]
    spec.equal({ name, n = 4, ten.alive and ten.n, eleven.alive and eleven.n, calls },
      { name, n = 4, row[2] or false, row[3] or false, row[4] })
    spec.equal({ name, objects[100].alive and objects[100].n }, { name, 7 })
  end
  for _, gone in ipairs { function() pools:remove "Cube" end, function() pools:close() end } do
    for _ = 1, 3 do pools:alloc "Cube" end
    local p <const> = pools:pool "Cube"
    spec.equal(p:map({ "n" }, function() gone() return 7 end), 1)
  end
end)

kit.test("a function of map that yields stops it, with words that say what to do", { fields = FIELDS }, function(pools)
  fill(pools, 9)
  local calls = 0
  local said <const> = coroutine.wrap(function()
    return select(2, pcall(function()
      pools:pool("Cube"):map({ "x" }, function() calls = calls + 1 coroutine.yield() end)
    end))
  end)()
  spec.contains(said, "the function of map cannot yield: ", "object:run(fn)")
  spec.equal(calls, 1)
end)

kit.test("map and each with fields make no garbage", {}, function(pools)
  local pool <const>, names <const> = pools:pool "Cube", { "x", "layer" }
  for i = 1, 100 do pools:alloc("Cube", 0, i) end
  local function keep(_, x) return x end
  local function frame()
    pool:map(names, keep)
    for o, x, y in pool:each("x", "y") do spec.equal(o and x + y, x) end
  end
  frame()
  collectgarbage "stop"
  local least = math.huge -- a collection of a hook in between may have given back a frame of the stack
  for _ = 1, 3 do
    local before <const> = collectgarbage "count"
    for _ = 1, 20 do
      pool:map(names, keep)
      for _ in pool:each("x", "y") do end
    end
    least = math.min(least, collectgarbage "count" - before)
  end
  collectgarbage "restart"
  spec.equal(least, 0.0)
end)

spec.test("wrong calls of map and each say which field and why", function()
  local pools <close> = kit.new()
  spawnpool.class("Cube", { fields = { hp = 1 }, methods = { hit = print } })
  local o <const> = pools:alloc "Cube"
  local many <const> = {}
  for i = 1, 17 do many[i] = "x" end
  kit.refuses({ pool = pools:pool "Cube", f = print, many = many, unpack = table.unpack, o = o }, {
    { "pool:each(V)", "bad argument #1 to 'each' (the name of a field expected, got ", { 1, true, {}, print } },
    { "pool:each('x', 'hpp')", "bad argument #2 to 'each' (Cube has no field 'hpp' (did you mean 'hp'?)" },
    { "pool:each('x', 'hit')", "bad argument #2 to 'each' ('hit' of Cube is a method, not a field)" },
    { "pool:each('recycle')", "bad argument #1 to 'each' ('recycle' of Cube is a method, not a field)" },
    { "pool:each(unpack(many))", "bad argument #17 to 'each' (at most 16 fields, got 17)" },
    { "pool:map(V, f)", "bad argument #1 to 'map' (table expected, got ", { "x", 1, true } },
    { "pool:map(many, f)", "bad argument #1 to 'map' (at most 16 fields, got 17)" },
    { "pool:map({ 'x', 5 }, f)", "bad argument #1 to 'map' (the name of a field expected, got 5" },
    { "pool:map({ 'q' }, f)", "bad argument #1 to 'map' (Cube has no field 'q'" },
    { "pool:map({ 'x' }, V)", "bad argument #2 to 'map' (function expected, got ", { "x", 1, {} } },
    { "pool:map({ 'parent' }, function() return o end)", "for field 'parent' must not be the object itself" },
    { "pool:map({ 'id' }, function() return 3 end)", "for field 'id' is read only, got 3 (Cube#1)" },
  })
end)
