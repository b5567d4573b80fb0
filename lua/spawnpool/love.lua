-- Draws pools in LÖVE 11: a SpriteBatch for each texture of each layer, filled from the columns, with no call for an
-- object. The corners are in a Mesh attached to the batch, and are uploaded as one block.
--
--   local view = require("spawnpool.love").new(pools, { ship = image, rock = { sheet, quad } })
--   function love.draw() view:draw() end
--
-- The longer side of an object's picture measures twice its radius times its scale, and scale_x and scale_y stretch or
-- mirror it. Layers are those of the classes. Sprites without a picture are white shapes: circle, square, triangle,
-- ring and spark.
local ffi = require "ffi"
local library = require "spawnpool.ffi"

local C = library.C
local band, bor, lshift, rshift, cos, sin, max = bit.band, bit.bor, bit.lshift, bit.rshift, math.cos, math.sin, math.max

local corner_t = ffi.typeof "struct { float x, y, u, v; uint32_t color; }"
local list_t = ffi.typeof("struct { $ *corners; uint32_t count, room; }", corner_t)
local sprite_t = ffi.typeof "struct { float half_w, half_h, u, v, u2, v2; }"
local corners_p, place = ffi.typeof("$ *", corner_t), ffi.new "sp_place"
local FORMAT = { { "VertexPosition", "float", 2 }, { "VertexTexCoord", "float", 2 }, { "VertexColor", "byte", 4 } }

-- Returns the opacity of a shape at x, y, both from -1 to 1. `edge`: the width of a pixel.
local SHAPES = {
  circle = function(x, y, edge) return (1 - math.sqrt(x * x + y * y)) / edge end,
  square = function() return 1 end,
  triangle = function(x, y, edge) return ((1 - x) / 2 - math.abs(y)) / edge end,
  ring = function(x, y, edge) return (0.15 - math.abs(math.sqrt(x * x + y * y) - 0.85)) / edge end,
  spark = function(x, y) return max(0, 1 - math.sqrt(x * x + y * y)) ^ 2 end,
}

local function picture_of_shape(name)
  local shape, size = SHAPES[name], 64
  if not shape then error(("spawnpool.love: sprite '%s' has no picture: give new one"):format(tostring(name)), 0) end
  local data = love.image.newImageData(size, size)
  data:mapPixel(function(x, y)
    local across, down = (x + 0.5) / size * 2 - 1, (y + 0.5) / size * 2 - 1
    return 1, 1, 1, max(0, math.min(1, shape(across, down, 2 / size)))
  end)
  return love.graphics.newImage(data)
end

-- Returns the area of a picture in its texture, its half sizes for a radius of 1, and the texture.
local function sprite_of(picture)
  local image, quad = picture, nil
  if type(picture) == "table" then image, quad = picture[1], picture[2] end
  local x, y, w, h, width, height = 0, 0, image:getWidth(), image:getHeight(), image:getDimensions()
  if quad then
    x, y, w, h = quad:getViewport()
    width, height = quad:getTextureDimensions()
  end
  local longer = max(w, h)
  return sprite_t(w / longer, h / longer, x / width, y / height, (x + w) / width, (y + h) / height), image
end

-- Makes room for sprites. The batch's own corners are never drawn: those of the mesh replace them.
local function make_room(batch, count)
  local old, list = batch.data, batch.list
  batch.data = love.data.newByteData(count * 4 * ffi.sizeof(corner_t))
  local bytes = batch.data.getFFIPointer and batch.data:getFFIPointer() or batch.data:getPointer()
  local corners = ffi.cast(corners_p, bytes)
  if old then ffi.copy(corners, list.corners, list.count * 4 * ffi.sizeof(corner_t)) end
  list.corners, list.room = corners, count
  batch.mesh = love.graphics.newMesh(FORMAT, count * 4, "triangles", "stream")
  batch.sprites = love.graphics.newSpriteBatch(batch.image, count, "static")
  for _ = 1, count do batch.sprites:add(0, 0) end
  for _, attribute in ipairs(FORMAT) do batch.sprites:attachAttribute(attribute[1], batch.mesh) end
end

