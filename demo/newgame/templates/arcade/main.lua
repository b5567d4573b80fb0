-- An arcade game: rocks fall, a ship shoots. Change a number and save: the game goes on with it.
--
--   left, right   move     space   shoot
local spawnpool <const> = require "spawnpool"

local pools <const>, input <const> = spawnpool.pools, spawnpool.input
local W <const>, H <const> = 480, 640
local SPEED <const>, RELOAD <const> = 320, 0.15 -- units a second; seconds between two shots
local WORLD <const> = { x = 0, y = -40, w = W, h = H + 80, outside = "recycle" }

spawnpool.class("Ship", { sprite = "triangle", radius = 16, fields = { wait = 0 } })
spawnpool.class("Shot", { sprite = "circle", radius = 4, limit = 40, bounds = WORLD })
spawnpool.class("Rock", { sprite = "square", radius = 18, limit = 100, bounds = WORLD, motion = { gravity = 30 } })
spawnpool.class("Dust", { sprite = "spark", radius = 8, over_life = { a = { 1, 0 } }, motion = { drag = 2 } })

local game <const> = { title = "Arcade", width = W, height = H }
local ship, score, best, next_rock = nil, 0, spawnpool.storage.load "best" or 0, 0

local function start()
  pools:recycle_all()
  ship = pools:alloc("Ship", 0, W / 2, H - 40, -math.pi / 2)
  score, next_rock = 0, 1
end

local function burst(x, y)
  for i = 1, 12 do
    local dust <const> = pools:alloc("Dust", 0.6, x, y)
    if dust then dust:launch(i * math.pi / 6, math.random(60, 200)) end
  end
end

function game.load() start() end

local function steer(dt)
  local way <const> = (input.down "right" and 1 or 0) - (input.down "left" and 1 or 0)
  ship.x = math.max(16, math.min(W - 16, ship.x + way * SPEED * dt))
  ship.wait = ship.wait - dt
  if input.down "space" and ship.wait <= 0 then
    local shot <const> = pools:alloc("Shot", 0, ship.x, ship.y - 20)
    if shot then shot.vy = -500 end
    ship.wait = RELOAD
  end
end

function game.update(dt)
  if not ship.alive then return end
  steer(dt)
  next_rock = next_rock - dt
  if next_rock <= 0 then
    local rock <const> = pools:alloc("Rock", 0, math.random(20, W - 20), -30)
    if rock then rock.vy, rock.spin = math.random(60, 160), math.random(-3, 3) end
    next_rock = math.max(0.2, 1 - score / 100)
  end
  pools:pool("Shot"):overlaps(pools:pool "Rock", function(shot, rock)
    burst(rock.x, rock.y)
    shot:recycle()
    rock:recycle()
    score = score + 1
  end)
  pools:pool("Rock"):overlaps(pools:pool "Ship", function()
    burst(ship.x, ship.y)
    ship:recycle()
    best = math.max(best, score)
    spawnpool.storage.save("best", best)
  end)
end

function game.draw(g)
  g:text(12, 10, ("%d   best %d"):format(score, best), 20)
  if not ship.alive then g:text(W / 2, H / 2, "space begins again", 24, "center") end
end

function game.key_pressed(key)
  if key == "space" and not ship.alive then start() end
end

return game
