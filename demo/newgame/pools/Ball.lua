-- The class of pools:alloc("Ball", ...): its settings and overrides. `self` is the pool.
local spawnpool <const> = require "spawnpool"
local colors <const> = require "colors"

local pools <const> = spawnpool.pools

local Ball <const> = spawnpool.class("Ball", {
  prealloc = 16, limit = 40, overflow = "oldest", -- at the limit the oldest one is recycled
  sprite = "circle", radius = 16, layer = 2,
  motion = { gravity = 400 },
  bounds = { x = 16, y = 16, w = 768, h = 568, outside = "bounce" },
  fields = { sparks = spawnpool.live(40) }, -- when it ends; live: an edit reaches existing balls
})

---@param lifetime? number
---@param x number
---@param y number
function Ball:alloc(lifetime, x, y)
  local ball <const>, why = Ball.super.alloc(self, lifetime, x, y)
  if not ball then return nil, why end
  ball.vx, ball.vy = math.random(-220, 220), math.random(-260, 0)
  ball.r, ball.g, ball.b = colors.any()
  return ball
end

---@param ball spawnpool.Object
function Ball:on_despawn(ball)
  for i = 1, ball.sparks do
    local spark <const> = pools:alloc("Spark", 1.2, ball.x, ball.y, i * 6.28 / ball.sparks)
    if spark then spark.r, spark.g, spark.b = ball.r, ball.g, ball.b end
  end
end

return Ball
