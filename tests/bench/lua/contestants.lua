-- The pools that the Lua benches compare. Each is text:
--   setup      makes it, with $capacity objects ready; locals made here stand beside the loop
--   alloc      an expression for a new object, then any statements
--   recycle    statements that end the life of `o`
--   override   the same for a subclass whose alloc sets one field

local contestants = {}

-- The limit: two calls from Lua into C that do nothing.
contestants.empty_calls = {
  setup = [[local empty = require("empty").methods()]],
  alloc = "empty:call()",
  recycle = "empty:call()",
}

contestants.class = {
  setup = 'local pools, sub = require("class")($capacity)',
  alloc = 'pools:alloc("Bullet", 2)',
  recycle = "pools:recycle(o)",
  override = { alloc = 'sub:alloc("Bullet", 2)', recycle = "sub:recycle(o)" },
}

contestants.guarded = {
  setup = 'local pools, sub = require("guarded")($capacity) local generation',
  alloc = 'nil o, generation = pools:alloc("Bullet", 2)',
  recycle = "pools:recycle(o, generation)",
  override = { alloc = 'nil o, generation = sub:alloc("Bullet", 2)', recycle = "sub:recycle(o, generation)" },
}

-- LuaJIT cannot leave out calls into C: it is timed in all patterns.
contestants.ffi = {
  is_opaque = true,
  setup = [[
    package.path = "build/lua/?.lua;" .. package.path
    local pools = require("spawnpool.ffi").new()
    pools:class("Bullet", { prealloc = $capacity, fields = { damage = 1 } })]],
  alloc = 'pools:alloc("Bullet")',
  recycle = "pools:recycle(o)",
}

local setup = [[
  local spawnpool = require "spawnpool"
  local Bullet = spawnpool.class("Bullet", { prealloc = $capacity, fields = { damage = 1 } })
  $class
  local pools = spawnpool.new()
  local bullets = pools:pool("Bullet")]]

local override = [[
  function Bullet:alloc(life)
    local o = Bullet.super.alloc(self, life)
    o.x = 1
    return o
  end]]

local function spawnpool_contestant(alloc, recycle)
  return { setup = setup, class = "", alloc = alloc, recycle = recycle, override = { class = override } }
end

contestants.spawnpool = spawnpool_contestant('pools:alloc("Bullet", 2)', "pools:recycle(o)")
contestants.spawnpool_pool = spawnpool_contestant("bullets:alloc(2)", "bullets:recycle(o)")

-- The texts of the contestant named on the command line, with these before its own: `pool` is its setup then.
function contestants.pick(capacity, texts)
  local it = assert(contestants[arg[1]], "no such contestant")
  local parts = { capacity = tostring(capacity), pool = it.setup }
  for _, from in ipairs { it, texts } do
    for name, text in pairs(from) do parts[name] = text end
  end
  return parts
end

return contestants
