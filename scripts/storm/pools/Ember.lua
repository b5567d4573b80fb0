-- A spark from a fire out of sight: it rises, and cools from yellow to a dark red.
local spawnpool <const> = require "spawnpool"

local Ember <const> = spawnpool.class("Ember", {
  extends = "Airborne",
  sprite = "ember", layer = 30,
  motion = { gravity = -26, drag = 1 },
  over_life = {
    a = { 0, 1, 0.85, 0.9, 0.5, 0 },
    r = { 1, 1, 1, 0.85 }, g = { 0.86, 0.66, 0.42, 0.22 }, b = { 0.5, 0.24, 0.12, 0.1 },
  },
})

Ember.depth = 0.9
Ember.sinks = -0.1
Ember.least, Ember.most = 3, 12
Ember.longest = 5

return Ember
