-- scripts/survivors/pools/Hero.lua
local spawnpool <const> = require "spawnpool"

return spawnpool.class("Hero", { group = "world", prealloc = 1, sprite = "hero", radius = 30, layer = 6 })
