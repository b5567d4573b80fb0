-- `luajit run.lua own` runs the tests of own.lua: exit status 1 when one fails. `run.lua play SEED STEPS` prints what
-- random calls came to, in Lua 5.4 too. STRESS=1: a collection every few instructions.
package.path = "tests/lua/luajit/?.lua;" .. package.path
if os.getenv "STRESS" then
  jit.off() -- hooks do not run in compiled code
  local turns = 0
  debug.sethook(function()
    turns = turns + 1
    if turns < 3000 or turns % 100 == 0 then collectgarbage() end
  end, "", 200)
end
if arg[1] == "play" then return require "play"(tonumber(arg[2]), tonumber(arg[3])) end

-- Loads what the specs of Lua 5.4 have, without the attributes that LuaJIT cannot read.
local function helper(path)
  local file = assert(io.open(path))
  local text = file:read("*a"):gsub(" <const>", "")
  file:close()
  return assert(loadstring(text, "@" .. path))()
end

package.loaded.spawnpool = require "spawnpool.ffi"
function package.loaded.spawnpool.warn(text) warn(text) end
function warn() end
local spec = helper "tests/support/specs.lua"
spec.is_slow, package.loaded.spec = os.getenv "STRESS" ~= nil, spec
package.loaded.kit = helper "tests/lua/kit.lua"

local FILE = ("tests/lua/luajit/%s.lua"):format(arg[1])
local failed = false
for i, test in ipairs((spec.load(FILE))) do
  local wrong = spec.run(FILE, i)
  if wrong then print(test.name .. ": " .. wrong) end
  failed = failed or wrong
end
os.exit(failed and 1 or 0)
