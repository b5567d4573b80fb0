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
end)
