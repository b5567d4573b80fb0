-- A mine that people visit by typing. The host, headless.c, calls `line` for every line of its input.
local spawnpool <const> = require "spawnpool"
local pools <const> = spawnpool.pools

local PATIENCE <const> = 600 -- seconds without input after which a miner is sent home

local miners <const> = {} -- by name; a reference may stay here after its life

-- Returns the live miner of that name, or nil. `alive` works for any reference.
local function find(name)
  local miner <const> = miners[name]
  return miner and miner.alive and miner or nil
end

local commands <const> = {}

function commands.join(name)
  if find(name) then return print(name .. " is here already") end
  local miner <const>, why = pools:alloc("Miner", PATIENCE, name)
  if not miner then return print("nobody can come in: " .. why) end
  miners[name] = miner
end

function commands.dig(name)
  local miner <const> = find(name)
  if not miner then return print("who is " .. name .. "?") end
  miner.remaining = PATIENCE
  miner:dig()
end

function commands.list()
  for miner in pools:each { type = "Miner" } do print(miner:describe()) end
end

local game <const> = {}

function game.load() print "the mine is open" end

function game.line(text)
  local verb <const>, name <const> = text:match "^%s*(%a+)%s*(%a*)"
  local command <const> = commands[verb]
  if not command then return print "join NAME, dig NAME, or list" end
  command(name)
end

return game
