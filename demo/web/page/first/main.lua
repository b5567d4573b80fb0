-- Sparks that follow the mouse. Nothing restarts when you edit: what is alive goes on.
local spawnpool <const> = require "spawnpool"
local pools <const>, input <const> = spawnpool.pools, spawnpool.input

local SPEED <const> = 260 -- drag this number

spawnpool.class("Spark", {
  limit = 3000, overflow = "oldest", sprite = "spark", radius = 9,
  motion = { gravity = 200, drag = 0.6 },
  over_life = { g = { 0.9, 0.2 }, b = { 0.4, 0.6 }, a = { 1, 0 } },
})

return {
  update = function()
    local x, y = input.mouse()
    if x == 0 and y == 0 then x, y = 400 + 240 * math.sin(pools.time), 250 end
    for _ = 1, 12 do
      pools:alloc("Spark", 2, x, y):launch(math.random() * 6.28, SPEED * math.random())
    end
  end,
}
