-- Light userdata of other libraries: told from objects, with a clear error, whatever bits they have.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

spec.reports() -- from now on
local NULL <const> = spec.light(0)

spec.describe("a light userdata of another library", function()
  kit.test("is no object: a clear error when it is used as one", {}, function(pools)
    pools:alloc "Cube"
    for _, address in ipairs { 0, 1, 64, 0x7ffc12345678, 0x55d0c0ffee00, -1, math.mininteger, 0xffffffff } do
      local foreign <const> = spec.light(address)
      local pattern <const> = "this light userdata is no spawnpool object"
      kit.blames(pattern, function() return foreign.x end)
      kit.blames(pattern, function() return foreign[1] end)
      kit.blames(pattern, function() return foreign.pool end)
      kit.blames(pattern, function() return foreign.recycle end)
      kit.blames(pattern, function() return foreign:recycle() end)
      kit.blames(pattern, function() foreign.x = 1 end)
      kit.blames(pattern, function() foreign.alive = 1 end)
      spec.equal({ foreign.alive, pools:is_live(foreign) }, { false, false })
      spec.equal(tostring(foreign):match "^light userdata: " ~= nil, true)
    end
  end)

  kit.test("is refused as foreign by recycle", {}, function(pools)
    local base <const> = spawnpool.class("Cube").super
    for _, address in ipairs { 0, 0x7ffc12345678, -1 } do
      local foreign <const> = spec.light(address)
      spec.equal({ pools:recycle(foreign) }, { false, "foreign" })
      spec.equal({ pools:pool("Cube"):recycle(foreign) }, { false, "foreign" })
      spec.equal({ base.recycle(pools:pool "Cube", foreign) }, { false, "foreign" })
    end
    spec.equal(spec.reports():match "recycle of object refused: foreign" ~= nil, true)
  end)

  spec.test("is still a value: comparable, printable, a table key", function()
    local t <const> = { [NULL] = "null" }
    spec.equal({ t[spec.light(0)], NULL == spec.light(0), NULL == spec.light(1), type(NULL) },
      { "null", true, false, "userdata" })
    spec.equal(NULL == nil, false)
  end)

  kit.test("is no victim, no result of an override, and no place to walk on from",
    { limit = 1, overflow = function() return NULL end }, function(pools, Cube)
    local o <const> = pools:alloc "Cube"
    spec.equal({ pools:alloc "Cube" }, { nil, "full" })
    function Cube:alloc() return NULL end
    spec.expect_error("alloc of class 'Cube' returned light userdata: ", pools.alloc, pools, "Cube")
    local next <const>, state <const> = pools:pool("Cube"):each()
    for _, address in ipairs { 0, 0x7ffc12345678, -1, 0x01ffffff, 0x100ffffff } do
      spec.expect_error("bad argument #2", next, state, spec.light(address))
    end
    spec.equal(o.alive, true)
  end)

  spec.test("of any bits does no harm", function()
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
end)
