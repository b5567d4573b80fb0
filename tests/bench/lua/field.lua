-- Reading and writing one field of 100 objects in turn, nanoseconds. The limit of a C library is an empty metamethod,
-- its floor the calls of Lua's interface that it cannot do without; a raw table field is what only a table can do.

local contestants = require "contestants"
local measure = require "measure"

contestants.empty_fields = { setup = "", alloc = [[require("empty").fields()]] }
contestants.interface = { setup = "", alloc = [[require("empty").interface()]] }

local setup = [[$pool
  local taken = {}
  for i = 1, 100 do
    local o = $alloc
    taken[i] = o
  end]]
local work = [[
  for round = 1, 200 do
    for i = 1, 100 do
      local o = taken[i]
      $access
    end
  end]]

local function access(text)
  local parts = contestants.pick(200)
  local all = setmetatable({ setup = setup, pool = parts.setup, access = text }, { __index = parts })
  return measure.time(all, work, 20000, 80)
end

measure.report("get", access("local value = o.x"))
measure.report("set", access("o.x = i"))
