-- A coin lives until the game restarts. Its coroutine ends with it.
local spawnpool <const> = require "spawnpool"
local coins <const> = require "coins"

local Coin <const> = spawnpool.class("Coin", {
  prealloc = 5, grow = 1, limit = 16,
  sprite = "ball", radius = 10, layer = 6, r = 1, g = 0.82, b = 0.45,
  fields = { wait = 0, tossed = 0.0, heads = true },
})

local function toss_for_ever(coin)
  while true do
    coin.wait = math.random()
    coroutine.yield(coin.wait)
    coins.toss(coin)
  end
end

function Coin:on_spawn(coin)
  coin.tossed = spawnpool.pools.time
  coin:run(toss_for_ever)
end

return Coin
