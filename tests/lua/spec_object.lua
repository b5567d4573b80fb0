-- Objects: their fields, times and names, equality, and stale references.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

local function open(definition)
  local pools <const> = kit.new()
  spawnpool.class("Cube", definition or { grow = 1, fields = { hp = 1, speed = 1.5, armed = false, name = "crate" } })
  return pools, pools:alloc "Cube"
end

spec.describe("an object", function()
  spec.test("takes a value in every writable field and gives it back", function()
    local _, o <const> = open()
    for name in ("x y vx vy ax ay angle spin scale r g b a radius"):gmatch "%a+" do
      o[name] = -12.5
      spec.equal(o[name], -12.5, name)
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

  spec.test("is walked by pairs: own fields, then the built-in ones, without those that are nil", function()
    local pools <const>, o <const> = open { fields = { hp = 1, target = spawnpool.ref, bag = spawnpool.any(), made =
      spawnpool.fresh(function(made_for) return made_for.hp + 1 end) } }
    o.x, o.bag = 5, "full"
    local names <const>, values <const> = {}, {}
    for name, value in pairs(o) do
      names[#names + 1] = name
      values[name] = value
      spec.equal(o[name], value)
    end
    spec.equal(table.concat(names, " "),
      "bag hp made x y angle vx vy ax ay spin scale radius layer sprite r g b a visible pinned")
    spec.equal({ values.hp, values.bag, values.made, values.x }, { 1, "full", 2, 5.0 })
    o.target, o.parent = o, pools:alloc "Cube"
    local seen <const> = {}
    for name in pairs(o) do seen[name] = true end
    spec.equal({ seen.target, seen.parent, seen.type, seen.recycle }, { true, true })
    local next_field <const> = pairs(o)
    o:recycle()
    spec.expect_error("is stale", pairs, o)
    kit.refuses({ next_field = next_field, o = o }, { { "next_field(o, 'x')", "is stale" } })
  end)

  spec.test("ends a walk over its fields when a value that is made ends its life", function()
    local pools <const>, o <const> = open { fields = { made = spawnpool.fresh(function(made_for)
      made_for:recycle()
      return 7
    end), more = 1 } }
    kit.refuses({ pairs = pairs, o = o }, { { "for _ in pairs(o) do end", "is stale" } })
    spec.equal(pools:stats().live, 0)
  end)

  spec.test("ends with the block of a <close> variable", function()
    local pools <const>, heard = kit.new(), {}
    local Cube <const> = spawnpool.class "Cube"
    function Cube:on_despawn(o, why) heard[#heard + 1] = why .. o.id end
    do local _ <close> = pools:alloc "Cube" end
    pcall(function()
      local _ <close> = pools:alloc "Cube"
      error "out"
    end)
    do
      local o <close> = pools:alloc "Cube"
      o:recycle()
    end
    do local _ <close> = pools:alloc("No such", -1) end
    spec.equal({ pools:stats().live, #heard }, { 0, 3 })
    spec.equal(kit.warnings(function()
      local o <close> = pools:alloc "Cube"
      pools:close()
      spec.equal(o.alive, false)
    end), {})
  end)

  kit.test("has what remains of its time, which can be set also in hooks", {}, function(pools, Cube)
    function Cube:on_spawn(o) o.remaining = 4 * kit.STEP end
    function Cube:on_despawn(o) o.remaining = 5 end
    local o <const>, other <const> = pools:alloc "Cube", pools:alloc("Cube", 0, { remaining = 2 * kit.STEP })
    kit.tick(pools)
    spec.equal({ o.remaining, o.lifetime, other.remaining }, { 3 * kit.STEP, 4 * kit.STEP, 3 * kit.STEP })
    other.remaining, o.remaining = 0, math.huge
    spec.equal({ other.alive, o.remaining, o.lifetime }, { true, math.huge, 0 })
    kit.tick(pools)
    spec.equal({ other.alive, o.alive }, { false, true })
    Cube.on_spawn = nil
    spec.equal(pools:alloc("Cube", 0, { remaining = 2 * kit.STEP }).remaining, 2 * kit.STEP)
  end)

  spec.test("reads Cube#12 (live)", function()
    local pools <const>, o <const> = open()
    spec.equal(tostring(o), "Cube#1 (live)")
    for _ = 2, 11 do pools:alloc "Cube" end
    local twelfth <const> = pools:alloc "Cube"
    spec.equal(("%s"):format(twelfth), "Cube#12 (live)")
    twelfth:recycle()
    spec.equal(tostring(twelfth), "Cube#12 (stale)")
    pools:remove "Cube"
    spec.equal(tostring(twelfth), "object (stale)")
    pools:close()
    spec.equal(tostring(twelfth), "object (stale)")
  end)

  spec.test("is equal to itself alone, and a table key for ever", function()
    local pools <const>, o <const> = open()
    local other <const> = pools:alloc "Cube"
    local first <const>, state <const> = pools:pool("Cube"):each()
    spec.equal({ o == first(state, nil), rawequal(o, first(state, nil)) }, { true, true })
    spec.equal({ o == other, o == nil, o == "Cube#1 (live)" }, { false, false, false })
    local names <const> = { [o] = "first", [other] = "other" }
    o:recycle()
    local heir <const> = pools:alloc "Cube"
    spec.equal({ names[o], names[other], names[heir], o == heir }, { "first", "other", nil, false })
    spec.equal(heir.id, 1)
  end)
end)

spec.test("a stale reference: raises when it is read or written, and says what to do, for ever", function()
  local pools <const>, o <const> = open()
  o:recycle()
  local it <const> = { o = o }
  local message = "Cube#1 is stale: that life is over (test obj.alive or pools:is_live(obj) before use"
  local rows <const> = { { "o.alive = true", message } }
  for _, name in ipairs { "x", "hp", "type", "pool", "id", "age", "remaining", "nothing" } do
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

kit.test("launch: turns an object and gives it a speed that way", {}, function(pools)
  local o <const> = pools:alloc("Cube", 0, 5, 6)
  spec.equal(o:launch(math.pi / 2, 60) == o, true)
  spec.equal({ math.abs(o.vx) < 1e-4, o.vy, o.x, o.y }, { true, 60, 5, 6 })
  spec.equal(math.abs(o.angle - math.pi / 2) < 1e-6, true)
  o:launch(0, -2)
  spec.equal({ o.angle, o.vx, math.abs(o.vy) }, { 0, -2, 0 })
end)

kit.test("a parent: may end while its child spawns", function(pools)
  spawnpool.class("Ship", {})
  local Gun <const> = spawnpool.class("Gun", {})
  function Gun:on_spawn(o) o.parent:recycle() end
  local ship <const> = pools:alloc "Ship"
  spec.equal({ pools:alloc("Gun", 0, 0, 0, 0, ship) }, { nil, "recycled" })
  spec.equal(pools:stats().live, 0)
  -- Its own alloc evicts the parent: then there is nothing to be a child of.
  Gun.on_spawn = nil
  local one <const> = pools:alloc "Gun"
  Gun.limit, Gun.overflow = 1, "oldest"
  spec.equal({ pools:alloc("Gun", 0, 0, 0, 0, one) }, { nil, "stale" })
  spec.equal(pools:stats().live, 0)
  kit.check(pools, "Ship", "Gun")
end)

spec.test("a light userdata of another library: of any bits does no harm", function()
  local pools <const> = kit.new { misuse = "ignore" }
  spawnpool.class("Cube", { fields = { hp = 1 } })
  local live <const> = {}
  for i = 1, 300 do live[i] = pools:alloc "Cube" end
  for i = 1, 300, 3 do live[i]:recycle() end
  local total <const> = pools:pool("Cube").live
  math.randomseed(7)
  for _ = 1, 3000 do
    -- Bits near those of real references: small generations, low ids, slots around the end.
    local foreign <const> = spec.light(math.random(0, 6) << 32 | math.random(0, 4) << 24 | math.random(0, 1100))
    local x <const>, y <const> = pcall(function() return foreign.x end)
    spec.equal(x or type(y) == "string", true)
    pcall(function() foreign.hp = 2 end)
    spec.equal(type(tostring(foreign)), "string")
    if not pools:is_live(foreign) then
      local done <const>, why <const> = pools:recycle(foreign)
      spec.equal({ done, why == "foreign" or why == "stale" }, { false, true })
    end
  end
  spec.equal(pools:pool("Cube").live, total)
  kit.check(pools, "Cube")
end)
