-- Edits a game while it runs, thousands of times: lua5.4 tests/fuzz/reload.lua [random edits] [seed]
-- Cuts every class file off at every byte, then edits at random; reload_trial.lua says what must hold after each. The
-- folder of the game is printed first and stays after a failure: should the process die, the last edit is in there.
-- What the library reports about the broken code goes to stderr.
package.path = "tests/lua/?.lua;" .. package.path
require "spawnpool"
local reload <const> = require "spawnpool.reload"
local edits <const> = require "reload_edits"
local game <const> = require "reload_game"
local trial <const> = require "reload_trial"

local count <const>, seed <const> = tonumber(arg[1]) or 5000, tonumber(arg[2]) or 1
local STEPS <const> = 3

local files <const> = {}
for file in pairs(game.FILES) do files[#files + 1] = file end
table.sort(files)

local function cut_everywhere(t)
  for _, file in ipairs(files) do
    local text <const> = game.FILES[file]
    for length = 0, file:find "^pools/" and #text - 1 or -1 do trial.try(t, file, edits.cut(text, length)) end
  end
end

local function edit_at_random(t)
  local random <const> = game.chance(seed)
  for _ = 1, count do
    local file <const> = files[random(#files) + 1]
    trial.try(t, file, edits.random(game.FILES[file], random))
  end
end

local t <const> = trial.open(reload, seed, STEPS)
io.stdout:setvbuf "line"
print(("the game is in %s, seed %d"):format(t.game.folder, seed))
local ok <const>, message <const> = pcall(function()
  cut_everywhere(t)
  print("cut off at every byte: " .. trial.report(t))
  edit_at_random(t)
  print("and at random: " .. trial.report(t))
end)
t.game:close(not ok)
if not ok then
  print(("%s\nagain with: make fuzz-reload COUNT=%d SEED=%d"):format(message, count, seed))
  os.exit(1)
end
