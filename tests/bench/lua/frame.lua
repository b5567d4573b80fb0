-- A whole frame, microseconds: see frames.lua. The median, because frames differ in how many objects end.

local frames = require "frames"
local measure = require "measure"

local clock = os.clock
local frame = frames[arg[1]](10000)
local limit = measure.quick and 0.1 or 0.4
collectgarbage()

-- A whole lifetime, or as much of it as time allows.
local begin, warm = clock(), 0
while warm < 650 and clock() - begin < limit do
  frame()
  warm = warm + 1
end

local times = {}
begin = clock()
frame()
local batch = math.max(1, math.floor(2e-3 / math.max(clock() - begin, 1e-6)))
begin = clock()
while #times < 5 or (#times < 60 and clock() - begin < limit) do
  local from = clock()
  for _ = 1, batch do frame() end
  times[#times + 1] = (clock() - from) / batch * 1e6
end
table.sort(times)
measure.report("frame", times[math.floor(#times / 2) + 1])
