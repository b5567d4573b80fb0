-- --why: what wrote a field, in a recording. The last test plants writes of every kind in games of its own, each at a
-- known frame and line, and asks for all of them.

local POOL <const> = [[local spawnpool <const> = require "spawnpool"
local Dot <const> = spawnpool.class("Dot", { limit = 4, overflow = "oldest", fields = { hp = 3, bag = spawnpool.any() },
  bounds = { x = 0, y = 0, w = 100, h = 100, outside = "bounce" }, over_life = { a = { 1, 0 } } })
function Dot:alloc(...)
  local o <const> = Dot.super.alloc(self, ...)
  if o then o.vx = 600 end
  return o
end
function Dot:on_despawn(o) if o.parent then o.hp = 0 end end
return Dot
]]

local MAIN <const> = [[local spawnpool <const> = require "spawnpool"
local pools <const> = spawnpool.pools
local n, first = 0, nil
spawnpool.class("Plain", { fields = { hp = 1 } })
spawnpool.class("Never")
local function fire() return pools:alloc("Dot", 1, 85, 10) end
return { update = function()
  n = n + 1
  if n == 5 then first = fire() end
  if n == 20 then first.bag = { 1 } end
  if n == 21 then first.bag[2] = 2 end
  if n == 22 then first.bag = { 1, 2 } end
  if n == 30 then pools:alloc("Plain"):recycle() end
  if n == 40 then for _ = 1, 4 do fire() end end
  if n == 41 then pools:alloc("Dot", 0, { parent = pools:alloc("Plain") }) end
end }
]]

-- The lives of one slot: 1 to 11, 21 to 35, and from 41 on.
local POOLED <const> = [[local pools <const>, n, shot = require "spawnpool".pools, 0, nil
require "spawnpool".class "Shot"
return { update = function()
  n = n + 1
  if n == 5 or n == 25 then shot.x = shot.x + n // 25 + 1 end
  if n == 1 or n == 21 or n == 41 then shot = pools:alloc "Shot" end
  if n == 11 or n == 35 then shot:recycle() end
end }]]

local function why(name, at, want)
  local options <const> = ("--why '%s' %s"):format(name, at and "--at " .. at or "")
  return run { sh = ("spawnpool --replay in %s game"):format(options), out = want }.out
end

local function record(main, frames)
  run { main = main, files = { ["pools/Dot.lua"] = POOL }, err = false,
    args = ("--frames %d --record-input in"):format(frames) }
end

test("the writes of a field are listed, newest first", function()
  record(MAIN, 50)
  why("Dot#1.vx", 7, { "frame 6  600 -> -600  bounds\nframe 5  0 -> 600  pools/Dot.lua:6 in alloc\n"
    .. "    called at main.lua:6 in fire\n    called at main.lua:9 in update\n"
    .. "frame 5  - -> 0  pools/Dot.lua:5 in alloc (reset at alloc)\n" })
  local function from(frame, value)
    return ("    and so from frame %d on, 2 times, beginning with %d\n"):format(frame, value)
  end
  why("Dot#1.x", 8, { "frame 8  85 -> 75  motion\n" .. from(7, 95) .. "frame 6  105 -> 95  bounds\n"
    .. "frame 6  95 -> 105  motion\n" .. from(5, 85)
    .. "frame 5  - -> 85  pools/Dot.lua:5 in alloc (alloc)\n" })
  why("Dot#1.a", 5, { "frame 5  - -> 1  pools" })
  why("Dot#1.a", 10, { "frame 10  0.916667 -> 0.9  curve\n    and so from frame " })
  why("Dot#1.bag", 30, { "frame 22  {2 items} -> {2 items}  main.lua:12 in update\n"
    .. "frame 21  {1 item} -> {2 items}  inside the same table: main.lua:",
    "frame 20  nil -> {1 item}  main.lua:10 in" })
end)