local function add(batch, sprite, x, y, angle, look, scale_x, scale_y)
  local list = batch.list
  if list.count == list.room then make_room(batch, list.room * 2) end
  local radius, to = look.radius * look.scale, list.corners + list.count * 4
  local w, h, along, across = sprite.half_w * radius * scale_x, sprite.half_h * radius * scale_y, 1, 0
  if angle ~= 0 then along, across = cos(angle), sin(angle) end
  local ax, ay, bx, by = w * along, w * across, -h * across, h * along
  local color = bor(look.r * 255, lshift(look.g * 255, 8), lshift(look.b * 255, 16), lshift(look.a * 255, 24))
  list.count = list.count + 1
  to[0].x, to[0].y, to[0].u, to[0].v, to[0].color = x - ax - bx, y - ay - by, sprite.u, sprite.v, color
  to[1].x, to[1].y, to[1].u, to[1].v, to[1].color = x - ax + bx, y - ay + by, sprite.u, sprite.v2, color
  to[2].x, to[2].y, to[2].u, to[2].v, to[2].color = x + ax - bx, y + ay - by, sprite.u2, sprite.v, color
  to[3].x, to[3].y, to[3].u, to[3].v, to[3].color = x + ax + bx, y + ay + by, sprite.u2, sprite.v2, color
end

local View = {}
View.__index = View

-- Returns the batch of a sprite in a layer, and registers it in `by_number` and `sprites`.
function View:batch(number, layer)
  local name, of_layer = library.sprite_name(number), self.layers[layer]
  if not self.sprites[number] then
    self.sprites[number], self.images[number] = sprite_of(self.pictures[name] or picture_of_shape(name))
  end
  local image = self.images[number]
  local batch = of_layer[image]
  if not batch then
    batch = { image = image, list = list_t() }
    make_room(batch, 256)
    of_layer[image], of_layer[#of_layer + 1] = batch, batch
  end
  of_layer.by_number[number] = batch
  return batch
end

-- Places objects with a parent one by one: their own positions are relative.
local function add_children(view, pool, layer)
  local pools, m = pool.pools, pool.pools.m
  for ref in pool:each() do
    local look = ffi.cast("const sp_look *", C.sp_object_peek(m, ref, C.SP_LOOK))
    if look.visible ~= 0 and C.sp_object_world(m, ref, place) then
      local batch = view:batch(look.sprite, layer)
      local scale_x, scale_y = pools:get(ref, "scale_x"), pools:get(ref, "scale_y")
      add(batch, view.sprites[look.sprite], place.x, place.y, place.angle, look, scale_x, scale_y)
    end
  end
end

local function add_pool(view, pool, layer)
  if C.sp_pool_has_parents(pool.p) then return add_children(view, pool, layer) end
  local columns = view.columns[pool] or { pool:column "x", pool:column "y", pool:column "angle", pool:column "look" }
  local by_number, sprites, last, batch, sprite = view.layers[layer].by_number, view.sprites, -1, nil, nil
  view.columns[pool] = columns
  if pool.by_name.scale_x and not columns[5] then
    columns[5], columns[6] = pool:column "scale_x", pool:column "scale_y"
  end
  for k = 0, pool:chunks() - 1 do
    local x, y, angle, looks, bits = columns[1][k], columns[2][k], columns[3][k], columns[4][k], pool:live_bits(k)
    local scale_x, scale_y = columns[5] and columns[5][k], columns[5] and columns[6][k]
    for i = 0, 63 do
      local look = looks + i
      if band(bits[rshift(i, 5)], lshift(1, i)) ~= 0 and look.visible ~= 0 then
        if look.sprite ~= last then
          last = look.sprite
          batch = by_number[last] or view:batch(last, layer)
          sprite = sprites[last]
        end
        add(batch, sprite, x[i], y[i], angle[i], look, scale_x and scale_x[i] or 1, scale_y and scale_y[i] or 1)
      end
    end
  end
end

local function draw_batch(batch)
  batch.mesh:setVertices(batch.data, 1, batch.list.count * 4)
  batch.sprites:setDrawRange(1, batch.list.count)
  love.graphics.draw(batch.sprites)
  batch.list.count = 0
end

-- Draws all live objects that are visible, the lowest layer first; in a layer, those with blend = "add" last.
function View:draw()
  for _, pool in ipairs(self.pools.list) do
    local layer = (pool.settings.layer or 0) * 2 + (pool.settings.blend == "add" and 1 or 0)
    if not self.layers[layer] then
      self.layers[layer], self.order[#self.order + 1] = { by_number = {} }, layer
      table.sort(self.order)
    end
    add_pool(self, pool, layer)
  end
  for _, layer in ipairs(self.order) do
    love.graphics.setBlendMode(layer % 2 == 1 and "add" or "alpha")
    for _, batch in ipairs(self.layers[layer]) do
      if batch.list.count > 0 then draw_batch(batch) end
    end
  end
  love.graphics.setBlendMode "alpha"
end

-- Returns a view, which draws the pools of a manager. `pictures`: an image, or { image, quad }, for the name of each
-- sprite.
return { new = function(pools, pictures)
  return setmetatable({ pools = pools, pictures = pictures or {}, sprites = {}, images = {}, layers = {}, order = {},
    columns = setmetatable({}, { __mode = "k" }) }, View)
end }
