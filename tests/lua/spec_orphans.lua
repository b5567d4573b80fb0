-- Children whose parents end: each by the rule of its own class, also when parents are nested very deep, and whatever
-- hooks do meanwhile.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

local DEEP <const> = 200

-- A chain of so many nodes inside each other, the first one at x = 1, each with a leaf.
local function chain_of(pools, count)
  local chain <const> = {}
  for i = 1, count do
    chain[i] = pools:alloc("Node", 0, 1, 0, 0, chain[i - 1])
    pools:alloc("Leaf", 0, 0, 0, 0, chain[i])
  end
  return chain
end

-- Ends a deep chain; `meddle(chain)` runs once, in the hook of the first leaf that ends.
local function end_chain(pools, Leaf, meddle)
  local chain <const> = chain_of(pools, DEEP)
  function Leaf.on_despawn()
    Leaf.on_despawn = nil
    meddle(chain)
  end
  spec.equal(chain[1]:recycle(), true)
  kit.check(pools, "Node", "Leaf")
  return chain
end

-- The first node that is still live, though all around it has ended or is ending.
local function first_live(chain)
  for _, o in ipairs(chain) do
    if o.alive then return o end
  end
end

spec.describe("orphans", function()
  spec.test("end or go on as their own class says, not their parent's", function()
    local pools <const> = kit.new()
    spawnpool.class("Ship", { on_parent_end = "detach" })
    spawnpool.class("Shield", { on_parent_end = "recycle" })
    spawnpool.class("Smoke", { on_parent_end = "detach" })
    spawnpool.class "Plain"
    local ship <const> = pools:alloc("Ship", 0, 10, 0)
    local shield <const> = pools:alloc("Shield", 0, 1, 0, 0, ship)
    local plain <const> = pools:alloc("Plain", 0, 1, 0, 0, ship)
    local smoke <const> = pools:alloc("Smoke", 0, 1, 2, 0, ship)
    ship:recycle()
    spec.equal({ shield.alive, plain.alive, smoke.alive, smoke.parent }, { false, false, true, nil })
    spec.equal({ smoke.x, smoke.y }, { 11.0, 2.0 })
  end)

  spec.test("end to the last one, however deep", function()
    local pools <const> = kit.new()
    spawnpool.class "Node"
    spawnpool.class "Leaf"
    local chain <const> = chain_of(pools, 5000)
    chain[1]:recycle()
    spec.equal({ pools:pool("Node").live, pools:pool("Leaf").live, pools:stats("Node").recycles }, { 0, 0, 5000 })
  end)

  spec.test("that are detached deep inside keep their place in the world", function()
    local pools <const> = kit.new()
    spawnpool.class "Node"
    spawnpool.class("Leaf", { on_parent_end = "detach" })
    local chain <const> = chain_of(pools, DEEP)
    chain[1].x, chain[2].angle = 5, 0.5
    local leaves <const>, places <const> = {}, {}
    for o in pools:pool("Leaf"):each() do leaves[#leaves + 1] = o end
    for i in ipairs(leaves) do
      local away <const> = math.max(0, i - 2)
      places[i] = { i == 1 and 5 or 6 + away * math.cos(0.5), away * math.sin(0.5) }
    end
    chain[1]:recycle()
    for i, o in ipairs(leaves) do
      spec.near(o.x, places[i][1], 0.01)
      spec.near(o.y, places[i][2], 0.01)
    end
    spec.equal({ #leaves, pools:pool("Node").live }, { DEEP, 0 })
  end)

  spec.test("are spared when a hook gives them a new parent in time, all that is inside them too", function()
    local pools <const> = kit.new()
    spawnpool.class "Node"
    local Leaf <const> = spawnpool.class "Leaf"
    local keep <const> = pools:alloc "Node"
    local saved
    end_chain(pools, Leaf, function(chain)
      saved = first_live(chain)
      saved.parent = keep
    end)
    spec.equal({ saved.alive, saved.parent, keep.alive }, { true, keep, true })
    local live <const> = pools:pool("Node").live
    spec.equal(live > 100, true)
    spec.equal({ keep:recycle(), pools:stats().live }, { true, 0 })
  end)

  spec.test("take nobody along who lives in their slot by now", function()
    local pools <const> = kit.new()
    spawnpool.class("Node", { grow = 1 })
    local Leaf <const> = spawnpool.class("Leaf", { grow = 1 })
    local keep <const> = pools:alloc "Node"
    local heirs <const> = {}
    end_chain(pools, Leaf, function(chain)
      spec.equal(first_live(chain):recycle(), true)
      for i = 1, 2 * DEEP do heirs[i] = pools:alloc("Node", 0, 0, 0, 0, keep) end
    end)
    for i, o in ipairs(heirs) do spec.equal({ o.alive, o.parent }, { true, keep }, "heir " .. i) end
    spec.equal(pools:pool("Node").live, 2 * DEEP + 1)
  end)

  spec.test("do no harm when a hook recycles them and clears the pool", function()
    local pools <const> = kit.new()
    spawnpool.class("Node", { grow = 1 })
    local Leaf <const> = spawnpool.class("Leaf", { grow = 1 })
    end_chain(pools, Leaf, function(chain)
      for i = DEEP, 1, -1 do
        if chain[i].alive then chain[i]:recycle() end
      end
      pools:clear()
    end)
    spec.equal({ pools:pool("Node").live, pools:pool("Leaf").live }, { 0, 0 })
  end)
end)
