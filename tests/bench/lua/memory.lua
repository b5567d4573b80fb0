-- What 100 000 idle objects weigh in the Lua heap, bytes each, and what a full collection then takes, microseconds.

local contestants = require "contestants"
local measure = require "measure"

contestants.tables.setup = [[
  local idle = {}
  for i = 1, $capacity do idle[i] = { x = 0, y = 0, vx = 1, vy = 1, life = 2 } end]]

local text = [[
  local measured = ...
  collectgarbage()
  collectgarbage()
  local before = collectgarbage("count")
  $setup
  collectgarbage()
  collectgarbage()
  measured("idle_bytes", (collectgarbage("count") - before) * 1024 / 100000)
  local best = math.huge
  for i = 1, 5 do
    local begin = os.clock()
    collectgarbage()
    best = math.min(best, os.clock() - begin)
  end
  measured("collect", best * 1e6)]]

measure.compile(text, contestants.pick(100000))(measure.report)
