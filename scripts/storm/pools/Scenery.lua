-- Static scenery: sky, hills, wood, tree. stage.lua places it.
local spawnpool <const> = require "spawnpool"

return spawnpool.class("Scenery", { prealloc = 4, grow = 4 })
