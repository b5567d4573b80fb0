-- The core loop of a shooter in LÖVE, on checked pools: `love demo/love` in the tree after `make`. Arrow keys move,
-- space fires, B shows the bench, Esc ends. `love demo/love play 600 FILE.png` plays 600 frames by itself, saves the
-- last one in LÖVE's folder, prints what happened, and ends.
local source = love.filesystem.getSource()
package.path = ("%s/?.lua;%s/../../build/lua/?.lua;%s"):format(source, source, package.path)
local spawnpool = require "spawnpool.ffi"

local WIDTH, HEIGHT, STEP = 800, 600, 1 / 60
local random, sin, cos, pi = love.math.random, math.sin, math.cos, math.pi

local pools = spawnpool.new { misuse = "error" }
local view = require("spawnpool.love").new(pools)
local BOX = { x = -60, y = -600, w = WIDTH + 120, h = HEIGHT + 660, outside = "recycle" } -- waves come from above

-- {== Types ==================================================================

pools:class("Star", { sprite = "square", radius = 1, layer = -1, prealloc = 128,
  bounds = { x = 0, y = 0, w = WIDTH, h = HEIGHT, outside = "wrap" } })

local Mover = pools:class("Mover", { bounds = BOX, order = "lifo", fields = { damage = 1, hp = 1 } })

-- Everything that is launched has an angle and a speed: what a class adds to alloc.
function Mover.launch(pool, o, angle, speed)
  pools:set(o, "vx", cos(angle) * speed)
  pools:set(o, "vy", sin(angle) * speed)
  pools:set(o, "angle", angle)
  return o
end

local Bullet = pools:class("Bullet", { extends = Mover, sprite = "square", radius = 4, layer = 2, limit = 512,
  overflow = "oldest", r = 1, g = 0.9, b = 0.4, prealloc = 128 })

function Bullet:alloc(lifetime, x, y, angle)
  local o, why = Bullet.super.alloc(self, lifetime, x, y, angle)
  if not o then return nil, why end
  return Mover.launch(self, o, angle, 620)
end

pools:class("Shot", { extends = Mover, sprite = "circle", radius = 5, layer = 2, r = 1, g = 0.3, b = 0.5, limit = 400 })

pools:class("Enemy", { extends = Mover, sprite = "ring", radius = 16, layer = 1, r = 0.4, g = 1, b = 0.6, limit = 200,
  fields = { hp = 3, next_shot = 1, phase = 0 } })

pools:class("Spark", { sprite = "spark", radius = 7, layer = 3, limit = 4096, overflow = "oldest", prealloc = 512,
  motion = { drag = 2 }, over_life = { a = { 1, 0 }, scale = { 1, 0.3 } } })

pools:class("Ship", { sprite = "triangle", radius = 16, layer = 2, r = 0.5, g = 0.8, b = 1, limit = 1 })

-- }==

