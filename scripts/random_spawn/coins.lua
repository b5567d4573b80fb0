-- The tosses of the coins. Each coin is an object with its own coroutine (pools/Coin.lua): it sleeps, tosses, sleeps.
local spawnpool <const> = require "spawnpool"
local stage <const> = require "stage"

local pools <const> = spawnpool.pools
local coins <const> = {}

local COINS <const> = 5
local GAP <const> = 34

local said, said_at = "", -10 -- the last call and its result

-- Returns one of the live objects, each with the same probability.
---@param filter string | table
---@param count integer number of live objects
local function any_of(filter, count)
  local left = count > 0 and math.random(count) or 0
  for object in pools:each(filter) do
    left = left - 1
    if left == 0 then return object end
  end
  return nil
end

---@param call string
local function say(call, ...)
  said, said_at = ("%s   %s"):format(call, table.concat({ ... }, ", ")), pools.time
end

-- {== Heads and tails =======================================================

function coins.spawn()
  local ring <const> = any_of("Ring", pools:pool("Ring").live)
  if not ring then return end
  local type <const> = math.random() < 0.25 and "Comet" or "Moon"
  local object <const>, why = pools:alloc(type, 0, ring)
  say(("pools:alloc(%q, 0, %s)"):format(type, tostring(ring):match "^%S+"), tostring(object), why)
end

function coins.despawn()
  local object <const> = any_of({ group = "bodies" }, pools:pool("Moon").live + pools:pool("Comet").live)
  if not object then return end
  local name <const> = tostring(object):match "^%S+"
  say(("pools:recycle(%s)"):format(name), tostring(pools:recycle(object)))
end

---@param coin spawnpool.Object
function coins.toss(coin)
  coin.heads = math.random() < 0.5
  coin.tossed = pools.time
  spawnpool.audio.play(coin.heads and "heads" or "tails", { pan = 2 * coin.x / stage.width - 1, volume = 0.6 })
  if coin.heads then coins.spawn() else coins.despawn() end
end

-- }==

function coins.hand_out()
  for i = 1, COINS do
    pools:alloc("Coin", 0, stage.width / 2 + (i - (COINS + 1) / 2) * GAP, stage.height - 62)
  end
end

-- {== On screen =============================================================

-- The ring around a coin closes while it waits; the sign in it shows its last action.
local function draw_coin(g, coin)
  local since <const> = pools.time - coin.tossed
  local waits <const> = math.max(coin.wait - since, 0)
  local light <const> = math.max(1 - since * 2.5, 0)
  g:color(1, 0.82, 0.45, 0.25 + 0.3 * waits)
  g:circle(coin.x, coin.y, coin.radius + 2 + 7 * waits, "line")
  if coin.heads then g:color(0.45, 1, 0.85, light) else g:color(1, 0.42, 0.38, light) end
  g:circle(coin.x, coin.y, coin.radius + 3)
  g:color(0.1, 0.08, 0.05, 0.85)
  g:line(coin.x - 4, coin.y, coin.x + 4, coin.y, 2)
  if coin.heads then g:line(coin.x, coin.y - 4, coin.x, coin.y + 4, 2) end
end

function coins.draw(g)
  for coin in pools:pool("Coin"):each() do draw_coin(g, coin) end
  g:color(0.8, 0.85, 1, math.max(0.25, 1 - (pools.time - said_at)))
  local size <const> = stage.readable(g, 14)
  -- Large letters have no place beside the keys: above the coins.
  g:text(16, stage.height - (size > 14 and 84 + size or 28), said, size)
end

-- }==

return coins
