-- A platformer: run, jump, take all coins. The level is text: change it and save, and the game goes on in the new one.
--
--   left, right   run     up, space   jump
local spawnpool <const> = require "spawnpool"

local pools <const>, input <const> = spawnpool.pools, spawnpool.input
local TILE <const>, RUN <const>, JUMP <const>, FALL <const> = 32, 220, 520, 1400
local SIZE <const> = 24 -- of the hero, a square
local LEVEL <const> = { -- # is solid, o a coin
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
}

spawnpool.class("Coin", { sprite = "ring", radius = 9, spin = 2 })
spawnpool.class("Glitter", { sprite = "spark", radius = 7, over_life = { a = { 1, 0 } } })

local game <const> = { title = "Platformer", width = #LEVEL[1] * TILE, height = #LEVEL * TILE }
local hero <const> = { x = 80, y = 200, vx = 0, vy = 0, stands = false } -- its upper left corner; units a second

local function is_solid(x, y)
  local row <const> = LEVEL[y // TILE + 1]
  local column <const> = math.tointeger(x // TILE + 1)
  return row ~= nil and row:sub(column, column) == "#"
end

local function hits(x, y)
  local right <const>, bottom <const> = x + SIZE - 1, y + SIZE - 1
  return is_solid(x, y) or is_solid(right, y) or is_solid(x, bottom) or is_solid(right, bottom)
end

-- Moves the hero along one axis. When something stops it, it goes on unit by unit, until it touches that.
local function move(axis, by)
  local x <const>, y <const> = axis == "x" and by or 0, axis == "y" and by or 0
  if not hits(hero.x + x, hero.y + y) then
    hero.x, hero.y = hero.x + x, hero.y + y
    return true
  end
  local step <const> = by > 0 and 1 or -1
  hero[axis] = math.floor(hero[axis] + 0.5)
  for _ = 1, math.abs(by) // 1 do
    if hits(hero.x + (axis == "x" and step or 0), hero.y + (axis == "y" and step or 0)) then break end
    hero[axis] = hero[axis] + step
  end
  return false
end

function game.load()
  for row, tiles in ipairs(LEVEL) do
    for column in tiles:gmatch "()o" do pools:alloc("Coin", 0, (column - 0.5) * TILE, (row - 0.5) * TILE) end
  end
end

function game.update(dt)
  hero.vx = ((input.down "right" and 1 or 0) - (input.down "left" and 1 or 0)) * RUN
  hero.vy = math.min(hero.vy + FALL * dt, 900)
  move("x", hero.vx * dt)
  local is_free <const> = move("y", hero.vy * dt)
  hero.stands = not is_free and hero.vy > 0
  if not is_free then hero.vy = 0 end
  for coin in pools:pool("Coin"):within(hero.x + SIZE / 2, hero.y + SIZE / 2, SIZE) do
    for i = 1, 10 do
      local glitter <const> = pools:alloc("Glitter", 0.5, coin.x, coin.y)
      if glitter then glitter:launch(i * 0.63, 120) end
    end
    coin:recycle()
  end
end

function game.draw_below(g)
  g:color(0.31, 0.42, 0.55)
  for row, tiles in ipairs(LEVEL) do
    for column in tiles:gmatch "()#" do g:rect((column - 1) * TILE, (row - 1) * TILE, TILE, TILE) end
  end
end

function game.draw(g)
  g:color(1, 0.8, 0.35)
  g:rect(hero.x, hero.y, SIZE, SIZE)
  local left <const> = pools:pool("Coin").live
  g:color(1, 1, 1)
  g:text(44, 8, left > 0 and ("%d coins left"):format(left) or "all coins taken", 18)
end

function game.key_pressed(key)
  if (key == "up" or key == "space") and hero.stands then hero.vy = -JUMP end
end

return game
