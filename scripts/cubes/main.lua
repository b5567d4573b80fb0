-- cubes: every way to hand out an object and to take it back, on one page.
--
--   pools:alloc("Cube", 5)      on a rhythm: each cube is recycled by itself after five seconds
--   pools:alloc("Sphere")       by key or by click: lives until it is recycled
--   pools:recycle(object)       by click on an object
--   pools:alloc("Cube", -1)     by key: only makes the pool ready
--
-- Leave it alone for three seconds and a hand plays on its own.
local spawnpool <const> = require "spawnpool"
local hand <const> = require "hand"
local palette <const> = require "palette"
local panel <const> = require "panel"
local stage <const> = require "stage"

local pools <const> = spawnpool.pools

spawnpool.class "Sphere" -- without settings: each alloc says what it looks like

local BEAT <const> = 0.45 -- seconds between two cubes
local REACH <const> = 10 -- maximum distance of a click from the edge of its object

local beat = 0

-- {== Calls, each shown on screen with its result ===========================

local function add_cube()
  panel.say('pools:alloc("Cube", 5)', pools:alloc("Cube", 5))
end

---@param x number
---@param y number
local function add_sphere(x, y)
  local r <const>, g <const>, b <const> = palette.any()
  -- A class without settings takes its looks from the caller: any field may be given by name.
  spawnpool.audio.play("ball", { pan = 2 * x / stage.width - 1 })
  panel.say('pools:alloc("Sphere")', pools:alloc("Sphere", 0, {
    x = x, y = y, vx = math.random(-70, 70), vy = math.random(-70, 70), layer = 2,
    sprite = "ball", radius = math.random(14, 26), r = r, g = g, b = b,
  }))
end

local function prewarm()
  panel.say('pools:alloc("Cube", -1)', pools:alloc("Cube", -1))
end

-- Returns the live object under a point, the nearest if there are several.
---@param x number
---@param y number
local function object_at(x, y)
  local best, least = nil, math.huge
  for object in pools:each() do
    local dx <const>, dy <const> = object.x - x, object.y - y
    local away <const> = math.sqrt(dx * dx + dy * dy) - object.radius * object.scale
    -- Voices are objects too: they are heard, not seen.
    if away < least and away < REACH and object.visible and object.type ~= "Chip" then best, least = object, away end
  end
  return best
end

---@param x number
---@param y number
local function click(x, y)
  local object <const> = object_at(x, y)
  if object then
    local name <const> = tostring(object):match "^%S+" -- "Cube#3"
    panel.say(("pools:recycle(%s)"):format(name), pools:recycle(object))
  else
    add_sphere(x, y)
  end
end

-- }==

-- {== Motion: what velocities alone do not do ================================

local function bounce_cubes()
  local floor <const> = stage.floor
  for cube in pools:pool("Cube"):each() do
    -- A cube grows to its size in a fifth of a second, according to its age.
    local grown <const> = math.min(cube.age * 5, 1)
    cube.scale = grown * (2 - grown)
    if cube.y > floor - cube.radius * 0.9 and cube.vy > 0 then
      cube.y, cube.vy, cube.spin = floor - cube.radius * 0.9, cube.vy * -0.72, cube.spin * -0.6
    end
    if cube.x < cube.radius and cube.vx < 0 or cube.x > stage.width - cube.radius and cube.vx > 0 then
      cube.vx = -cube.vx
    end
  end
end

local function bounce_spheres()
  for sphere in pools:pool("Sphere"):each() do
    local r <const> = sphere.radius
    if sphere.x < r and sphere.vx < 0 or sphere.x > stage.width - r and sphere.vx > 0 then sphere.vx = -sphere.vx end
    if sphere.y < r and sphere.vy < 0 or sphere.y > stage.floor - r and sphere.vy > 0 then sphere.vy = -sphere.vy end
  end
end

-- }==

local game <const> = { width = 800, height = 600 }

function game.load()
  prewarm()
  for _ = 1, 3 do add_sphere(stage.anywhere()) end
end

---@param dt number
function game.update(dt)
  beat = beat + dt
  if beat >= BEAT then
    beat = beat - BEAT
    add_cube()
  end
  bounce_cubes()
  bounce_spheres()
  hand.update(dt, click)
end

function game.draw(g)
  stage.draw(g)
  panel.draw(g)
  hand.draw(g)
end

---@param key string
function game.key_pressed(key)
  hand.touched()
  if key == "c" then add_cube() end
  if key == "s" then add_sphere(stage.anywhere()) end
  if key == "p" then prewarm() end
  if key == "r" then panel.say("pools:recycle_all()", pools:recycle_all()) end
end

---@param x number
---@param y number
function game.mouse_pressed(x, y)
  hand.touched()
  click(x, y)
end

return game
