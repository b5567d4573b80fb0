-- search_vs_queue: three ways to keep objects for reuse, with the same work. A round takes all objects, then returns
-- all in reverse; a sample has as many rounds as make 10 000 pairs: 100 rounds of 100 objects, and so on.
--
--   search      looks through a list for the first object that is not taken
--   queue       a ring of idle objects: takes from the front, returns to the back
--   spawnpool   pool:alloc() and pool:recycle(object)
--
-- The first two are plain Lua. All three reject an object that is returned twice. Each sample is the total time of its
-- rounds; the first one of each kind is a warm-up; the median of the others is shown. The work is divided into slices
-- of some rounds per frame, and only those are timed. After a pass it rests for ten seconds. Below, the same work in
-- slow motion.
local bars <const> = require "bars"
local bench <const> = require "bench"
local lanes <const> = require "lanes"

local game <const> = { width = 800, height = 600 }

function game.load() bench.open() end

---@param _ number
function game.update(_)
  if bench.step() then bars.print() end
  lanes.step()
end

function game.draw(g)
  bars.draw(g)
  lanes.draw(g)
end

---@param key string
function game.key_pressed(key)
  if key == "r" then bench.forget() end
end

return game
