-- A game that depends on its manager alone: what a step does is drawn from its number, and what hooks and timers do is
-- decided by the objects. Two managers in the same state go the same way.
local spawnpool <const> = require "spawnpool"

local world <const> = { STEP = 1 / 64 }

-- A number below `most` that belongs to a step, and to a use within it.
local function drawn(step, use, most)
  local x = step * 0x9E3779B97F4A7C15 + use * 0xBF58476D1CE4E5B9
  x = (x ~ x >> 30) * 0xBF58476D1CE4E5B9
  x = (x ~ x >> 27) * 0x94D049BB133111EB
  return (x ~ x >> 31) % most
end

local function declare()
  local Ship <const> = spawnpool.class("Ship", {
    limit = 30, overflow = "oldest", on_parent_end = "detach", sprite = "ring",
    fields = { hp = 3, target = spawnpool.ref, bag = spawnpool.any(), uses = spawnpool.keep(0), tag = "none" },
    bounds = { x = -100, y = -100, w = 200, h = 200, outside = "wrap" },
  })
  Ship.methods = {
    hit = function(o)
      o.hp = o.hp - 1
      if o.hp <= 0 then o:recycle() end
    end,
    pack = function(o)
      o.bag = o.bag or {}
      o.bag.log = o.bag.log or {}
      o.bag.log[#o.bag.log + 1] = o.hp
      if #o.bag.log > 5 then return false end
      return true
    end,
  }
  function Ship:on_spawn(o) o.uses = o.uses + 1 end
  local Spark <const> = spawnpool.class("Spark", {
    order = "lifo", idle_limit = 10, motion = { drag = 0.5 },
    fields = { list = spawnpool.fresh(function() return {} end), memory = spawnpool.keep("") },
  })
  function Spark:on_despawn(o) o.memory = ("ended at %s"):format(o.x) end
end

-- A manager with these pools, in the first state.
function world.new()
  declare()
  local pools <const> = spawnpool.new { step = world.STEP, misuse = "ignore" }
  pools:pool "Ship"
  pools:pool "Spark"
  return pools
end

local function chosen(pools, type, step, use)
  local live <const> = pools:pool(type).live
  local skip = live > 0 and drawn(step, use, live) or 0
  for o in pools:pool(type):each() do
    if skip == 0 then return o end
    skip = skip - 1
  end
  return nil
end

local function spawn(pools, step)
  local type <const> = drawn(step, 1, 2) == 0 and "Ship" or "Spark"
  for i = 1, drawn(step, 2, 6) do
    local lifetime <const> = drawn(step, 3, 3) > 0 and drawn(step, 4 + i, 100) * world.STEP or 0
    local o <const> = pools:alloc(type, lifetime, drawn(step, 20 + i, 200) - 100, 0)
    if o then o.vx = drawn(step, 40 + i, 40) - 20 end
  end
end

-- Actions on one ship and on another object, which may be nil.
local acts <const> = {
  function(ship, other) ship.target = other end,
  function(ship, other, step)
    ship.bag = { other = other, [step % 5] = "x", deep = { ship.bag and ship.bag.deep or {} } }
  end,
  function(ship, other)
    local shared <const> = ship.bag or {}
    shared.self = shared
    ship.bag = shared
    if other and other.type == "Ship" then other.bag = shared end
  end,
  function(ship, _, step) ship:after(drawn(step, 9, 40) * world.STEP, "hit") end,
  function(ship, _, step) ship:every((1 + drawn(step, 9, 10)) * world.STEP, "pack") end,
  function(ship, other)
    if other and other.type == "Spark" then other.parent = ship end
  end,
  function(ship, _, step) ship.remaining = drawn(step, 9, 200) * world.STEP end,
  function(ship) ship:recycle() end,
  function(_, other)
    if other and other.type == "Spark" then table.insert(other.list, other.id) end
  end,
  function(ship) ship.tag = ship.tag .. "!" end,
}

function world.step(pools, step)
  local ship <const> = chosen(pools, "Ship", step, 60)
  local other <const> = chosen(pools, drawn(step, 61, 2) == 0 and "Ship" or "Spark", step, 62)
  local kind <const> = drawn(step, 0, 3)
  if kind == 0 then
    spawn(pools, step)
  elseif kind == 1 and ship then
    acts[1 + drawn(step, 8, #acts)](ship, other, step)
  else
    pools:update((1 + drawn(step, 7, 3)) * world.STEP / 2)
  end
end

world.drawn = drawn

return world
