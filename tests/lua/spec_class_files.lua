-- Class files: `path` says where a type without a class is looked for on first use.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

local POOLS <const> = "tests/lua/fixtures/pools/?.lua"

local function open(options)
  local all <const> = { path = POOLS }
  for key, value in pairs(options or {}) do all[key] = value end
  return kit.new(all)
end

spec.describe("a class file", function()
  spec.test("is found when its type is first used, by alloc or pool", function()
    local pools <const> = open()
    local o <const> = pools:alloc "Cube"
    spec.equal({ o.x, o.y, pools:pool("Cube").limit, pools:pool("Cube").class == spawnpool.class "Cube" },
      { 4.0, 5.0, 2, true })
    spec.equal(open():pool("Silent").class == spawnpool.class "Silent", true)
  end)

  spec.test("is not needed when the class is declared already", function()
    spawnpool.class("Cube", { limit = 7 })
    spec.equal(open():pool("Cube").limit, 7)
  end)

  spec.test("serves every manager, wherever they look", function()
    local first <const>, second <const> = open(), kit.new { path = "tests/lua/fixtures/more/?.lua" }
    spec.equal({ first:pool("Cube").limit, second:pool("Cube").limit }, { 2, 2 })
  end)

  spec.test("may extend a class with a file of its own, found in the same place", function()
    local pools <const> = open()
    local o <const> = pools:alloc "Child"
    spec.equal({ o.x, o.y, pools:pool("Child").limit }, { 1.0, 2.0, 3 })
    spec.equal(spawnpool.class("Child").super == spawnpool.class "Parent", true)
  end)

  spec.test("is not looked for without a path, nor under a name that is no file name", function()
    spec.equal(#kit.warnings(function() kit.new():alloc "Cube" end), 1)
    local pools <const> = kit.new { path = "tests/lua/fixtures/?/Cube.lua" }
    for _, name in ipairs { "../fixtures/pools", "pools/../pools", "./pools", "pools\\", "po?ls", "%1" } do
      local said <const> = kit.warnings(function() pools:alloc(name) end)
      spec.equal({ #said, said[1]:find("(no class of that name):", 1, true) ~= nil }, { 1, true }, name)
    end
  end)

  spec.test("takes the place of every question mark", function()
    local pools <const> = kit.new { path = "tests/lua/fixtures/pools/?.lua/../?.lua" }
    kit.warnings(function() pools:alloc "Cube" end)
    local dashed <const> = kit.new { path = "tests/lua/?tures/pools/Cube.lua" }
    spec.expect_error("fixtures/pools/Cube.lua declares class 'Cube', not class 'fix'", dashed.pool, dashed, "fix")
  end)

  spec.test("that is wrong is an error with its line, or the caller's, each time it is needed", function()
    local pools <const>, texts <const> = open(), kit.new { path = "tests/lua/fixtures/more/?.txt" }
    for type, message in pairs {
      Raises = "fixtures/pools/Raises.lua:2: this file is not finished$",
      Slip = "fixtures/pools/Slip.lua: class 'Slip' has no setting 'limt' (did you mean 'limit'?)$",
      Lonely = "fixtures/pools/Lonely.lua: class 'Lonely' extends 'Nobody', which is not declared",
      Round = "pools/Trip.lua: class 'Round' is needed before its file, tests/lua/fixtures/pools/Round.lua, has decl",
      Trip = "pools/Round.lua: class 'Trip' is needed before its file, tests/lua/fixtures/pools/Trip.lua, has declared",
      Broken = "fixtures/more/Broken.txt:3: unexpected symbol near ','",
    } do
      for _ = 1, 2 do
        for _, call in ipairs { pools.alloc, pools.pool } do
          local ok <const>, text <const> = pcall(call, type == "Broken" and texts or pools, type)
          spec.equal({ ok, (text .. "$"):find(message, 1, true) ~= nil }, { false, true }, text)
        end
      end
    end
    kit.refuses({ pools = pools }, {
      { "pools:alloc 'Other'",
        "fixtures/pools/Other.lua declares class 'Another', not class 'Other': a class file is named after" },
      { "pools:alloc 'Reassigned'",
        "fixtures/pools/Reassigned.lua: class 'Reassigned': super is set by spawnpool.class" },
      { "pools:pool 'Empty'", "fixtures/pools/Empty.lua declares no class, not class 'Empty'" },
    })
    spec.equal({ pools:alloc("Another").alive, pools:alloc("Cube").alive, pools:alloc("Child").alive },
      { true, true, true })
    spec.equal(texts:stats().total, 0)
  end)

  spec.test("may make its own pool while it runs", function()
    local pools <const> = open()
    package.loaded.manager = pools
    local o <const> = pools:alloc "Eager"
    spec.equal({ o.id, o.x, pools:pool("Eager").live }, { 2, 7.0, 2 })
    kit.check(pools, "Eager")
  end)

  spec.test("may close the manager that asked for it", function()
    local pools <const> = open()
    package.loaded.manager = pools
    spec.equal({ pools:alloc "Closer" }, { nil, "closed" })
  end)
end)

spec.describe("an unknown type", function()
  kit.test("gets a generic pool, one warning, and the nearest name", function(pools)
    spawnpool.class "Bullet"
    local o
    local said <const> = kit.warnings(function()
      o = pools:alloc("Bulet", 0, 1, 2, 3)
      pools:alloc "Bulet"
      pools:pool "Bulet"
    end)
    spec.equal(said, { "spawnpool: unknown type 'Bulet' (no class of that name) (did you mean 'Bullet'?): "
      .. "it gets the generic pool" })
    spec.equal({ o.x, o.y, o.angle, o.type, o.pool.class }, { 1.0, 2.0, 3.0, "Bulet" })
    spec.equal({ pools:pool("Bulet").limit, pools:pool("Bulet").overflow }, { nil, "refuse" })
  end)

  spec.test("is told where it was looked for", function()
    local pools <const> = open()
    spec.equal(kit.warnings(function() pools:alloc "Zebra" end), {
      "spawnpool: unknown type 'Zebra' (no class of that name, no tests/lua/fixtures/pools/Zebra.lua): "
        .. "it gets the generic pool",
    })
  end)

  spec.test("is an error at the caller's line with unknown = 'error'", function()
    local pools <const> = open { unknown = "error" }
    spawnpool.class "Bullet"
    local message <const> = "unknown type 'Bulet' (no class of that name, no tests/lua/fixtures/pools/Bulet.lua) (did "
      .. "you mean 'Bullet'"
    kit.refuses({ pools = pools }, { { "pools:alloc 'Bulet'", message }, { "pools:pool 'Bulet'", message } })
    spec.equal({ pools:stats().total, pools:alloc("Bullet").alive, pools:alloc("Cube").alive }, { 0, true, true })
  end)

  spec.test("makes no pool when one only asks about it", function()
    local pools <const> = kit.new { unknown = "error" }
    spec.equal({ pools:stats("Nothing").total, pools:clear "Nothing", pools:recycle_all "Nothing" }, { 0, 0, 0 })
    spec.equal({ pools:remove "Nothing" }, { 0, 0 })
    spec.expect_error("unknown type", pools.alloc, pools, "Nothing")
  end)
end)
