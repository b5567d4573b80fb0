-- A game whose pictures nobody would draw: shapes, sprites, texts, cameras and objects of any size, at any place. Its
-- frames are to be rasterised: play it with --record, in the software renderer.
local spawnpool <const> = require "spawnpool"
local random <const> = math.random
local pools <const> = spawnpool.pools

local EXTREMES <const> = { 0, -0.0, 1, -1, 0.5, 16, 255, 256, 800, 4096, 65535, 65536, 1e6, 1e9, -1e9, 3e38, -3e38,
  1e-38, 2 ^ 24 + 1, 2 ^ 31, -2 ^ 31, 2 ^ 32 }

local function number()
  if random() < 0.5 then return random(-100, 900) + random() end
  return EXTREMES[random(#EXTREMES)] * (random() < 0.7 and 1 or random())
end

local function positive() return math.abs(number()) + 1e-3 end

local function mode() return random() < 0.5 and "fill" or "line" end

local TEXTS <const> = { "", "text", ("long "):rep(500), ("\n"):rep(300), "\0\255\xf4\x90", ("é"):rep(40000), "a\tb" }
local SPRITES <const> = { "circle", "square", "triangle", "ring", "spark" }

local SHAPES <const> = {
  function(g) g:line(number(), number(), number(), number(), positive()) end,
  function(g) g:rect(number(), number(), number(), number(), mode()) end,
  function(g) g:circle(number(), number(), number(), mode()) end,
  function(g) g:sprite(SPRITES[random(#SPRITES)], number(), number(), number(), number()) end,
  function(g) g:text(number(), number(), TEXTS[random(#TEXTS)], positive()) end,
  function(g) g:measure(TEXTS[random(#TEXTS)], positive(), positive()) end,
  function(g) g:text(number(), number(), TEXTS[random(#TEXTS)], positive(), "center", positive(), "mono") end,
  function(g) g:sprite(SPRITES[random(#SPRITES)], number(), number(), number(), number(), number(), 1) end,
  function(g)
    local points <const> = {}
    for i = 1, 2 * random(3, 40) do points[i] = number() end
    g:polygon(points, mode())
  end,
  function(g) if random() < 0.5 then g:clip(number(), number(), number(), number()) else g:clip() end end,
  function(g) g:effect(({ "flash", "tint", "crt" })[random(3)], random() * 0.1, random(), random(), random()) end,
}

local function set_camera(g)
  local zoom <const> = random() < 0.8 and random() * 3 + 0.01 or 0.001 * 10 ^ random(0, 6)
  if random() < 0.5 then g:camera(number(), number(), zoom, number()) else g:camera() end
  g:shake(number(), number())
end

local game <const> = { width = 320, height = 240 }

function game.load()
  for i, sprite in ipairs(SPRITES) do
    spawnpool.class("T" .. i, { sprite = sprite, limit = 20, overflow = "oldest" })
  end
end

function game.update()
  for i = 1, #SPRITES do
    local object <const> = pools:alloc("T" .. i, 1)
    for _, field in ipairs { "x", "y", "angle", "scale", "vx", "spin", "radius", "r", "a", "layer", "scale_x",
      "scale_y" } do
      if random() < 0.5 then pcall(function() object[field] = field == "layer" and random(-9, 9) or number() end) end
    end
  end
end

function game.draw(g)
  for _ = 1, random(60) do
    if random() < 0.05 then pcall(set_camera, g) end
    g:color(random(), random(), random(), random())
    pcall(SHAPES[random(#SHAPES)], g)
  end
  if random() < 0.02 then for _ = 1, 3e5 do g:line(0, 0, 1, 1) end end
end

return game
