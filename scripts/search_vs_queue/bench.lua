-- The benchmark: the order of the work, its times, and their medians so far.
local contestants <const> = require "contestants"

local bench <const> = { PAIRS = 10000 }

local SAMPLES <const> = 5 -- per pass, and a first one for warming up
local KEPT <const> = 25 -- the latest of them
local REST <const> = 600 -- frames after a pass

-- How many objects, and how many rounds each contestant does in one frame: a fixed number, so that every run does the
-- same work in the same frames on any machine.
local SIZES <const> = {
  { count = 10, rounds = { search = 500, queue = 500, spawnpool = 500 } },
  { count = 100, rounds = { search = 20, queue = 50, spawnpool = 50 } },
  { count = 1000, rounds = { search = 1, queue = 5, spawnpool = 5 } },
}
local ORDER <const> = { "search", "queue", "spawnpool" }

---@class Entry
---@field name string
---@field count integer objects
---@field samples number[] seconds, the latest last
---@field median number? seconds
---@field contestant Contestant
---@field slice integer rounds per frame

local at, sample, done, spent = 1, 0, 0, 0 -- entry, its sample (0: warm-up), rounds and seconds of that sample
local rest = 0 -- frames until the next pass

bench.entries = {} ---@type Entry[]

local taken <const> = {}

-- One round: take all, return all in reverse.
local function round(pool, take, give, count)
  for i = 1, count do taken[i] = take(pool) end
  for i = count, 1, -1 do give(pool, taken[i]) end
end

-- A pool that hands out one object twice, or accepts a second return, would be fast but wrong.
---@param entry Entry
local function check(entry)
  local it <const> = entry.contestant
  local seen <const> = {}
  for i = 1, entry.count do
    local object <const> = it.take(it.pool)
    assert(object and not seen[object], entry.name .. " handed out an object twice")
    taken[i], seen[object] = object, true
  end
  assert(not it.take(it.pool), entry.name .. " handed out more than there are")
  for i = entry.count, 1, -1 do assert(it.give(it.pool, taken[i]), entry.name .. " refused an object") end
  assert(not it.give(it.pool, taken[1]), entry.name .. " took an object back twice")
end

function bench.open()
  for _, size in ipairs(SIZES) do
    for _, name in ipairs(ORDER) do
      local entry <const> = {
        name = name, count = size.count, samples = {}, slice = size.rounds[name],
        contestant = contestants[name](size.count),
      }
      check(entry)
      bench.entries[#bench.entries + 1] = entry
    end
  end
end

function bench.forget()
  at, sample, done, spent, rest = 1, 0, 0, 0, 0
  for _, entry in ipairs(bench.entries) do entry.samples, entry.median = {}, nil end
end

---@param samples number[]
local function median(samples)
  local sorted <const> = table.move(samples, 1, #samples, 1, {})
  table.sort(sorted)
  local middle <const> = #sorted // 2
  return #sorted % 2 == 1 and sorted[middle + 1] or (sorted[middle] + sorted[middle + 1]) / 2
end

---@param entry Entry
local function keep(entry, seconds)
  table.insert(entry.samples, seconds)
  if #entry.samples > KEPT then table.remove(entry.samples, 1) end
  entry.median = median(entry.samples)
end

---@return Entry entry that is at work, integer sample 0 for the warm-up, number part of it that is done
function bench.now()
  local entry <const> = bench.entries[at]
  return entry, sample, done * entry.count / bench.PAIRS
end

-- Goes to the next sample, the next entry, or the next pass; true at the end of a pass.
local function advance()
  done, spent, sample = 0, 0, sample + 1
  if sample <= SAMPLES then return false end
  sample, at = 0, at + 1
  if at <= #bench.entries then return false end
  at, rest = 1, REST
  return true
end

-- Does one slice of work. Returns true at the end of a pass.
---@return boolean
function bench.step()
  rest = rest - 1
  if rest > 0 then return false end
  local entry <const> = bench.entries[at]
  local it <const>, count <const> = entry.contestant, entry.count
  local start <const> = os.clock()
  for _ = 1, entry.slice do round(it.pool, it.take, it.give, count) end
  spent, done = spent + os.clock() - start, done + entry.slice
  if done * count < bench.PAIRS then return false end
  if sample > 0 then keep(entry, spent) end
  return advance()
end

return bench
