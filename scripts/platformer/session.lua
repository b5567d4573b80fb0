-- scripts/platformer/session.lua
-- One way up: seconds, oil, falls; and the best time of all.
local saved <const> = require("spawnpool").storage.load "best"

return { best = type(saved) == "number" and saved or math.huge, time = 0, drops = 0, falls = 0 }
