-- A platformer: run, jump, take all coins. The level is text: change it and save, and the game goes on in the new one.
--
--   left, right   run     up, space   jump
local spawnpool <const> = require "spawnpool"

local pools <const>, input <const> = spawnpool.pools, spawnpool.input
local RUN <const>, JUMP <const>, FALL <const> = 220, 560, 1400 -- units a second; a second later

local level <const> = spawnpool.tiles { size = 32, letters = { ["#"] = 1, o = 0 }, rows = { -- # solid, o a coin
  "#                      #",
  "#                   o  #",
  "#            o    #### #",
  "#         #####        #",
  "#  o                   #",
  "####               o   #",
  "#        o       ###   #",
  "#      #####           #",
  "#                 o    #",
  "########################",
} }

spawnpool.class("Hero", { sprite = "square", radius = 12, box = { w = 24, h = 24 },
  fields = { fall = 0, stands = false } })
spawnpool.class("Coin", { sprite = "ring", radius = 9 })
spawnpool.class("Glitter", { sprite = "spark", radius = 7, over_life = { a = { 1, 0 } } })

local game <const> = { title = "Platformer", width = level.width, height = level.height }
local hero

function game.load()
  hero = pools:alloc("Hero", 0, 80, 200)
  hero.g, hero.b = 0.8, 0.35
  for x, y in level:each "o" do pools:alloc("Coin", 0, x, y) end
end

function game.update(dt)
  hero.fall = math.min(hero.fall + FALL * dt, 900)
  local way <const> = (input.down "right" and 1 or 0) - (input.down "left" and 1 or 0)
  local _, is_stopped <const> = level:move(hero, way * RUN * dt, hero.fall * dt)
  hero.stands = is_stopped and hero.fall > 0
  if is_stopped then hero.fall = 0 end
  for coin in pools:pool("Coin"):within(hero.x, hero.y, 24) do
    for i = 1, 10 do pools:alloc("Glitter", 0.5, coin.x, coin.y):launch(i * 0.63, 120) end
    coin:recycle()
  end
end

function game.draw_below(g)
  g:color(0.31, 0.42, 0.55)
  g:tiles(level)
end

function game.draw(g)
  local left <const> = pools:pool("Coin").live
  g:text(44, 8, left > 0 and ("%d coins left"):format(left) or "all coins taken", 18)
end

function game.key_pressed(key) if (key == "up" or key == "space") and hero.stands then hero.fall = -JUMP end end

return game
