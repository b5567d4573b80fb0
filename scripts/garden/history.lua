-- scripts/garden/history.lua
-- Undo and redo of any depth: before each step a snapshot of all pools is kept, and undo restores the last one.
local spawnpool <const> = require "spawnpool"

local pools <const> = spawnpool.pools
local history <const> = {}

local past, future = {}, {} -- snapshots, the nearest last

function history.clear() past, future = {}, {} end

-- Call it before a step.
function history.keep() past[#past + 1], future = assert(pools:snapshot()), {} end

-- Pots and gardener are drawn where they were, and glide into their old cells. No petals and sounds come back.
local function restore(snapshot)
  local seen <const> = {}
  for object in pools:each { class = "Piece" } do seen[object] = { object.x, object.y } end
  assert(pools:restore(snapshot))
  for object, at in pairs(seen) do
    if object.alive then object.x, object.y = at[1], at[2] end
  end
  pools:recycle_all { group = "passing" }
  pools:recycle_all "Voice"
end

local function move(from, to)
  if #from == 0 then return false end
  to[#to + 1] = assert(pools:snapshot())
  restore(table.remove(from))
  return true
end

-- Both return whether there was a step.
function history.undo() return move(past, future) end

function history.redo() return move(future, past) end

-- Back to the first step. That is a step too: undo goes back over it.
function history.again()
  local first <const> = past[1]
  if not first then return end
  history.keep()
  restore(first)
end

return history
