-- Class files: `path` says where a type without a class is looked for on first use.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

-- By type: what stands behind `local class <const> = require("spawnpool").class`.
local FILES <const> = {
  Cube = 'local Cube <const> = class("Cube", { limit = 2, x = 4 })\nfunction Cube:on_spawn(o) o.y = 5 end\nreturn Cube',
  Parent = 'return class("Parent", { y = 2, limit = 3 })',
  Child = 'return class("Child", { extends = "Parent", x = 1 })',
  Silent = 'class("Silent", { x = 3 })', -- it returns nothing
  Raises = "\nerror 'this file is not finished'", Slip = 'return class("Slip", { limt = 3 })', Empty = "return {}",
  Broken = 'return class("Broken", { limit = ,\n})', Lonely = 'return class("Lonely", { extends = "Nobody" })',
  Round = 'return class("Round", { extends = "Trip" })', Trip = 'return class("Trip", { extends = "Round" })',
  Other = 'return class "Another"',
  Reassigned = 'local Reassigned <const> = class "Reassigned"\nReassigned.super = {}\nreturn Reassigned',
  -- The manager that looks for these is in package.loaded.
  Eager = 'local Eager <const> = class("Eager", { x = 7 })\npackage.loaded.manager:alloc "Eager"\nreturn Eager',
  Closer = 'package.loaded.manager:close()\nreturn class "Closer"',
}

local folder

local function open(options)
  local all <const> = { path = folder .. "/?.lua" }
  for key, value in pairs(options or {}) do all[key] = value end
  return kit.new(all)
end

local function test(name, body)
  spec.test(name, function()
    folder = spec.folder()
    local _ <close> = setmetatable({}, { __close = function() spec.remove(folder) end })
    for type, text in pairs(FILES) do
      local file <close> = assert(io.open(("%s/%s.lua"):format(folder, type), "w"))
      file:write('local class <const> = require("spawnpool").class ', text)
    end
    body(open())
  end, 2)
end

test("a class file is found when its type is first used, by alloc or pool, and serves every manager", function(pools)
  local o <const> = pools:alloc "Cube"
  spec.equal({ o.x, o.y, o.pool.limit, o.pool.class == spawnpool.class "Cube" }, { 4.0, 5.0, 2, true })
  spec.equal({ kit.new():pool("Cube").limit, pools:pool("Silent").class == spawnpool.class "Silent" }, { 2, true })
  local child <const> = pools:alloc "Child" -- its parent has a file of its own
  spec.equal({ child.x, child.y, child.pool.limit }, { 1.0, 2.0, 3 })
  spec.equal(spawnpool.class("Child").super == spawnpool.class "Parent", true)
end)

test("a class file is not looked for when the class is there, without a path, or under no file name", function()
  spec.equal(#kit.warnings(function() kit.new():alloc "Cube" end), 1)
  local pools <const>, name_of <const> = kit.new { path = folder .. "/../?/Cube.lua" }, folder:match "[^/]*$"
  for _, name in ipairs { "../" .. name_of, name_of .. "/../" .. name_of, "./" .. name_of, "po?ls", "%1", "pools\\" } do
    local said <const> = kit.warnings(function() pools:alloc(name) end)
    spec.equal({ #said, said[1]:find("(no class of that name):", 1, true) ~= nil }, { 1, true }, name)
  end
  spawnpool.class("Cube", { limit = 7 })
  spec.equal(open():pool("Cube").limit, 7)
end)

test("a class file that is wrong is an error with its line, or the caller's, each time it is needed", function(pools)
  for type, message in pairs {
    Raises = "/Raises.lua:2: this file is not finished$",
    Slip = "/Slip.lua: class 'Slip' has no setting 'limt' (did you mean 'limit'?)$",
    Lonely = "/Lonely.lua: class 'Lonely' extends 'Nobody', which is not declared",
    Round = ("/Trip.lua: class 'Round' is needed before its file, %s/Round.lua, has declared"):format(folder),
    Broken = "/Broken.lua:1: unexpected symbol near ','",
  } do
    for _, call in ipairs { pools.alloc, pools.pool, pools.alloc } do
      local ok <const>, text <const> = pcall(call, pools, type)
      spec.equal({ ok, (text .. "$"):find(message, 1, true) ~= nil }, { false, true }, text)
    end
  end
  kit.refuses({ pools = pools }, {
    { "pools:alloc 'Other'", "/Other.lua declares class 'Another', not class 'Other': a class file is named after" },
    { "pools:alloc 'Reassigned'", "/Reassigned.lua: class 'Reassigned': super is set by spawnpool.class" },
    { "pools:pool 'Empty'", "/Empty.lua declares no class, not class 'Empty'" },
  })
  spec.equal({ pools:alloc("Another").alive, pools:alloc("Cube").alive, pools:alloc("Child").alive },
    { true, true, true })
end)

test("a class file may make its own pool while it runs, or close the manager that asked for it", function(pools)
  package.loaded.manager = pools
  local o <const> = pools:alloc "Eager"
  spec.equal({ o.id, o.x, pools:pool("Eager").live }, { 2, 7.0, 2 })
  spec.equal({ pools:alloc "Closer" }, { nil, "closed" })
end)

test("an unknown type gets a generic pool, and one warning with the nearest name and its file", function(all)
  spawnpool.class "Bullet"
  local pools <const> = kit.new()
  local said <const> = kit.warnings(function()
    local o <const> = pools:alloc("Bulet", 0, 1, 2, 3)
    local pool <const> = pools:pool "Bulet"
    pools:alloc "Bulet"
    spec.equal({ o.x, o.y, o.angle, o.type, pool.overflow }, { 1.0, 2.0, 3.0, "Bulet", "refuse" })
    spec.equal({ n = 2, pool.class, pool.limit }, { n = 2 })
    all:alloc "Zebra"
  end)
  spec.equal(said, {
    "spawnpool: unknown type 'Bulet' (no class of that name) (did you mean 'Bullet'?): it gets the generic pool",
    ("spawnpool: unknown type 'Zebra' (no class of that name, no %s/Zebra.lua): "):format(folder)
      .. "it gets the generic pool",
  })
end)

test("an unknown type is an error with unknown = 'error', but to calls that only ask about it", function()
  local pools <const> = open { unknown = "error" }
  spawnpool.class "Bullet"
  local message <const> = ("unknown type 'Bulet' (no class of that name, no %s/Bulet.lua) (did you mean 'Bullet'")
    :format(folder)
  kit.refuses({ pools = pools }, { { "pools:alloc 'Bulet'", message }, { "pools:pool 'Bulet'", message } })
  spec.equal({ pools:stats("Bulet").total, pools:clear "Bulet", pools:recycle_all "Bulet" }, { 0, 0, 0 })
  spec.equal({ pools:remove "Bulet" }, { 0, 0 })
  spec.equal({ pools:stats().total, pools:alloc("Bullet").alive, pools:alloc("Cube").alive }, { 0, true, true })
end)
