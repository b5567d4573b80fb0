-- footprints: a snowball fight that leaves traces. All marks on the ground are decals: they are allocated with a
-- lifetime, fade over it, and are recycled once they are invisible. No code fades anything.
--
--   pools:alloc("Footprint", 9, x, y, angle)    every step of every walker
--   pools:alloc("Splat", 7, x, y)               where a snowball lands: the ball's lifetime is its flight
--   pools:recycle_all "Row"                     the list on the right is rebuilt whenever it changes
local spawnpool <const> = require "spawnpool"
local list <const> = require "list"
local panel <const> = require "panel"
local stage <const> = require "stage"

local pools <const> = spawnpool.pools

local FIRST <const>, MOST <const> = 6, 9 -- walkers
local BACK_AFTER <const> = 1.6 -- seconds until a fallen walker is replaced

local wanted, due = FIRST, 0

local function begin()
  pools:recycle_all()
  stage.build()
  for _ = 1, wanted do pools:alloc("Walker", 0, stage.anywhere()) end
end

local game <const> = { width = 800, height = 600 }

function game.load()
  begin()
  -- Room for all steps that are visible at once, created a few at a time during the first steps.
  pools:pool("Footprint"):prewarm(256, { per_frame = 8 })
end

---@param dt number
function game.update(dt)
  due = pools:pool("Walker").live < wanted and due + dt or 0
  if due > BACK_AFTER then
    due = 0
    pools:alloc("Walker", 0, stage.edge())
  end
  list.update()
end

function game.draw(g)
  if g.width ~= stage.width or g.height ~= stage.height then
    stage.resize(g.width, g.height)
    begin()
  end
  panel.draw(g)
end

---@param key string
function game.key_pressed(key)
  if key == "a" and wanted < MOST then wanted = wanted + 1 end
  if key == "x" and wanted > 1 then
    wanted = wanted - 1
    local last <const> = list.last()
    if last then last:recycle() end
  end
  if key == "c" then pools:recycle_all { group = "decals" } end
  if key == "r" then begin() end
end

-- A snowball from the sky.
---@param x number
---@param y number
function game.mouse_pressed(x, y)
  pools:alloc("Snowball", 0.5, x - 40, y - 120, x, y)
end

return game
