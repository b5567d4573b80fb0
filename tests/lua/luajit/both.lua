-- The same calls on the libraries of Lua 5.4 and of LuaJIT, in a text that both languages read.
local both = { is_jit = rawget(_G, "jit") ~= nil, STEP = 1 / 64 }

local library
if both.is_jit then
  library = require "spawnpool.ffi"
  library.warn = function() end
  function both.new(options)
    options = options or {}
    options.step = both.STEP
    return library.new(options)
  end
  function both.class(pools, name, definition) return pools:class(name, definition) end
  function both.get(pools, o, field) return pools:get(o, field) end
  function both.set(pools, o, field, value) return pools:set(o, field, value) end
else
  library = require "spawnpool"
  function both.new(options)
    options = options or {}
    options.step, options.misuse = both.STEP, options.misuse or "ignore"
    return library.new(options)
  end
  function both.class(_, name, definition) return library.class(name, definition) end
  local function read(o, field) return o[field] end
  local function write(o, field, value) o[field] = value end
  function both.get(_, o, field)
    local ok, value = pcall(read, o, field)
    if ok then return value end
    return nil, "stale"
  end
  function both.set(_, o, field, value)
    local ok, message = pcall(write, o, field, value)
    if ok then return true end
    return false, message:find "stale" and "stale" or message
  end
end
both.library = library

function both.tick(pools, ticks)
  for _ = 1, ticks or 1 do pools:update(both.STEP) end
end

-- Lua 5.4 has integers, which are other texts, and rounds decimals otherwise.
function both.show(value)
  if type(value) ~= "number" then return tostring(value) end
  return ("%a"):format(value)
end

function both.equal(got, want, what)
  for i = 1, math.max(#got, #want) do
    if got[i] ~= want[i] then
      error(("%s: value %d is %s, expected %s"):format(what or "got", i, tostring(got[i]), tostring(want[i])), 2)
    end
  end
end

return both
