local spawnpool <const> = require "spawnpool"

return spawnpool.class("Lantern", { extends = "Toy", sprite = "lantern", radius = 32 })
