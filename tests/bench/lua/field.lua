-- Reading and writing one field of 100 objects in turn, nanoseconds. The limit of a C library is an empty metamethod,
-- its floor the calls of Lua's interface that it cannot do without; a raw table field is what only a table can do.

local contestants = require "contestants"
local measure = require "measure"

contestants.empty_fields = { setup = "", alloc = [[require("empty").fields()]] }
contestants.interface = { setup = "", alloc = [[require("empty").interface()]] }

local function report(pattern, access)
  measure.report(pattern, measure.time(contestants.pick(200, {
    setup = [[$pool
      local taken = {}
      for i = 1, 100 do
        local o = $alloc
        taken[i] = o
      end]],
    access = access,
    work = [[
      for round = 1, 200 do
        for i = 1, 100 do
          local o = taken[i]
          $access
        end
      end]],
  }), 20000))
end

report("get", "local value = o.x")
report("set", "o.x = i")