test("lives are listed with who began and ended them, and why", function()
  record(MAIN, 50)
  why("Plain#1", 35, "Plain#1 is not live at the end of frame 35\n"
    .. "Plain#1:1\nframe 30  recycled: recycled: main.lua:13 in update\nframe 30  allocated: main.lua:13 in update\n")
  why("Dot#1", nil, { "frame 40  recycled: evicted: pools/Dot.lua:5 in alloc\n    called at main.lua:",
    "frame 5  allocated: pools/Dot.lua:5 in alloc\n" })
  record([[local spawnpool <const> = require "spawnpool"
local pools <const>, n = spawnpool.pools, 0
spawnpool.class "Other"
spawnpool.class("Plain", { on_despawn = function() pools:recycle_all { type = "Other" } end })
return { update = function()
  n = n + 1
  if n == 2 then pools:alloc("Dot", 0, { parent = pools:alloc("Plain", 0.1) }) pools:alloc "Other" end
end }]], 20)
  why("Dot#1", nil, { "frame 7  recycled: parent\nframe 2  allocated: pools/Dot.lua:5 in alloc\n" })
  why("Plain#1", nil, { "frame 7  recycled: expired\n" })
  why("Other#1", nil, { "frame 7  recycled: recycled_all: main.lua:4 in on_despawn\n" })
end)

test("of the lives of a slot the one that is live is meant, else the last, or the one that is named", function()
  record(POOLED, 60)
  local first <const>, second <const> = "frame 5  0 -> 1  main.lua:5 in update\n", "frame 25  0 -> 2  main.lua:5"
  why("Shot#1.x", 10, { first })
  why("Shot#1.x", 15, { "Shot#1 is not live at the end of frame 15\n" .. first })
  assert(not why("Shot#1.x", 30, { second }):find("0 -> 1 ", 1, true))
  assert(not why("Shot#1:1.x", 30, { "Shot#1:1 is not live at the end of frame 30\n" .. first }):find "0 %-> 2")
  assert(not why("Shot#1:2.x", 30, { second }):find "not live")
  why("Shot#1", 42, { "Shot#1:3\nframe 41  allocated: main.lua:6 in update\nShot#1:2\nframe 35  recycled: recycled: ",
    "\nframe 21  allocated: main.lua:6 in update\nShot#1:1\nframe 11  recycled: " })
  why("Shot#1:2", nil, { "Shot#1:2 is not live at the end of frame 60\nShot#1:2\nframe 35  recycled: " })
  local command <const> = "spawnpool --replay in --why 'Shot#1:9' --at %d game"
  run { sh = command:format(50), status = 2, out = "",
    err = { "Shot#1:9 was not seen; the last life of the object was Shot#1:3" } }
end)

test("a life that a snapshot brings back is seen again", function()
  record([[local spawnpool <const> = require "spawnpool"
local pools <const>, n, kept, plain = spawnpool.pools, 0, nil, nil
spawnpool.class("Plain", { fields = { hp = 1 } })
return { update = function()
  n = n + 1
  if n == 2 then plain = pools:alloc "Plain" end
  if n == 3 then kept = pools:snapshot() end
  if n == 4 then plain:recycle() end
  if n == 6 then pools:restore(kept) end
  if n == 8 then plain.hp = 2 end
end }]], 10)
  why("Plain#1.hp", nil, "frame 8  1 -> 2  main.lua:10 in update\nframe 6  1 -> 1  main.lua:9 in update (restore)\n"
    .. "frame 2  - -> 1  main.lua:6 in update (reset at alloc)\n")
end)

test("names that nothing has are answered with the nearest", function()
  record(MAIN, 50)
  for name, problem in pairs {
    ["Dot#1.vxx"] = "Dot has no field 'vxx'; the nearest is 'vx'",
    ["Dit#1.x"] = "there was no pool 'Dit'; the nearest is 'Dot'",
    ["Dot#900"] = "Dot#900 never lived; the nearest that did is Dot#4", ["Dot#1.age"] = "'age' is never written: it ",
    ["Never#1"] = "there was no pool 'Never'; the nearest is '",
    ["Dot#1.x' --at '51"] = "--at 51: the recording ends with frame 50",
  } do
    run { sh = "spawnpool --replay in --why '" .. name .. "' game", status = 2, out = "", err = { problem } }
  end
end)

local SPOT <const> = [[local spawnpool <const> = require "spawnpool"
local Spot <const> = spawnpool.class("Spot", { fields = { hp = 3, wants = 0, bag = spawnpool.any() },
  methods = { hit = function(o, value) o.hp = value end } })
function Spot:on_spawn(o) if spawning then o.hp = 7 end end
function Spot:update()
  for o in self:each() do
    if o.wants > 0 then o.hp, o.wants = o.wants, 0 end
  end
end
function Spot:on_despawn(o) if o.hp == 9 then o.hp = 7 end end
return Spot
]]

