-- Times pieces of Lua. Runs under Lua 5.4 and LuaJIT; both then time the processor, not the wall. Of many batches the
-- least counts: whatever else the machine does only adds to it.

local measure = {}

measure.jit = rawget(_G, "jit") ~= nil
measure.quick = os.getenv("BENCH_QUICK") ~= nil

local load_text = loadstring or load -- luacheck: ignore

-- The least seconds of so many calls, or of a third of them for a first look.
function measure.least(calls, work)
  local least = math.huge
  collectgarbage()
  for _ = 1, math.ceil(calls / (measure.quick and 3 or 1)) do
    local begin = os.clock()
    work()
    least = math.min(least, os.clock() - begin)
  end
  return least
end

-- Replaces $name in `text` by parts.name; text that stands in for a name may hold names itself.
function measure.fill(text, parts)
  local before
  repeat
    before = text
    text = text:gsub("%$(%w+)", parts)
  until text == before
  return text
end

local BATCHES = [[
local batches, keep, clock = ...
$setup
for batch = 1, batches do
  local BEGIN = clock()
  $work
  keep(clock() - BEGIN)
end]]

-- The least nanoseconds of one of `operations` that `parts.work` holds: text, not a function, so that the calls of a
-- contestant stand in the loop as a game would write them, with no call around them.
function measure.time(parts, operations)
  local source = measure.fill(BATCHES, parts)
  local chunk, message = load_text(source, "=bench")
  if not chunk then error(message .. "\n" .. source) end
  local least = math.huge
  collectgarbage()
  chunk(measure.quick and 15 or 60, function(seconds) least = math.min(least, seconds) end, os.clock)
  return least / operations * 1e9
end

-- The driver reads "pattern value" lines.
function measure.report(pattern, value)
  print(("%s %.4f"):format(pattern, value))
end

return measure
