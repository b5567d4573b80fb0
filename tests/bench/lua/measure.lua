-- Times pieces of Lua text. A contestant is text, not functions, so that its calls stand in the loop as a game would
-- write them, with no call around them. Runs under Lua 5.4 and LuaJIT; both then time the processor, not the wall. Of
-- many batches the least counts: whatever else the machine does only adds to it.

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
local BATCHES, keep = ...
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

-- The least nanoseconds of one of `operations` that `work` holds, over `batches` batches. `parts` fills in both texts.
function measure.time(parts, work, operations, batches)
  local filled = setmetatable({ work = work }, { __index = parts })
  local chunk = measure.compile(frame, setmetatable({}, { __index = filled }))
  local least = math.huge
  collectgarbage()
  chunk(math.floor((batches or 40) / (measure.quick and 3 or 1)) + 2, function(seconds)
    least = math.min(least, seconds / operations * 1e9)
  end)
  return least
end

-- The driver reads "pattern value" lines.
function measure.report(pattern, value)
  print(("%s %.4f"):format(pattern, value))
end

return measure
