-- Time of `require "spawnpool"` in a fresh process, milliseconds: the median of several.

local measure <const> = require "measure"

local TIMES <const> = measure.quick and 5 or 15
local CHILD <const> = [[lua5.4 -e 'local c = os.clock local b = c() require "spawnpool" print((c() - b) * 1e3)']]

local times <const> = {}
for i = 1, TIMES do
  local child <close> = assert(io.popen(CHILD))
  times[i] = assert(child:read("n"), "spawnpool cannot be required")
end
measure.report("inside", measure.median(times))
