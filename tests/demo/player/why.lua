-- --why: what wrote a field, in a recording. The last test plants a hundred writes in games of its own, each at a known
-- frame and line, and asks for every one of them.
local player <const> = require "player"

local test <const>, run <const> = player.test, player.run

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

local function why(name, at, want)
  local options <const> = ("--why '%s' %s"):format(name, at and "--at " .. at or "")
  return run { sh = ("spawnpool --replay in %s game"):format(options), out = want }.out
end

test("the writes of a field are listed, newest first", function()
  run { main = MAIN, files = { ["pools/Dot.lua"] = POOL }, args = "--frames 50 --record-input in", err = false }
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
  run { main = MAIN, files = { ["pools/Dot.lua"] = POOL }, args = "--frames 50 --record-input in", err = false }
  why("Plain#1", 35, "Plain#1 is not live at the end of frame 35\n"
    .. "frame 30  recycled: recycled: main.lua:13 in update\nframe 30  allocated: main.lua:13 in update\n")
  why("Dot#1", nil, { "frame 40  recycled: evicted: pools/Dot.lua:5 in alloc\n    called at main.lua:",
    "frame 5  allocated: pools/Dot.lua:5 in alloc\n" })
  run { main = [[local spawnpool <const> = require "spawnpool"
local pools <const>, n = spawnpool.pools, 0
spawnpool.class "Other"
spawnpool.class("Plain", { on_despawn = function() pools:recycle_all { type = "Other" } end })
return { update = function()
  n = n + 1
  if n == 2 then pools:alloc("Dot", 0, { parent = pools:alloc("Plain", 0.1) }) pools:alloc "Other" end
end }]], args = "--frames 20 --record-input in", err = false }
  why("Dot#1", nil, { "frame 7  recycled: parent\nframe 2  allocated: pools/Dot.lua:5 in alloc\n" })
  why("Plain#1", nil, { "frame 7  recycled: expired\n" })
  why("Other#1", nil, { "frame 7  recycled: cleared: main.lua:4 in on_despawn\n" })
end)

test("a life that a snapshot brings back is seen again", function()
  run { main = [[local spawnpool <const> = require "spawnpool"
local pools <const>, n, kept, plain = spawnpool.pools, 0, nil, nil
spawnpool.class("Plain", { fields = { hp = 1 } })
return { update = function()
  n = n + 1
  if n == 2 then plain = pools:alloc "Plain" end
  if n == 3 then kept = pools:snapshot() end
  if n == 4 then plain:recycle() end
  if n == 6 then pools:restore(kept) end
  if n == 8 then plain.hp = 2 end
end }]], args = "--frames 10 --record-input in", err = false }
  why("Plain#1.hp", nil, "frame 8  1 -> 2  main.lua:10 in update\nframe 6  1 -> 1  main.lua:9 in update (restore)\n"
    .. "frame 2  - -> 1  main.lua:6 in update (reset at alloc)\n")
end)

test("names that nothing has are answered with the nearest", function()
  run { main = MAIN, files = { ["pools/Dot.lua"] = POOL }, args = "--frames 50 --record-input in", err = false }
  for name, problem in pairs {
    ["Dot#1.vxx"] = "Dot has no field 'vxx'; the nearest is 'vx'",
    ["Dit#1.x"] = "there was no pool 'Dit'; the nearest is 'Dot'",
    ["Dot#900"] = "Dot#900 never lived; the nearest that did is Dot#4", ["Dot#1.age"] = "'age' is never written: it ",
    ["Never#1"] = "there was no pool 'Never'; the nearest is '",
    ["Dot#1.x' --at '51"] = "--at 51: the recording ends with frame 50",
    Dot = "--why needs an object", ["Dot#0.x"] = "--why needs an object", ["Dot#1."] = "--why needs an object",
  } do
    run { sh = "spawnpool --replay in --why '" .. name .. "' game", status = 2, out = "", err = { problem } }
  end
  run { sh = "spawnpool --why Dot#1 game", status = 2, err = { "--why looks into a recording: add --replay FILE\n" } }
  run { sh = "spawnpool --at 3 game", status = 2, err = { "--at belongs to --why\n" } }
end)

