-- Snow that flies up, slows down and vanishes.
local spawnpool <const> = require "spawnpool"

local Powder <const> = spawnpool.class("Powder", {
  prealloc = 96, grow = 32, limit = 256, overflow = "oldest",
  sprite = "glow", radius = 7, layer = 5, r = 0.92, g = 0.95, b = 1,
  motion = { drag = 5 },
  over_life = { a = { 0.9, 0.5, 0 }, scale = { 0.5, 1.5 } },
})

-- A helper of the class: `pools:pool("Powder"):burst(...)`.
---@param count integer
---@param speed number
function Powder:burst(x, y, count, speed)
  for _ = 1, count do
    local angle <const>, fast <const> = math.random() * 6.28, speed * (0.3 + math.random())
    local puff <const> = self:alloc(0.4 + math.random() * 0.4, x, y)
    if puff then puff.vx, puff.vy = math.cos(angle) * fast, math.sin(angle) * fast end
  end
end

return Powder
