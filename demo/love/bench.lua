-- Bullets by pools, and by a pool of tables written in Lua: what a frame takes, and what the collector does to it.
-- Space changes between the two, up and down change how many there are.
local spawnpool = require "spawnpool.ffi"

local WIDTH, HEIGHT = 800, 600
local clock, random = love.timer.getTime, love.math.random
local BOX = { x = 0, y = 0, w = WIDTH, h = HEIGHT, outside = "bounce" }
local count, which, it, results = 10000, 1, nil, {}

-- {== Pools ==================================================================

local function by_pools()
  local pools = spawnpool.new()
  local view = require("spawnpool.love").new(pools)
  pools:class("Bullet", { radius = 2, r = 0.4, g = 0.8, b = 1, bounds = BOX })
  local bullets = pools:pool "Bullet"
  local self = { name = "spawnpool" }
  function self.update(dt)
    pools:update(dt)
    for _ = bullets.live + 1, count do
      local o = bullets:alloc(0.5 + random() * 4, random(WIDTH), random(HEIGHT))
      pools:set(o, "vx", random(-90, 90))
      pools:set(o, "vy", random(-90, 90))
    end
  end
  function self.draw() view:draw() end
  return self
end

-- }==

-- {== Tables =================================================================

-- As games have them: an array of live tables, another of idle ones, a SpriteBatch that is filled one by one.
local function by_tables()
  local live, idle, batch = {}, {}, nil
  local self = { name = "a pool of tables" }
  local function spawn()
    local o = table.remove(idle) or {}
    o.x, o.y, o.vx, o.vy = random(WIDTH), random(HEIGHT), random(-90, 90), random(-90, 90)
    o.life, o.trail = 0.5 + random() * 4, { o.x, o.y } -- one small table for each life, as is easily written
    live[#live + 1] = o
  end
  function self.update(dt)
    for i = #live, 1, -1 do
      local o = live[i]
      o.life, o.x, o.y = o.life - dt, o.x + o.vx * dt, o.y + o.vy * dt
      if o.x < 0 or o.x > WIDTH then o.vx = -o.vx end
      if o.y < 0 or o.y > HEIGHT then o.vy = -o.vy end
      if o.life <= 0 then
        idle[#idle + 1] = o
        live[i] = live[#live]
        live[#live] = nil
      end
    end
    for _ = #live + 1, count do spawn() end
  end
  function self.draw()
    if not batch then
      local white = love.image.newImageData(4, 4)
      white:mapPixel(function() return 0.4, 1, 0.5, 1 end)
      batch = love.graphics.newSpriteBatch(love.graphics.newImage(white), 65536, "stream")
    end
    batch:clear()
    for _, o in ipairs(live) do batch:add(o.x, o.y, 0, 1, 1, 2, 2) end
    love.graphics.draw(batch)
  end
  return self
end

-- }==

-- {== The scene ==============================================================

-- Only one of them lives at a time: the collector looks at all that lives.
local function side()
  if not it then
    it = which == 1 and by_pools() or by_tables()
    it.times, results[which] = {}, it
  end
  return it
end

-- The median and the longest of the last 240 frames, and a whole collection now and then, in milliseconds.
local function note(seconds)
  table.insert(it.times, 1, seconds * 1000)
  it.times[241] = nil
  it.frame = (it.frame or 0) + 1
  if it.frame % 60 ~= 0 then return end
  local sorted = { unpack(it.times) }
  table.sort(sorted)
  local begin = clock()
  collectgarbage()
  results[which] = { name = it.name, count = count, median = sorted[math.floor(#sorted / 2) + 1],
    longest = sorted[#sorted],
    collection = (clock() - begin) * 1000 }
end

local bench = {}

function bench.update(dt)
  local begin = clock()
  side().update(dt)
  it.updated = clock() - begin
end

function bench.draw()
  local begin = clock()
  side().draw()
  note(clock() - begin + (it.updated or 0))
  love.graphics.print("space: the other one   up, down: more, fewer   B: back to the game", 16, 12)
  local line = "%s %s, %d bullets: a frame takes %.2f ms, the longest %.2f ms; a whole collection %.2f ms"
  for i, r in pairs(results) do
    if r.median then
      love.graphics.print(line:format(i == which and ">" or "  ", r.name, r.count, r.median, r.longest, r.collection),
        16,
        12 + i * 18)
    end
  end
end

function bench.keypressed(key)
  if key == "space" then which, it = 3 - which, nil end
  if key == "up" then count = math.min(count * 2, 160000) end
  if key == "down" then count = math.max(1000, count / 2) end
end

-- }==

return bench
