-- The pools that the Lua benches compare. Each is text:
--   setup      makes it, with $capacity objects ready; locals made here stand beside the loop
--   alloc      an expression for a new object, then any statements
--   recycle    statements that end the life of `o`
--   override   the same three for a subclass whose alloc sets one field; hook: for a class whose on_spawn sets it
--   expiring   setup for a subclass whose recycle calls that of the pool
--   each       the head of a loop over live objects, and update, one tick of 1/60 s that expires what is due

local contestants = {}

-- The limit: two calls from Lua into C that do nothing.
contestants.empty_calls = {
  setup = [[local empty = require("empty").methods()]],
  alloc = "empty:call()",
  recycle = "empty:call()",
  update = "",
}

-- No pool: a new table per life, and the collector.
contestants.tables = {
  setup = "",
  alloc = "{ x = 0, y = 0, vx = 1, vy = 1, life = 2 }",
  recycle = "",
}

contestants.class = {
  setup = [[local pools, sub, hooked = require("pools.class")($capacity)]],
  alloc = 'pools:alloc("Bullet", 2)',
  recycle = "pools:recycle(o)",
  override = { alloc = 'sub:alloc("Bullet", 2)', recycle = "sub:recycle(o)" },
  hook = { alloc = 'hooked:alloc("Bullet", 2)', recycle = "hooked:recycle(o)" },
}

-- Lifetimes vary, else every heap is sorted already.
contestants.heap = {
  setup = [[
    local pools, sub = require("pools.heap")($capacity)
    local lives, at = {}, 1
    for i = 1, 1024 do lives[i] = math.random() * 10 end]],
  alloc = 'pools:alloc("Bullet", lives[at]) at = at % 1024 + 1',
  recycle = "pools:recycle(o)",
  override = { alloc = 'sub:alloc("Bullet", lives[at]) at = at % 1024 + 1', recycle = "sub:recycle(o)" },
  brief = 'pools:alloc("Bullet", lives[at] / 640) at = at % 1024 + 1', -- 1/64 s at most
  update = "pools:update(TICK)",
}

-- References are numbers, and every use is checked against the generation of its slot.
contestants.checked = {
  setup = [[local pools = require("pools.checked")($capacity)]],
  alloc = 'pools:alloc("Bullet", 2)',
  recycle = "pools:recycle(o)",
}

-- LuaJIT cannot leave out calls into C: it is timed in all patterns.
contestants.ffi = {
  opaque = true,
  setup = [[
    package.path = "build/lua/?.lua;" .. package.path
    local pools = require("spawnpool.ffi").new()
    local Bullet = pools:class("Bullet", { prealloc = $capacity, fields = { damage = 1 } })
    $class
    local bullets = pools:pool("Bullet")]],
  class = "",
  alloc = 'pools:alloc("Bullet")',
  recycle = "pools:recycle(o)",
  override = { class = [[
    function Bullet:alloc(life)
      local o = Bullet.super.alloc(self, life)
      pools:set(o, "x", 1)
      return o
    end]] },
}

contestants.scan = {
  setup = [[local pools = require("pools.scan")($capacity)]],
  expiring = { setup = [[local pools = require("pools.scan")($capacity, true)]] },
  alloc = 'pools:alloc("Bullet", 2)',
  recycle = "pools:recycle(o)",
  brief = 'pools:alloc("Bullet", 0.01)',
  update = "pools:update(TICK)",
}

local spawnpool = [[
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

-- The class may still have the override: it is the same table.
local hook = [[
  Bullet.alloc = nil
  function Bullet.on_spawn(_, o)
    o.x = 1
  end]]

local overridden_recycle = [[
  function Bullet:recycle(o)
    return Bullet.super.recycle(self, o)
  end]]

local function spawnpool_contestant(alloc, recycle, brief)
  return {
    setup = spawnpool,
    class = "",
    alloc = alloc,
    recycle = recycle,
    override = { class = override, alloc = alloc, recycle = recycle },
    hook = { class = hook },
    expiring = { class = overridden_recycle },
    brief = brief,
    each = "for o in bullets:each() do",
    update = "pools:update(TICK)",
  }
end

contestants.spawnpool_type =
  spawnpool_contestant('pools:alloc("Bullet", 2)', "pools:recycle(o)", 'pools:alloc("Bullet", 0.016)')
contestants.spawnpool_pool = spawnpool_contestant("bullets:alloc(2)", "bullets:recycle(o)", "bullets:alloc(0.016)")
contestants.spawnpool_object = spawnpool_contestant("bullets:alloc(2)", "o:recycle()", "bullets:alloc(0.016)")
-- Without a lifetime.
contestants.spawnpool_endless = spawnpool_contestant('pools:alloc("Bullet")', "pools:recycle(o)")

-- The contestant named on the command line, with its pool of `capacity`. `variant` names one of its variants.
function contestants.pick(capacity, variant)
  local it = assert(contestants[arg[1]], "no such contestant")
  local parts = { capacity = tostring(capacity) }
  return setmetatable(parts, {
    __index = function(_, key)
      return variant and it[variant][key] or it[key]
    end,
  })
end

return contestants
