-- An arcade game: rocks fall, a ship shoots. Change a number and save: the game goes on with it.
--
--   left, right   move     space   shoot, begin again
local spawnpool <const> = require "spawnpool"

local pools <const>, input <const>, storage <const> = spawnpool.pools, spawnpool.input, spawnpool.storage
local W <const>, H <const> = 480, 640
local SPEED <const>, RELOAD <const> = 320, 0.15 -- units a second; seconds between two shots
local WORLD <const> = { x = 0, y = -40, w = W, h = H + 80, outside = "recycle" }

spawnpool.class("Ship", { sprite = "triangle", radius = 16, fields = { wait = 0 },
  bounds = { x = 0, y = 0, w = W, h = H, outside = "clamp" } })
spawnpool.class("Shot", { sprite = "circle", radius = 4, bounds = WORLD })
spawnpool.class("Rock", { sprite = "square", radius = 18, bounds = WORLD, motion = { gravity = 30 } })
spawnpool.class("Dust", { sprite = "spark", radius = 8, over_life = { a = { 1, 0 } }, motion = { drag = 2 } })

local game <const> = { title = "Arcade", width = W, height = H }
local ship, score, best, next_rock = nil, 0, storage.load "best" or 0, 0

function game.load()
  pools:recycle_all()
  ship = pools:alloc("Ship", 0, W / 2, H - 40, -math.pi / 2)
  score, next_rock = 0, 1
end

local function burst(o)
  for i = 1, 12 do pools:alloc("Dust", 0.6, o.x, o.y):launch(i * math.pi / 6, math.random(60, 200)) end
  o:recycle()
end

function game.update(dt)
  if not ship.alive then return end
  ship.vx = ((input.down "right" and 1 or 0) - (input.down "left" and 1 or 0)) * SPEED
  ship.wait, next_rock = ship.wait - dt, next_rock - dt
  if input.down "space" and ship.wait <= 0 then
    pools:alloc("Shot", 0, ship.x, ship.y - 20).vy = -500
    ship.wait = RELOAD
  end
  if next_rock <= 0 then
    pools:alloc("Rock", 0, math.random(20, W - 20), -30):launch(math.pi / 2, math.random(60, 160))
    next_rock = math.max(0.2, 1 - score / 100)
  end
  pools:pool("Shot"):overlaps(pools:pool "Rock", function(shot, rock)
    shot:recycle()
    burst(rock)
    score = score + 1
  end)
  pools:pool("Rock"):overlaps(pools:pool "Ship", function() burst(ship) end)
  best = math.max(best, score)
  if not ship.alive then storage.save("best", best) end
end

function game.draw(g)
  g:text(12, 10, ("%d   best %d"):format(score, best), 20)
  if not ship.alive then g:text(W / 2, H / 2, "space begins again", 24, "center") end
end

function game.key_pressed(key) if key == "space" and not ship.alive then game.load() end end

return game
