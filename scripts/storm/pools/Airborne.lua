-- Everything in the air: Mote, Scrap, Leaf, Ember and Blur extend it. Its class moves it (`motion`: gravity, and a drag
-- against the push of the wind), fades it in and out (`over_life`), and wraps it to the other side (`bounds`). Lua code
-- runs once per life, here.
local spawnpool <const> = require "spawnpool"
local stage <const> = require "stage"
local wind <const> = require "wind"

local Airborne <const> = spawnpool.class("Airborne", {
  group = "air",
  grow = 4096,
  motion = { drag = 1.1 },
  over_life = { a = { 0, 1, 1, 1, 1, 0 } },
  bounds = stage.around(),
})

Airborne.depth = 1 -- its share of the wind: distant sprites seem slow
Airborne.sinks = 0.2 -- of the speed of the wind
Airborne.tints = { { 1, 1, 1 } } -- one of these, randomly darker or brighter
Airborne.least, Airborne.most = 1, 2 -- radius
Airborne.longest = 9 -- maximum lifetime in seconds

-- Chooses a position and its stream. More sprites are where the air is fast: a slow position is seldom chosen.
local function somewhere()
  local x, y = stage.anywhere()
  local along, down = wind.at(x, y)
  if along < 0.5 + 0.8 * math.random() then
    x, y = stage.anywhere()
    along, down = wind.at(x, y)
  end
  return x, y, along, down
end

-- The acceleration that balances the drag at the speed of the stream.
function Airborne:alloc(lifetime)
  if lifetime < 0 then return Airborne.super.alloc(self, lifetime) end
  if lifetime == 0 then lifetime = self.longest * (0.3 + 0.7 * math.random()) end
  local x <const>, y <const>, along <const>, down <const> = somewhere()
  local object <const>, why = Airborne.super.alloc(self, lifetime, x, y)
  if not object then return nil, why end
  local speed <const> = wind.speed * self.depth * (0.75 + 0.5 * math.random())
  local vx <const>, vy <const> = along * speed, (down + self.sinks) * speed
  local drag <const> = self.class.motion.drag
  object.vx, object.vy = vx, vy
  object.ax, object.ay = vx * drag, vy * drag
  self:dress(object)
  return object
end

-- Size, colour and rotation.
function Airborne:dress(object)
  local near <const> = math.random()
  local tint <const> = self.tints[math.random(#self.tints)]
  local light <const> = 0.62 + 0.38 * near
  object.radius = self.least + (self.most - self.least) * near * near
  object.r, object.g, object.b = tint[1] * light, tint[2] * light, tint[3] * light
end

return Airborne
