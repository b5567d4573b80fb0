-- Class files: `path` says where a type without a class is looked for on first use.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

local function open(options)
  local all <const> = { path = "tests/lua/fixtures/pools/?.lua" }
  for key, value in pairs(options or {}) do all[key] = value end
  return kit.new(all)
end

spec.test("a class file is found when its type is first used, by alloc or pool, and serves every manager", function()
  local pools <const>, others <const> = open(), kit.new { path = "tests/lua/fixtures/more/?.lua" }
  local o <const> = pools:alloc "Cube"
  spec.equal({ o.x, o.y, o.pool.limit, o.pool.class == spawnpool.class "Cube" }, { 4.0, 5.0, 2, true })
  spec.equal({ others:pool("Cube").limit, pools:pool("Silent").class == spawnpool.class "Silent" }, { 2, true })
  local child <const> = pools:alloc "Child" -- its parent has a file of its own
  spec.equal({ child.x, child.y, child.pool.limit }, { 1.0, 2.0, 3 })
  spec.equal(spawnpool.class("Child").super == spawnpool.class "Parent", true)
end)

spec.test("a class file is not looked for when the class is there, without a path, or under no file name", function()
  spec.equal(#kit.warnings(function() kit.new():alloc "Cube" end), 1)
  local pools <const> = kit.new { path = "tests/lua/fixtures/?/Cube.lua" }
  for _, name in ipairs { "../fixtures/pools", "pools/../pools", "./pools", "pools\\", "po?ls", "%1" } do
    local said <const> = kit.warnings(function() pools:alloc(name) end)
    spec.equal({ #said, said[1]:find("(no class of that name):", 1, true) ~= nil }, { 1, true }, name)
  end
  spawnpool.class("Cube", { limit = 7 })
  spec.equal(open():pool("Cube").limit, 7)
end)

spec.test("a class file takes the place of every question mark", function()
  local pools <const> = kit.new { path = "tests/?/fixtures/../../?/fixtures/pools/Cube.lua" }
  spec.expect_error("fixtures/pools/Cube.lua declares class 'Cube', not class 'lua'", pools.pool, pools, "lua")
end)

spec.test("a class file that is wrong is an error with its line, or the caller's, each time it is needed", function()
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

spec.test("a class file may make its own pool while it runs, or close the manager that asked for it", function()
  local pools <const> = open()
  package.loaded.manager = pools
  local o <const> = pools:alloc "Eager"
  spec.equal({ o.id, o.x, pools:pool("Eager").live }, { 2, 7.0, 2 })
  kit.check(pools, "Eager")
  spec.equal({ pools:alloc "Closer" }, { nil, "closed" })
end)

kit.test("an unknown type gets a generic pool, and one warning with the nearest name and its file", function(pools)
  spawnpool.class "Bullet"
  local said <const> = kit.warnings(function()
    local o <const> = pools:alloc("Bulet", 0, 1, 2, 3)
    local pool <const> = pools:pool "Bulet"
    pools:alloc "Bulet"
    spec.equal({ o.x, o.y, o.angle, o.type, pool.overflow }, { 1.0, 2.0, 3.0, "Bulet", "refuse" })
    spec.equal({ n = 2, pool.class, pool.limit }, { n = 2 })
    open():alloc "Zebra"
  end)
  spec.equal(said, {
    "spawnpool: unknown type 'Bulet' (no class of that name) (did you mean 'Bullet'?): it gets the generic pool",
    "spawnpool: unknown type 'Zebra' (no class of that name, no tests/lua/fixtures/pools/Zebra.lua): "
      .. "it gets the generic pool",
  })
end)

spec.test("an unknown type is an error with unknown = 'error', but to calls that only ask about it", function()
  local pools <const> = open { unknown = "error" }
  spawnpool.class "Bullet"
  local message <const> = "unknown type 'Bulet' (no class of that name, no tests/lua/fixtures/pools/Bulet.lua) (did "
    .. "you mean 'Bullet'"
  kit.refuses({ pools = pools }, { { "pools:alloc 'Bulet'", message }, { "pools:pool 'Bulet'", message } })
  spec.equal({ pools:stats("Bulet").total, pools:clear "Bulet", pools:recycle_all "Bulet" }, { 0, 0, 0 })
  spec.equal({ pools:remove "Bulet" }, { 0, 0 })
  spec.equal({ pools:stats().total, pools:alloc("Bullet").alive, pools:alloc("Cube").alive }, { 0, true, true })
end)