-- {== Planted writes =============================================================
-- A game is a list of plants. Each makes an object of its own, and writes a value that nothing else writes; as it does,
-- it prints its number, the frame and the name of the object.

local FILLER <const> = [[  for _ = 1, math.random(3) do pools:alloc("Mote", math.random(), math.random(90), 5) end]]

-- Lines of main.lua. `setup` runs when the plant's object `o` exists, `each` in every update; "$f" is the frame, "$v"
-- the value, "$note" prints; "$here" marks the line that is expected, in a function called `name`. `file`, `line`:
-- another line is expected. `by`: no line is expected but this; `how`: what stands behind the place.
local PLANTS <const> = {
  { each = "  if n == $f then $note o.hp = $v end $here", name = "update" },
  { each = "  if n == $f then poke(o, $v, '$i') end", file = "main.lua", line = "POKE", name = "poke" },
  { each = "  if n == $f then $note o:hit($v) end", file = "pools/Spot.lua", line = "HIT", name = "hit" },
  { setup = "  o.wants, o.due = $v, $f o.mark = '$i'", file = "pools/Spot.lua", line = "UPDATE", name = "update" },
  { each = "  if n == $f then wanted = $v\n pools:alloc('Spot', 0, { mark = '$i' }) wanted = nil end",
    file = "pools/Spot.lua", line = "SPAWN", name = "on_spawn" },
  { setup = "  o:run(function() coroutine.yield($s) $note o.hp = $v end) $here", name = "a coroutine" },
  { setup = "  pools:run(function() coroutine.yield($s) $note o.hp = $v end) $here", name = "a coroutine" },
  { setup = "  o.step = coroutine.wrap(function() while n < $f do coroutine.yield() end $note o.hp = $v end) $here",
    each = "  if n <= $f and n > 2 then o.step() end", name = "a coroutine" },
  { setup = "  o:after($s, function() $note o.hp = $v end) $here", name = "a function" },
  { setup = "  local left = 3\n"
    .. "  o:every($s / 3, function() left = left - 1 if left == 0 then $note o.hp = $v end end) $here",
    name = "a function" },
  { each = "  if n == $f then $note spots:set('hp', $v) end $here", name = "update", how = " (set)" },
  { each = "  if n == $f then $note spots:add('hp', $v - o.hp) end $here", name = "update", how = " (add)" },
  { each = "  if n == $f then $note o:launch(0, $v) end $here", name = "update", field = "vx", how = " (launch)" },
  { each = "  if n == $f then o = pools:alloc('Spot', 0, $v, 5) $note end $here", name = "update", field = "x",
    how = " (alloc)" },
  { each = "  if n == $f then o = pools:alloc('Spot', 0, { hp = $v }) $note end $here", name = "update",
    how = " (alloc)" },
  { each = "  if n == $f then o = pools:alloc 'Spot' $note end $here", name = "update", value = 3,
    how = " (reset at alloc)" },
  { setup = "  o.hp = $v", each = "  if n == $f - 4 then kept = pools:snapshot() o.hp = 1 end\n"
    .. "  if n == $f then $note pools:restore(kept) end $here", name = "update", how = " (restore)", alone = true },
  { setup = "  o.vx = 60 * $v / $f", each = "  if n == $f then $note end", field = "x",
    by = "motion" },
  { each = "  if n == $f then o = pools:alloc('Wall', 0, 99.5, 5) o.vx = $v * 2 $note end", field = "vx", by = "bounds",
    value = "-$v2" },
  { setup = "  o = pools:alloc('Mote', 9)", each = "  if n == $f then $note end", field = "a",
    by = "curve", value = "" },
  { setup = "  o:tween { hp = $v, over = $s }", each = "  if n == $f then $note end", by = "tween" },
  { setup = "  o = pools:alloc('Box', 0, 8, 8)", each = "  if n == $f then $note map:move(o, $v - o.x, 0) end $here",
    field = "x", name = "update", how = " (move)" },
  { setup = "  o.bag = {}", each = "  if n == $f then $note table.insert(o.bag, $v) end $here", name = "update",
    field = "bag", value = "{1 item}", how = " (insert)", inside = true },
  { each = "  if n == $f then $note o.bag = { $v } end $here", name = "update", field = "bag", value = "{1 item}" },
  { setup = "  o.due, o.mark = -$v, '$i'", each = "  if n == $f then o:recycle() end", file = "pools/Spot.lua",
    line = "DESPAWN", name = "on_despawn" },
}

local SPOT <const> = [[local spawnpool <const> = require "spawnpool"
local function note(o, frame) print(("PLANT %s %d %s"):format(o.mark, frame, o)) end
local n = 0
local Spot <const> = spawnpool.class("Spot", { fields = { hp = 3, due = 0, wants = 0, mark = "", bag = spawnpool.any(),
  step = spawnpool.any() }, methods = {
  hit = function(o, value) o.hp = value end, --HIT
} })
function Spot:on_spawn(o)
  if wanted then o.hp = wanted note(o, n + 1) end --SPAWN
end
function Spot:update()
  n = n + 1
  for o in self:each() do
    if o.due == n then note(o, n) o.hp = o.wants end --UPDATE
  end
end
function Spot:on_despawn(o)
  if o.due < 0 then note(o, n + 1) o.hp = -o.due end --DESPAWN
end
return Spot
]]

local HEAD <const> = [[local spawnpool <const> = require "spawnpool"
local pools <const> = spawnpool.pools
local n, kept = 0, nil
local spots <const> = pools:pool "Spot"
spawnpool.class("Wall", { bounds = { x = 0, y = 0, w = 100, h = 100, outside = "bounce" } })
spawnpool.class("Mote", { limit = 40, overflow = "oldest", over_life = { a = { 1, 0 } } })
spawnpool.class("Box", { box = { w = 4, h = 4 } })
local map <const> = spawnpool.tiles { size = 16, rows = { (" "):rep(99) } }
local function note(o, i) print(("PLANT %s %d %s"):format(i, n, o)) end
local function poke(o, value, i) note(o, i) o.hp = value end --POKE
local objects <const> = {}
]]

local function line_of(text, mark)
  local at <const> = assert(text:find(mark, 1, true), mark)
  return select(2, text:sub(1, at):gsub("\n", "")) + 1
end

-- Returns main.lua with these plants: { kind, frame, value }.
local function game_of(plants)
  local setups <const>, eaches <const> = {}, {}
  for i, plant in ipairs(plants) do
    local function fill(text)
      return "  local o = objects[" .. i .. "]\n" .. text:gsub("%$(%l+)(%d?)", function(word, digit)
        return ({ f = plant.frame, v = plant.value * (digit == "2" and 2 or 1), i = i, note = ("note(o, %d)"):format(i),
          s = ("%.4f"):format((plant.frame - 0.5) / 60), here = "--HERE" .. i .. "." })[word]
      end) .. "\n  objects[" .. i .. "] = o"
    end
    local kind <const> = plant.kind
    setups[#setups + 1] = ("  objects[%d] = pools:alloc 'Spot'\n  do\n%s\n  end"):format(i, fill(kind.setup or ""))
    eaches[#eaches + 1] = ("  do\n%s\n  end"):format(fill(kind.each or ""))
  end
  return ("%sreturn { load = function()\n%s\nend, update = function()\n  n = n + 1\n%s\n%s\nend }\n"):format(HEAD,
    table.concat(setups, "\n"), FILLER, table.concat(eaches, "\n"))
end

local function expected(plant, i, main)
  local kind <const> = plant.kind
  local value <const> = kind.value and tostring(kind.value):gsub("%$v2", plant.value * 2) or tostring(plant.value)
  local text <const> = kind.file == "pools/Spot.lua" and SPOT or main
  local place <const> = kind.by or ("%s:%d in %s%s"):format(kind.file or "main.lua",
    line_of(text, kind.line and "--" .. kind.line or "--HERE" .. i .. "."), kind.name, kind.how or "")
  return value, (kind.inside and "inside the same table: " or "") .. place
end

-- Those that change all objects of the pool, or all of the game, come alone, because others would see them.
local function is_alone(kind) return kind.alone or kind.how == " (set)" or kind.how == " (add)" end

local function choose(count, first)
  local plants <const>, frame = {}, math.random(8, 14)
  for i = 1, count do
    local kind <const> = PLANTS[(first + i) % #PLANTS + 1]
    plants[i] = { kind = kind, frame = frame, value = 1000 + first + i }
    frame = frame + math.random(5, 9)
  end
  return plants
end

local function ask(plants)
  local main <const> = game_of(plants)
  local out <const> = run { main = main, files = { ["pools/Spot.lua"] = SPOT }, err = false,
    args = "--frames 140 --seed " .. plants[1].value .. " --record-input in" }.out
  for i, plant in ipairs(plants) do
    local frame <const>, name <const> = out:match("PLANT " .. i .. " (%d+) (%S+)")
    player.expect(frame, "plant %d was not written:\n%s", i, out)
    local value <const>, place <const> = expected(plant, i, main)
    local answer <const> = run { sh = ("spawnpool --replay in --why '%s.%s' --at %s game"):format(name,
      plant.kind.field or "hp", frame), err = false }.out:gsub("^%S+ is not live[^\n]*\n", "")
    local line <const> = answer:match "^[^\n]*"
    player.expect(line:find("frame " .. frame .. "  ", 1, true) == 1 and line:find("-> " .. value, 1, true)
      and line:sub(-#place) == place, "plant %d, %s.%s in frame %s: expected '-> %s  %s', got\n%s\n%s", i, name,
      plant.kind.field or "hp", frame, value, place, answer, main)
  end
  return #plants
end

test("a hundred planted writes are found, each with its frame and line", function()
  math.randomseed(7)
  local asked, first = 0, 0
  while asked < 100 do
    local plants <const> = {}
    for _, plant in ipairs(choose(12, first)) do
      if is_alone(plant.kind) then asked = asked + ask { plant } else plants[#plants + 1] = plant end
    end
    asked = asked + ask(plants)
    first = first + 12
  end
end)

-- }==
