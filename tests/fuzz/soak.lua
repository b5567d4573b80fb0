-- Plays the random test of tests/lua/model.lua for long: lua5.4 tests/fuzz/soak.lua [steps] [first seed]
package.path = "tests/lua/?.lua;" .. package.path
local play <const> = require("model_play").play

local steps <const>, first <const> = tonumber(arg[1]) or 1000000, tonumber(arg[2]) or 1
local STEPS_PER_SEED <const> = 50000

local last <const> = first + math.ceil(steps / STEPS_PER_SEED) - 1

for seed = first, last do
  local ok <const>, message <const> = pcall(play, seed, math.min(STEPS_PER_SEED, steps))
  if not ok then
    io.stderr:write(("%s\nagain with: lua5.4 tests/fuzz/soak.lua %d %d\n"):format(message, STEPS_PER_SEED, seed))
    os.exit(1)
  end
end
print(("%d steps agree with the model, seeds %d to %d"):format(steps, first, last))
