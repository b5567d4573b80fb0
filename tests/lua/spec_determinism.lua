-- The same inputs give the same game: two runs of the same calls agree in every bit.
local spec <const> = require "spec"
local spawnpool <const> = require "spawnpool"

-- A small game that uses most of what there is; returns everything that can be seen of it, as text.
local function play(seed, noise)
  local seen <const> = {}
  local function see(...) seen[#seen + 1] = table.concat({ ... }, " ") end
  local names <const> = { "Bullet", "Enemy", "Spark" }
  local garbage <const> = table.pack(("x"):rep(noise):byte(1, -1)) -- other addresses than in the other run
  local pools <const> = spawnpool.new { seed = seed, step = 1 / 64, misuse = "ignore" }
  spawnpool.class("Bullet", {
    limit = 40, overflow = "oldest", order = "lifo", vx = 100, fields = { a1 = 1, b2 = 2, c3 = 3 },
  })
  spawnpool.class("Enemy", { limit = 20, idle_limit = 5, fields = { hp = 3 } })
  local Spark <const> = spawnpool.class("Spark", { grow = 7, ay = 9.81 })
  function Spark:on_despawn(o, why) see("spark", o.id, why, ("%a"):format(o.y)) end
  for frame = 1, 200 do
    for _ = 1, math.random(0, 4) do
      local o <const>, why <const> = pools:alloc(names[math.random(3)], math.random() * 0.5, math.random(-9, 9))
      see(frame, tostring(o), why or "")
    end
    for o in pools:each() do
      if math.random(30) == 1 then o:recycle() end
    end
    if frame % 50 == 0 then pools:remove "Enemy" end
    pools:update(1 / 60)
  end
  for o in pools:each() do see(tostring(o), ("%a %a %a"):format(o.x, o.y, o.remaining)) end
  local s <const> = pools:stats()
  see(s.live, s.idle, s.allocs, s.recycles, s.expired, s.evicted, s.refused, s.peak, ("%a"):format(pools.time))
  pools:close()
  spec.equal(garbage.n, noise)
  return seen
end

spec.describe("a game", function()
  spec.test("plays the same from the same seed", function()
    local first <const> = play(42, 0)
    spec.equal(play(42, 1000), first)
    spec.equal(#first > 300, true)
  end)

  spec.test("plays another way from another seed", function()
    local a <const>, b <const> = play(1, 0), play(2, 0)
    spec.equal(table.concat(a, "\n") == table.concat(b, "\n"), false)
  end)
end)
