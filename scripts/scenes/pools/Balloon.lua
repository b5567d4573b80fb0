local spawnpool <const> = require "spawnpool"

return spawnpool.class("Balloon", { extends = "Toy", sprite = "balloon", radius = 30 })
