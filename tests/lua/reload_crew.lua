-- A class for the game of reload_game.lua that has what a reload must carry over: own fields of every kind, a timer and
-- a coroutine per object, objects that refer to each other, and hooks that hear of the reload.
return [[
local spawnpool <const> = require "spawnpool"
local tally <const> = require "tally"

local Crew <const> = spawnpool.class("Crew", {
  extends = "Thing", limit = 40,
  fields = {
    pace = spawnpool.live(1), badge = spawnpool.keep("new"), bag = spawnpool.fresh(function() return { n = 0 } end),
    note = spawnpool.any({ "shared" }), mate = spawnpool.ref, steps = 0, met = 0,
  },
})
local last

local function walk(c)
  for _ = 1, 3 do
    coroutine.yield(0.05)
    c.steps = c.steps + c.pace
  end
end

function Crew:on_spawn(c)
  c.mate, last = last, c
  c.badge = "crew"
  c:every(0.1, function(o) o.bag.n = o.bag.n + 1 end)
  c:run(walk)
end

function Crew:on_reload(c, old_version)
  c.met = old_version
  tally.add("met")
  c:run(walk)
end

function Crew.before_reload() return last end

function Crew.after_reload(value) last = value end

function Crew:update() tally.add("frames") end

return Crew
]]
