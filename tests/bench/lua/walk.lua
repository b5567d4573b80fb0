-- `for o in pool:each() do end` over 10 000 live objects, nanoseconds per object. The limit is one call of a C
-- iterator, which costs as much as an empty C function.

local contestants = require "contestants"
local measure = require "measure"

-- The limit: `next`, a C function that steps through a table.
contestants.next = {
  setup = "local live = {}",
  alloc = "{} live[i] = o",
  each = "for k in next, live do",
}
-- Plain Lua, as games write it.
contestants.array = {
  setup = "local live = {}",
  alloc = "{} live[i] = o",
  each = "for i = 1, #live do local o = live[i]",
}

local parts = contestants.pick(10000)
local all = setmetatable({
  setup = "$pool\nfor i = 1, 10000 do local o = $alloc end",
  pool = parts.setup,
}, { __index = parts })
measure.report("walk", measure.time(all, "$each end", 10000, 100))
