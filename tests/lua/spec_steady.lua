-- Not a byte per life: with the collector stopped and everything warm, thousands of lives through every door must not
-- call the allocator of the state once, neither for Lua nor for the pools.
local spec <const> = require "spec"
local spawnpool <const> = require "spawnpool"

spec.ignores_collector "it is stopped while calls of the allocator are counted"

local STEP <const> = 1 / 64
local pools <const> = spawnpool.new { step = STEP, misuse = "ignore" }
spawnpool.class("Plain", { fields = { hp = 1, speed = 1.5, armed = true, name = "crate" } })
spawnpool.class("Lifo", { order = "lifo" })
spawnpool.class("Few", { limit = 4, overflow = "oldest" })
spawnpool.class("Full", { limit = 1 })
spawnpool.class("Texts", { fields = { name = "crate" } })

local Over <const> = spawnpool.class "Over"
function Over:alloc(lifetime, x, y, angle)
  local o <const>, why <const> = Over.super.alloc(self, lifetime, x, y, angle)
  if not o then return nil, why end
  o.vx = 1
  return o
end
function Over:recycle(o) return Over.super.recycle(self, o) end

local Hooked <const> = spawnpool.class("Hooked", { idle_limit = 2, grow = 1, fields = { hp = 1 } })
local count = 0
function Hooked:on_create(o) count = count + o.id end
function Hooked:on_spawn(o, fresh)
  if fresh then count = count + 1 end
  o.hp = 2
end
function Hooked:on_despawn(o, why) if why == "expired" then count = count + o.hp end end
function Hooked:on_reject(o) count = count + o.hp end
function Hooked:on_destroy(o) count = count - o.id end

local Stubborn <const> = spawnpool.class "Stubborn"
function Stubborn:recycle() end

local stubborn <const> = pools:alloc "Stubborn"
pools:alloc "Full"
local plain <const>, over <const> = pools:pool "Plain", pools:pool "Over"
local values <const>, kept <const> = { hp = 2, name = "barrel", x = 3 }, {}
for i = 1, 50 do
  kept[i] = pools:alloc("Plain", 0, i, i)
  kept[i].vx, kept[i].spin = 1, 1
end
local stale <const> = pools:alloc "Plain"
stale:recycle()

local function live(type, ...)
  for _ = 1, 8 do pools:alloc(type, STEP, ...) end
  pools:update(STEP)
end

for name, door in pairs {
  ["lives"] = function(i)
    pools:recycle(pools:alloc "Plain")
    plain:recycle(plain:alloc())
    pools:alloc("Plain", 0, i, -i, 0.5):recycle()
    pools:alloc("Plain", 0, values):recycle()
    pools:alloc("Lifo"):recycle()
  end,
  ["strings in fields"] = function(i)
    for k = 1, i % 9 do pools:alloc("Texts").name = k % 2 == 0 and "a" or "b" end
    pools:recycle_all "Texts"
  end,
  ["expiry"] = function() live "Plain" end,
  ["prewarming, eviction and refusal"] = function()
    pools:alloc("Plain", -1)
    pools:alloc "Few"
    pools:alloc "Full"
  end,
  ["overrides"] = function(i)
    pools:alloc("Over", 0, i, i, 0):recycle()
    live("Over", 1)
    over:recycle(over:alloc())
  end,
  ["hooks"] = function()
    live "Hooked"
    pools:alloc("Hooked"):recycle()
  end,
  ["a veto, and misuse"] = function()
    stubborn:recycle()
    stale:recycle()
  end,
  ["queries"] = function()
    assert(pools:is_live(kept[1]) and not stale.alive and plain.live == 50 and pools:pool("Plain") == plain)
    assert(pools.time >= 0 and plain.total >= plain.idle)
  end,
  ["fields"] = function(i)
    local o <const> = kept[i % 50 + 1]
    o.x, o.hp, o.speed, o.armed, o.name = o.y, o.hp + 1, i / 2, not o.armed, o.armed and "a" or "b"
    o.layer, o.sprite, o.visible, o.scale, o.pinned = i % 9, "star", true, o.radius, false
    assert(o.pool == plain and o.type == "Plain" and o.id > 0 and o.age >= 0 and o.remaining > 0 and o.alive)
  end,
  ["walks"] = function(i)
    if i % 100 > 0 then return end
    for o in plain:each() do o.x = o.x + 1 end
    for o in pools:each() do if o.type == "Plain" then o.y = o.y + 1 end end
  end,
  ["frames"] = function() pools:update(1 / 60) end,
} do
  spec.test("thousands of lives never call the allocator: " .. name, function()
    collectgarbage "stop"
    local before -- here, so that both loops have the same height of the stack
    for i = 1, 3000 do door(i) end
    before = spec.allocations()
    for i = 1, 3000 do door(i) end
    spec.equal(spec.allocations() - before, 0)
  end)
end
