-- Alloc with a lifetime that ends by itself: 100 objects of a tick's life, then one update that ends them all;
-- nanoseconds per object, update included. The limit is one empty C method call.

local contestants = require "contestants"
local measure = require "measure"

local work = [[
  for round = 1, 100 do
    for i = 1, 100 do
      local o = $life
    end
    $update
  end]]

local parts = contestants.pick(200)
parts.life = parts.brief or parts.alloc
measure.report("expiry", measure.time(parts, work, 10000))
