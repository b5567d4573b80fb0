-- Alloc with a lifetime that ends by itself: 100 objects of a tick's life, then one update that ends them all; and the
-- same in a class with a recycle of its own. Nanoseconds per object, update included. The limit is one empty C method
-- call.

local contestants = require "contestants"
local measure = require "measure"

local work = [[
  for round = 1, 100 do
    for i = 1, 100 do
      local o = $life
    end
    $update
  end]]

local function report(pattern, variant)
  local parts = contestants.pick(200, variant)
  parts.life = parts.brief or parts.alloc
  measure.report(pattern, measure.time(parts, work, 10000))
end

report("expiry")
if contestants[arg[1]].expiring then report("override", "expiring") end
