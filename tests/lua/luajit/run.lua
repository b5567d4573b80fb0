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
local count, wrong = require(arg[1])()
print(("%d tests of %s"):format(count, arg[1]))
if wrong ~= "" then
  print(wrong)
  os.exit(1)
end
