-- Plays the random test of tests/lua/model.lua for long: lua5.4 tests/fuzz/soak.lua [turns] [first seed]
-- Each game is a process of its own, so that a crash is a failure like any other. One that fails is made shorter and
-- printed as Lua; `lua5.4 tests/fuzz/soak.lua play SEED FILE` plays the turns that stand in a file again.
package.path = "tests/lua/?.lua;" .. package.path

local TURNS_PER_GAME <const>, QUESTIONS <const> = 50000, 400

-- {== In a process of its own ===============================================

local function read_turns(file)
  local turns <const> = {}
  for line in io.lines(file) do turns[#turns + 1] = math.tointeger(tonumber(line)) end
  return turns
end

-- Says "same" at the end, or what is different.
local function play(seed, turns, aloud)
  local game <const> = require "model_play"
  if aloud then require "model_trace" () end
  local ok <const>, message <const> = pcall(game.play, seed, turns)
  print(ok and "same" or message)
  os.exit(ok)
end

if arg[1] == "play" then play(tonumber(arg[2]), read_turns(arg[3]), arg[4] == "aloud") end
if arg[1] == "game" then play(tonumber(arg[2]), math.tointeger(tonumber(arg[3]))) end

-- }==

-- {== Asking it =============================================================

-- The last line that it said, and all of it.
local function ask(...)
  local pipe <close> = assert(io.popen(table.concat({ "lua5.4 tests/fuzz/soak.lua", ... }, " ") .. " 2>/dev/null"))
  local text <const> = pipe:read "a"
  return text:match "([^\n]*)\n$" or "it crashed", text
end

local function write_turns(file, turns)
  local out <close> = assert(io.open(file, "w"))
  out:write(table.concat(turns, "\n"), "\n")
end

-- A message without seed, step, numbers and the calls around.
local function fault(message)
  return (message:gsub("^.-seed %d+, step %d+, [^:]*: ", ""):gsub("[%x.]*%d[%x.]*", "N"))
end

local function explain(seed, count, message)
  local turns <const>, file <const> = {}, os.tmpname()
  for i = 1, count do turns[i] = i end
  local left <const> = require "shrink" (turns, function(list)
    write_turns(file, list)
    local said <const> = ask("play", seed, file)
    return said ~= "same" and fault(said) == fault(message)
  end, QUESTIONS)
  write_turns(file, left)
  local _ <const>, script <const> = ask("play", seed, file, "aloud")
  io.stderr:write(("%s\n%s\n%d turns are left; again with: lua5.4 tests/fuzz/soak.lua play %d %s\n"):format(message,
    script, #left, seed, file))
end

-- }==

local turns <const>, first <const> = tonumber(arg[1]) or 10000000, tonumber(arg[2]) or 1
local last <const> = first + math.ceil(turns / TURNS_PER_GAME) - 1

for seed = first, last do
  local count <const> = math.min(TURNS_PER_GAME, turns)
  local said <const> = ask("game", seed, count)
  if said ~= "same" then
    explain(seed, count, said)
    os.exit(1)
  end
end
print(("%d turns agree with the model, seeds %d to %d"):format(turns, first, last))
