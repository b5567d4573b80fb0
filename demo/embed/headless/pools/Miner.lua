-- A miner digs for gold. Edit this file while the server runs: miners stay in the mine, with all their gold.
local spawnpool <const> = require "spawnpool"

local Miner <const> = spawnpool.class("Miner", {
  limit = 100, -- then "full"
  fields = {
    name = spawnpool.any(""),
    gold = 0,
    luck = spawnpool.live(5), -- an edit of this number reaches existing miners
  },
})

function Miner:alloc(lifetime, name)
  local miner <const>, why = Miner.super.alloc(self, lifetime)
  if not miner then return nil, why end
  miner.name = name
  print(("%s goes down as number %d"):format(name, miner.id))
  return miner
end

function Miner:on_despawn(miner, why) print(("%s comes up: %s"):format(miner.name, why)) end

Miner.methods = {}

function Miner.methods:dig()
  self.gold = self.gold + self.luck
  print(("%s finds %d, and has %d"):format(self.name, self.luck, self.gold))
end

function Miner.methods:describe() return ("%d: %s, %d gold"):format(self.id, self.name, self.gold) end

return Miner
