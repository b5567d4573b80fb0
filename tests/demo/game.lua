-- A game that is played in this process without a window, one frame at a time.
--
--   game.open { path = "scripts/cubes", seed = 1 }
--   game.step()
--   print(game.ask "return require('spawnpool').pools.time")
local host <const> = require "host"

local game <const> = { ask = host.ask, eval = host.eval, poll = host.poll, take = host.take }

-- Starts a game after the one before; true when main.lua and load came through. `seed`, and `patience`: seconds that a
-- call may take. Reports go to game.heard(kind, text).
function game.open(it)
  local words <const> = { "spawnpool", "--headless", "--no-watch", "--seed=" .. (it.seed or 0), it.path }
  host.close()
  host.heard = game.heard
  return host.open(words, ".", it)
end

-- Runs a frame. True when nothing of the game failed in it; then whether the game has stopped.
function game.step()
  local _, _, stopped <const>, errors <const> = host.frame()
  return not stopped and errors == 0, stopped
end

-- Ends the game, if there is one: the errors and warnings since it began.
function game.close() return select(4, host.close()) end

return game
