-- The list of standing walkers, the best thrower first. Its rows are objects like any other: when the list changes, all
-- are recycled, and as many as needed are allocated again with the new contents.
local spawnpool <const> = require "spawnpool"
local stage <const> = require "stage"

local pools <const> = spawnpool.pools
local list <const> = {}

local TOP <const>, STEP <const> = 62, 30

local entries <const> = {} -- walkers in the order of their rows
local changed = true
local lucky -- whose hit changed the list

-- A walker came, left or hit.
---@param walker? spawnpool.Object whose row flashes
function list.change(walker)
  changed, lucky = true, walker
end

local function better(a, b)
  if a.hits ~= b.hits then return a.hits > b.hits end
  return a.number < b.number
end

local function sort_entries()
  for i = #entries, 1, -1 do entries[i] = nil end
  for walker in pools:pool("Walker"):each() do entries[#entries + 1] = walker end
  table.sort(entries, better)
end

-- Valid also between two frames, when the list has changed and the rows are not updated yet.
---@return spawnpool.Object? walker the last one in the list
function list.last()
  if changed then sort_entries() end
  return entries[#entries]
end

local function refill()
  pools:recycle_all "Row"
  for i, walker in ipairs(entries) do
    local row <const> = pools:alloc("Row", 0, stage.width - stage.LIST / 2 - 4, TOP + i * STEP, walker)
    if row and walker == lucky then
      -- A child of the row: it glows for half a second, or ends with its row.
      pools:alloc("Glint", 0.5, 0, 0, 0, row)
    end
  end
end

-- Called at most once per frame, for any number of changes.
function list.update()
  if not changed then return end
  sort_entries()
  refill()
  changed, lucky = false, nil
end

return list
