-- Draws the 10 000 sprites by LÖVE, nanoseconds each: `love FOLDER draw|batch|view`, or `love FOLDER first`,
-- which ends after its first frame. See draw.c for the patterns.

local SPRITES, WIDTH, HEIGHT = 10000, 1280, 720
local FRAMES = os.getenv("BENCH_QUICK") and 30 or 120

local graphics, clock = love.graphics, love.timer.getTime
local contestants = {}

local function place(i, most)
  return i * 2654435761 % 4294967296 % most
end

local function stage(size)
  local data = love.image.newImageData(256, 256)
  data:mapPixel(function(x, y) return x / 256, y / 256, 0.5, 0.5 end)
  local it = { image = graphics.newImage(data), quads = {}, x = {}, y = {} }
  for i = 0, 255 do
    it.quads[i] = graphics.newQuad(i % 16 * 16, math.floor(i / 16) * 16, size, size, 256, 256)
  end
  for i = 1, SPRITES do it.x[i], it.y[i] = place(i, WIDTH - 16), place(i * 7 + 3, HEIGHT - 16) end
  it.batch = graphics.newSpriteBatch(it.image, SPRITES, "stream")
  return it
end

-- LÖVE gathers these calls in a batch of its own.
function contestants.draw(it)
  local image, quads, x, y = it.image, it.quads, it.x, it.y
  for i = 1, SPRITES do graphics.draw(image, quads[i % 256], x[i], y[i]) end
end

function contestants.batch(it)
  local batch, quads, x, y = it.batch, it.quads, it.x, it.y
  batch:clear()
  for i = 1, SPRITES do batch:add(quads[i % 256], x[i], y[i]) end
  graphics.draw(batch)
end

-- Draws the sprites as objects: a picture for each quad, all of one texture.
function contestants.view(it)
  if not it.view then
    package.path = "build/lua/?.lua;" .. package.path
    local pools, pictures = require("spawnpool.ffi").new(), {}
    for i = 0, 255 do pictures["s" .. i] = { it.image, it.quads[i] } end
    local _, _, size = it.quads[0]:getViewport()
    pools:class("Sprite", { radius = size / 2, prealloc = SPRITES })
    for i = 1, SPRITES do pools:set(pools:alloc("Sprite", 0, it.x[i], it.y[i]), "sprite", "s" .. i % 256) end
    it.view = require("spawnpool.love").new(pools, pictures)
  end
  it.view:draw()
end

local function median(values)
  table.sort(values)
  return values[math.floor(#values / 2) + 1]
end

local function frame(fill, it)
  love.event.pump()
  graphics.origin()
  graphics.clear(0, 0, 0)
  local begin = clock()
  fill(it)
  local filled = clock()
  graphics.flushBatch()
  graphics.present()
  return (filled - begin) / SPRITES * 1e9, (clock() - begin) / SPRITES * 1e9
end

local function measure(fill, size)
  local it, fills, alls = stage(size), {}, {}
  for i = -9, FRAMES do
    local filled, all = frame(fill, it)
    if i > 0 then fills[i], alls[i] = filled, all end
  end
  if size == 16 then print(("fill16 %.4f"):format(median(fills))) end
  print(("all%d %.4f"):format(size, median(alls)))
end

function love.run()
  local name = arg[2]
  if name == "first" then
    graphics.clear(0, 0, 0)
    graphics.present()
  else
    measure(contestants[name], 16)
    measure(contestants[name], 1)
  end
  return function() return 0 end
end
