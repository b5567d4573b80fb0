-- One alloc and one recycle from Lua, nanoseconds.
--   lifo       alloc, recycle at once
--   churn      10 000 live, a random one is replaced
--   override   lifo through a subclass that sets one field

local contestants = require "contestants"
local measure = require "measure"

local lifo = [[
  for i = 1, 20000 do
    local o = $alloc
    $recycle
  end]]

local function report_lifo(pattern, texts)
  texts.work = lifo
  measure.report(pattern, measure.time(contestants.pick(100, texts), 20000))
end

local churn = {
  setup = [[$pool
    local live, pick = {}, {}
    math.randomseed(7)
    for i = 1, 10000 do
      local o = $alloc
      live[i] = o
    end
    for i = 1, 65536 do pick[i] = math.random(10000) end
    local from = 0]],
  work = [[
    for i = from + 1, from + 16384 do
      local k = pick[i]
      local o = live[k]
      $recycle
      local o = $alloc
      live[k] = o
    end
    from = (from + 16384) % 65536]],
}

-- One with a generation beside each object would need a second list for them.
if arg[1] ~= "guarded" then
  measure.report("churn", measure.time(contestants.pick(12500, churn), 16384))
end

-- LuaJIT sees that the object goes nowhere and removes the work, so the row would mean nothing there, unless C does it.
local it = contestants[arg[1]]
if not measure.jit or it.is_opaque then
  report_lifo("lifo", {})
  if it.override then report_lifo("override", it.override) end
end