-- {== The game ===============================================================

local bullets, shots, enemies = pools:pool "Bullet", pools:pool "Shot", pools:pool "Enemy"
local sparks, ships = pools:pool "Spark", pools:pool "Ship"
local game = { ship = nil, score = 0, lives = 3, wave = 0, reload = 0, time = 0, auto = false }

local function burst(x, y, count, r, g, b)
  for _ = 1, count do
    local spark = sparks:alloc(0.3 + random() * 0.7, x, y)
    if not spark then return end
    local angle, speed = random() * 2 * pi, random(30, 320)
    pools:set(spark, "vx", cos(angle) * speed)
    pools:set(spark, "vy", sin(angle) * speed)
    pools:set(spark, "r", r)
    pools:set(spark, "g", g)
    pools:set(spark, "b", b)
  end
end

local function begin_life()
  game.ship = ships:alloc(0, WIDTH / 2, HEIGHT - 60, -pi / 2)
  game.safe = game.time + 2
end

local function begin_wave()
  game.wave = game.wave + 1
  for i = 1, math.min(18 + game.wave * 6, 120) do
    local enemy = enemies:alloc(0, i % 12 * 62 + 60, -20 - math.floor(i / 12) * 45)
    if enemy then
      pools:set(enemy, "vy", 22 + game.wave * 2)
      pools:set(enemy, "spin", 2)
      pools:set(enemy, "phase", i)
      pools:set(enemy, "next_shot", game.time + 1 + random() * 3)
    end
  end
end

-- Where the player wants to go. Without a player, after whom is above.
local function wish()
  if game.auto then
    local x = pools:get(game.ship, "x")
    local to = WIDTH / 2 + sin(game.time * 0.7) * WIDTH * 0.4
    return to > x + 4 and 1 or to < x - 4 and -1 or 0, 0, true
  end
  local down = love.keyboard.isDown
  return (down "right" and 1 or 0) - (down "left" and 1 or 0), (down "down" and 1 or 0) - (down "up" and 1 or 0),
    down "space"
end

local function fly(dt)
  local ship = game.ship
  local across, along, fires = wish()
  local x = math.max(20, math.min(WIDTH - 20, pools:get(ship, "x") + across * 380 * dt))
  local y = math.max(200, math.min(HEIGHT - 20, pools:get(ship, "y") + along * 380 * dt))
  pools:set(ship, "x", x)
  pools:set(ship, "y", y)
  pools:set(ship, "a", game.time < game.safe and 0.5 or 1)
  game.reload = game.reload - dt
  if fires and game.reload <= 0 then
    game.reload = 0.09
    for i = -1, 1 do bullets:alloc(0, x + i * 9, y - 16, -pi / 2 + i * 0.06) end
  end
end

-- Sways by its own phase, and aims at the ship.
local function think(enemy)
  pools:set(enemy, "vx", sin(game.time * 1.5 + pools:get(enemy, "phase")) * 60)
  if game.time < pools:get(enemy, "next_shot") or not pools:is_live(game.ship) then return end
  pools:set(enemy, "next_shot", game.time + 1.5 + random() * 2)
  local x, y = pools:get(enemy, "x"), pools:get(enemy, "y")
  local shot = shots:alloc(0, x, y)
  if shot then
    Mover.launch(shots, shot, math.atan2(pools:get(game.ship, "y") - y, pools:get(game.ship, "x") - x),
      170 + game.wave * 8)
  end
end

local function hit_enemy(bullet, enemy)
  local hp = pools:get(enemy, "hp") - pools:get(bullet, "damage")
  local x, y = pools:get(enemy, "x"), pools:get(enemy, "y")
  pools:recycle(bullet)
  pools:set(enemy, "hp", hp)
  burst(x, y, 4, 1, 0.9, 0.4)
  if hp > 0 then return end
  pools:recycle(enemy)
  burst(x, y, 40, 0.4, 1, 0.6)
  game.score = game.score + 10
end

local function hit_ship(ship, other)
  if game.time < game.safe then return end
  burst(pools:get(ship, "x"), pools:get(ship, "y"), 120, 0.5, 0.8, 1)
  pools:recycle(other)
  pools:recycle(ship)
  game.lives = game.lives - 1
end

local function update(dt)
  game.time = game.time + dt
  if not pools:is_live(game.ship) then begin_life() end
  if enemies.live == 0 then begin_wave() end
  fly(dt)
  for enemy in enemies:each() do think(enemy) end
  pools:update(dt)
  for ref, why in pools:ended() do -- what flew past the bottom comes back
    if why == "outside" and pools:last(ref, "type") == "Enemy" and pools:last(ref, "y") > HEIGHT then
      local enemy = enemies:alloc(0, pools:last(ref, "x"), -30)
      if enemy then pools:set(enemy, "vy", 60) end
    end
  end
  bullets:overlaps(enemies, hit_enemy)
  ships:overlaps(shots, hit_ship)
  ships:overlaps(enemies, hit_ship)
end

-- }==

-- {== LÖVE ===================================================================

local scene, frames, last_frame, picture = nil, 0, nil, nil
local bench = require "bench"

function love.load(arguments)
  for _ = 1, 120 do
    local star = pools:alloc("Star", 0, random(WIDTH), random(HEIGHT))
    pools:set(star, "vy", random(10, 70))
    pools:set(star, "a", random() * 0.7)
  end
  if arguments[1] == "bench" then scene = bench end
  if arguments[1] == "play" or arguments[2] then
    game.auto, last_frame, picture = true, tonumber(arguments[2] or 600), arguments[3]
    love.math.setRandomSeed(7)
  end
end

local function finish()
  local s = pools:stats()
  print(("%d frames, score %d, wave %d; %d objects were allocated, %d recycled; %d bytes of Lua"):format(frames,
    game.score,
    game.wave, s.allocs, s.recycles, collectgarbage "count" * 1024))
  love.event.quit(pools:stats("Bullet").allocs > 0 and s.double_recycles == 0 and 0 or 1)
end

function love.update(dt)
  frames = frames + 1
  if scene then scene.update(STEP) else update(last_frame and STEP or math.min(dt, 1 / 20)) end
  if frames == last_frame then
    if picture then love.graphics.captureScreenshot(picture) end
  elseif last_frame and frames > last_frame then
    finish()
  end
end

function love.draw()
  if scene then return scene.draw() end
  view:draw()
  love.graphics.print(("score %d   wave %d   %d live   %d fps"):format(game.score, game.wave, pools:stats().live,
    love.timer.getFPS()), 16, 12)
end

function love.keypressed(key)
  if key == "escape" then love.event.quit() end
  if key == "b" then scene = not scene and bench or nil end
  if scene then scene.keypressed(key) end
end

-- }==
