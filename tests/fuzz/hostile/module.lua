-- Plays the hostile game in the module, without a player: lua5.4 module.lua FOLDER SEED UPDATES. The folder has
-- main.lua and rows.lua.
local folder <const>, seed <const>, updates <const> = arg[1], tonumber(arg[2]), tonumber(arg[3])
package.path = folder .. "/?.lua"
math.randomseed(seed)
_G.warn = function() end
local spawnpool <const> = require "spawnpool"
local game <const> = require "main"
game.load()
for _ = 1, updates do
  game.update()
  pcall(spawnpool.pools.update, spawnpool.pools, 1 / 60)
end
print "played to its end"
