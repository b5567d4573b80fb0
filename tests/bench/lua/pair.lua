-- One alloc and one recycle from Lua, nanoseconds. The limit is two empty C method calls.
--   lifo       alloc, recycle at once         churn      10 000 live, a random one is replaced
--   seed       take 100, return them          override   lifo through a subclass that sets one field
--   garbage    bytes of Lua heap per life, collector stopped
--   hook       lifo, with a hook that sets one field of each new object

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

local seed_setup = "$pool\nlocal taken = {}"
local seed = [[
  for round = 1, 200 do
    for i = 1, 100 do
      local o = $alloc
      taken[i] = o
    end
    for i = 100, 1, -1 do
      local o = taken[i]
      $recycle
    end
  end]]

local function beside(parts, setup)
  return setmetatable({ setup = setup, pool = parts.setup }, { __index = parts })
end

measure.report("seed", measure.time(beside(contestants.pick(100), seed_setup), seed, 20000))

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

measure.report("churn", measure.time(beside(contestants.pick(12500), churn_setup), churn, 16384))

local garbage = [[
  local keep = ...
  $setup
  local taken = {}
  local function repeat_lives(rounds)
    for round = 1, rounds do
      for i = 1, 100 do
        local o = $alloc
        taken[i] = o
      end
      for i = 100, 1, -1 do
        local o = taken[i]
        $recycle
      end
    end
  end
  repeat_lives(3)
  collectgarbage()
  collectgarbage("stop")
  local before = collectgarbage("count")
  repeat_lives(200)
  local bytes = (collectgarbage("count") - before) * 1024
  collectgarbage("restart")
  keep(bytes / 20000)]]

measure.compile(garbage, contestants.pick(200))(function(bytes)
  measure.report("garbage", bytes)
end)

for _, variant in ipairs { "override", "hook" } do
  if contestants[arg[1]][variant] and is_done then
    measure.report(variant, measure.time(contestants.pick(100, variant), lifo, 20000))
  end
end
