-- Size of idle objects in the Lua heap, bytes each, and the time of a full collection with 100 000 of them,
-- microseconds. A class and its pool weigh something whatever they hold, so the bytes are the difference between
-- 110 000 objects and 10 000, each in a process of its own.

local contestants = require "contestants"
local measure = require "measure"

contestants.tables.setup = [[
  local idle = {}
  for i = 1, $capacity do idle[i] = { x = 0, y = 0, vx = 1, vy = 1, life = 2 } end]]

local text = [[
  local report = ...
  collectgarbage()
  collectgarbage()
  local before = collectgarbage("count")
  $setup
  collectgarbage()
  collectgarbage()
  report("bytes", (collectgarbage("count") - before) * 1024)
  local best = math.huge
  for i = 1, 5 do
    local begin = os.clock()
    collectgarbage()
    best = math.min(best, os.clock() - begin)
  end
  report("collect", best * 1e6)]]

if arg[2] then
  measure.compile(text, contestants.pick(arg[2]))(measure.report)
  return
end

local function measured(count)
  local child <close> = assert(io.popen(("lua5.4 tests/bench/lua/memory.lua %s %d"):format(arg[1], count)))
  local said = child:read("a")
  return tonumber(said:match("bytes (%S+)")), tonumber(said:match("collect (%S+)"))
end

local few = measured(10000)
local many, collect = measured(110000)
measure.report("idle_bytes", (many - few) / 100000)
measure.report("collect", collect)
