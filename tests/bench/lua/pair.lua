-- One alloc and one recycle from Lua, nanoseconds.
--   lifo       alloc, recycle at once
--   churn      10 000 live, a random one is replaced
--   override   lifo through a subclass that sets one field
--   garbage    bytes of Lua heap per life, collector stopped

local contestants = require "contestants"
local measure = require "measure"

local lifo = [[
  for i = 1, 20000 do
    local o = $alloc
    $recycle
  end]]

-- LuaJIT sees that the object goes nowhere and removes the work, so the row would mean nothing there, unless C does it.
local is_done = not measure.jit or contestants[arg[1]].opaque
if is_done then measure.report("lifo", measure.time(contestants.pick(100), lifo, 20000)) end

local churn_setup = [[$pool
  local live, pick = {}, {}
  math.randomseed(7)
  for i = 1, 10000 do
    local o = $alloc
    live[i] = o
  end
  for i = 1, 65536 do pick[i] = math.random(10000) end
  local from = 0]]
local churn = [[
  for i = from + 1, from + 16384 do
    local k = pick[i]
    local o = live[k]
    $recycle
    local o = $alloc
    live[k] = o
  end
  from = (from + 16384) % 65536]]

-- One with a generation beside each object would need a second list for them.
if arg[1] ~= "guarded" then
  local parts = contestants.pick(12500)
  local whole = setmetatable({ setup = churn_setup, pool = parts.setup }, { __index = parts })
  measure.report("churn", measure.time(whole, churn, 16384))
end

local garbage = [[
  local keep = ...
  $setup
  local function repeat_lives(rounds)
    for round = 1, rounds do
      local o = $alloc
      $recycle
    end
  end
  repeat_lives(300)
  collectgarbage()
  collectgarbage("stop")
  local before = collectgarbage("count")
  repeat_lives(20000)
  local bytes = (collectgarbage("count") - before) * 1024
  collectgarbage("restart")
  keep(bytes / 20000)]]

measure.compile(garbage, contestants.pick(200))(function(bytes)
  measure.report("garbage", bytes)
end)

if contestants[arg[1]].override and is_done then
  measure.report("override", measure.time(contestants.pick(100, "override"), lifo, 20000))
end