local HEAD <const> = [[local spawnpool <const> = require "spawnpool"
local pools <const> = spawnpool.pools
spawnpool.class("Plain", { fields = { hp = 1 } })
spawnpool.class("Wall", { bounds = { x = 0, y = 0, w = 100, h = 100, outside = "bounce" } })
spawnpool.class("Box", { box = { w = 4, h = 4 } })
local map <const> = spawnpool.tiles { size = 16, rows = { (" "):rep(99) } }
local n, spots = 0, {}
local function poke(o) o.hp = 7 end
local function update(o)
]]

-- Each line runs in a frame of its own, with a Spot of its own called `o`; `$` stands for its place. Of an object with
-- another name that is the field that follows.
local WRITES <const> = {
  { "o.hp = 7", "3 -> 7  $ in update" },
  { "poke(o)", "3 -> 7  main.lua:8 in poke" },
  { "o:hit(7)", "3 -> 7  pools/Spot.lua:3 in hit" },
  { "o.wants = 7", "3 -> 7  pools/Spot.lua:7 in update" },
  { "o:run(function() coroutine.yield(0.1) o.hp = 7 end)", "3 -> 7  $ in a coroutine" },
  { "pools:run(function() coroutine.yield(0.1) o.hp = 7 end)", "3 -> 7  $ in a coroutine" },
  { "coroutine.wrap(function() o.hp = 7 end)()", "3 -> 7  $ in a coroutine" },
  { "o:after(0.1, function() o.hp = 7 end)", "3 -> 7  $ in a function" },
  { "o:every(0.1, function() if o.hp == 3 then o.hp = 7 end end)", "3 -> 7  $ in a function" },
  { "o:launch(0, 7)", "0 -> 7  $ in update (launch)", "vx" },
  { "o:tween { hp = 7, over = 0.01 }", "3 -> 7  tween" },
  { "o.bag = {} table.insert(o.bag, 7)", "{0 items} -> {1 item}  inside the same table: $ in update (insert)",
    "bag" },
  { "pools:alloc('Spot', 0, { hp = 7 })", "- -> 7  $ in update (alloc)", "Spot#21.hp" },
  { "pools:alloc('Spot', 0, 7, 5)", "- -> 7  $ in update (alloc)", "Spot#22.x" },
  { "pools:alloc 'Spot'", "- -> 3  $ in update (reset at alloc)", "Spot#23.hp" },
  { "spawning = true pools:alloc 'Spot' spawning = false", "3 -> 7  pools/Spot.lua:4 in on_spawn", "Spot#24.hp" },
  { "map:move(pools:alloc('Box', 0, 8, 8), 7, 0)", "8 -> 15  $ in update (move)", "Box#1.x" },
  { "pools:alloc 'Plain' pools:pool('Plain'):set('hp', 7)", "1 -> 7  $ in update (set)", "Plain#1.hp" },
  { "pools:pool('Plain'):add('hp', 2)", "7 -> 9  $ in update (add)", "Plain#1.hp" },
  { "o.hp = 9 o:recycle()", "9 -> 7  pools/Spot.lua:10 in on_despawn" },
}

test("a write of any kind is found, with its frame and line", function()
  local lines <const> = {}
  for i, row in ipairs(WRITES) do lines[i] = ("  if n == %d then %s end\n"):format(10 + 4 * i, row[1]) end
  run { files = { ["pools/Spot.lua"] = SPOT }, args = "--frames 120 --record-input in", err = false,
    main = ([[%s%send
      return { load = function() for i = 1, %d do spots[i] = pools:alloc "Spot" end end,
        update = function() n = n + 1 update(spots[(n - 10) // 4]) end }]]):format(HEAD, table.concat(lines), #WRITES) }
  for i, row in ipairs(WRITES) do
    local name <const> = (row[3] or "hp"):find "#" and row[3] or ("Spot#%d.%s"):format(i, row[3] or "hp")
    local frame <const> = row[3] == "Plain#1.hp" and 10 + 4 * i or nil
    local answer <const> = why(name, frame):gsub("^%S+ is not live[^\n]*\n", "")
    local place <const> = row[2]:gsub("%$", "main.lua:" .. 9 + i)
    local at <const>, said <const> = answer:match "^frame (%d+)  ([^\n]*)"
    expect(said == place and at - (10 + 4 * i) <= 7, "%s: expected '%s', got\n%s", row[1], place, answer)
  end
end)
