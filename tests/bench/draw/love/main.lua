-- Draws the 10 000 sprites by LÖVE's SpriteBatch: clear, add each, draw; nanoseconds each. See count.c.

local SPRITES, WIDTH, HEIGHT = 10000, 1280, 720
local FRAMES = os.getenv("BENCH_QUICK") and 30 or 120

local graphics, clock = love.graphics, love.timer.getTime

local function place(i, most)
  return i * 2654435761 % 4294967296 % most
end

local function stage()
  local data = love.image.newImageData(256, 256)
  data:mapPixel(function(x, y) return x / 256, y / 256, 0.5, 0.5 end)
  local it = { image = graphics.newImage(data), quads = {}, x = {}, y = {} }
  for i = 0, 255 do it.quads[i] = graphics.newQuad(i % 16 * 16, math.floor(i / 16) * 16, 16, 16, 256, 256) end
  for i = 1, SPRITES do it.x[i], it.y[i] = place(i, WIDTH - 16), place(i * 7 + 3, HEIGHT - 16) end
  it.batch = graphics.newSpriteBatch(it.image, SPRITES, "stream")
  return it
end

local function fill(it)
  local batch, quads, x, y = it.batch, it.quads, it.x, it.y
  batch:clear()
  for i = 1, SPRITES do batch:add(quads[i % 256], x[i], y[i]) end
  graphics.draw(batch)
end

function love.run()
  local it, least = stage(), math.huge
  for _ = 1, FRAMES do
    love.event.pump()
    graphics.origin()
    graphics.clear(0, 0, 0)
    local begin = clock()
    fill(it)
    graphics.flushBatch()
    graphics.present()
    least = math.min(least, clock() - begin)
  end
  print(("sprite %.4f"):format(least / SPRITES * 1e9))
  return function() return 0 end
end
