-- Times pieces of Lua text. A contestant is text, not functions, so that its calls stand in the loop as a game would
-- write them, with no call around them. Runs under Lua 5.4 and LuaJIT; both then time the processor, not the wall.

local measure = {}

measure.jit = rawget(_G, "jit") ~= nil
measure.quick = os.getenv("BENCH_QUICK") ~= nil

local load_text = loadstring or load -- luacheck: ignore

-- Replaces $name in `text` by parts.name; text that stands in for a name may hold names itself.
local function fill(text, parts)
  local before
  repeat
    before = text
    text = text:gsub("%$(%w+)", parts)
  until text == before
  return text
end

local frame = [[
local BATCHES, TICK, keep = ...
local clock = os.clock
$setup
for batch = 1, BATCHES do
  local BEGIN = clock()
  $work
  keep(clock() - BEGIN)
end
]]

function measure.compile(text, parts)
  local source = fill(text, parts)
  local chunk, message = load_text(source, "=bench")
  if not chunk then error(message .. "\n" .. source) end
  return chunk
end

function measure.median(values)
  table.sort(values)
  return values[math.floor(#values / 2) + 1]
end

-- The median nanoseconds of one of `operations` that `work` holds, over `batches` batches. `parts` fills in both texts.
function measure.time(parts, work, operations, batches)
  local filled = setmetatable({ work = work }, { __index = parts })
  local chunk = measure.compile(frame, setmetatable({}, { __index = filled }))
  batches = math.floor((batches or 40) / (measure.quick and 3 or 1))
  local times = {}
  collectgarbage()
  chunk(batches + 2, 1 / 60, function(seconds)
    times[#times + 1] = seconds / operations * 1e9
  end)
  table.remove(times, 1) -- warm-up, and the compiler of LuaJIT
  table.remove(times, 1)
  return measure.median(times)
end

-- The driver reads "pattern value" lines.
function measure.report(pattern, value)
  print(("%s %.4f"):format(pattern, value))
end

return measure
