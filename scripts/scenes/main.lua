-- scenes: two places, and toys that come along, or not. A scene is a group of objects; leaving it recycles that group.
-- There are two ways to treat the toys:
--
--   survive    nothing is done: who was out is out in the other scene, and the pools stay warm
--   clear      pools:recycle_all and pools:clear { group = "toys" }: who was out goes back, then all are destroyed
--
--   pools:alloc("Lantern")       Dequeue: an idle one, the longest in the queue
--   pools:recycle(toy)           Enqueue: at most 15 wait; one more is destroyed instead (idle_limit)
--   pools:pool(type):prewarm(10) on entering; it counts what is there, so it can be asked for again and again
local spawnpool <const> = require "spawnpool"
local hand <const> = require "hand"
local panel <const> = require "panel"
local scene <const> = require "scene"
local stage <const> = require "stage"
local toys <const> = require "toys"

local game <const> = {}

-- The actions of the keys; the hand, which plays when nobody does, uses the same ones.
local keys <const> = {
  ["1"] = function() scene.go(1) end,
  ["2"] = function() scene.go(2) end,
  c = scene.toggle,
  d = toys.dequeue,
  e = toys.enqueue,
  a = toys.enqueue_all,
}

function game.load() scene.go(1, true) end

---@param dt number
function game.update(dt)
  hand.update(dt, keys)
  scene.update(dt)
end

function game.draw(g)
  if stage.fit(g) then scene.build() end
  panel.draw(g)
  scene.draw(g)
end

---@param key string
function game.key_pressed(key)
  hand.touched()
  if keys[key] then keys[key]() end
end

---@param x number
---@param y number
function game.mouse_pressed(x, y)
  hand.touched()
  toys.click(spawnpool.view:to_world(x, y))
end

return game
