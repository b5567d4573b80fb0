-- The inspector under the hands of a person: choosing and picking objects, reading and writing their fields, the map of
-- the slots, and objects that end.

-- The cube is at 100, 80, its child 5 points to its right, and the ball at 200, 80.
local GAME <const> = [[
  local spawnpool <const> = require 'spawnpool'
  pools = spawnpool.pools
  spawnpool.class('Cube', { radius = 10, fields = { damage = 3, armed = true, name = spawnpool.any 'plain',
    bag = spawnpool.any() } })
  spawnpool.class('Ball', {})
  cube = pools:alloc('Cube', 0, 100, 80)
  ball = pools:alloc('Ball', 2000, 200, 80)
  child = pools:alloc('Ball', 0, 5, 0, 0, cube)
  return { key_pressed = function(key) if act then act() else print('key', key) end end, text_input = print,
    mouse_pressed = function(x, y) print('at', x, y) end, wheel = function() if act then act() end end, ]]

-- The inspector is open. The game may have a function `act` for any key or turn of the wheel that reaches it.
local test <const> = tests { main = GAME .. "}", args = "--size 800x800 --no-watch", before = "F3", out = "" }

local OUTLINE <const> = 0xffe15a -- a corner of the frame around the cube is at 86, 66

-- The cube, clicked in the world.
local function select_cube()
  press "click:97,83"
  expect_seen("Cube#1", "live")
end

local function expect_nothing_selected() expect_seen "Click an object or a cell" end

-- What stands behind the name of a field.
local function value(name)
  local texts <const> = host.texts()
  for i, it in ipairs(texts) do
    if it.text == name then return texts[i + 1].text end
  end
end

-- {== Choosing and picking =======================================================

test("closed it takes nothing and shows nothing", { before = "F3 F3", out = "at\t97\t83\nkey\tpagedown\na\n" },
  function()
    press { "click:97,83 PageDown", "text a" }
    equal(#host.texts(), 0)
  end)

test("a pool is chosen by click and by keys", function()
  expect_seen "peak 1" -- the first one: cubes
  click_on "Ball"
  expect_seen "peak 2"
  press "PageUp"
  expect_seen "peak 1"
  press "PageDown"
  expect_seen "peak 2"
end)

test("a click in the world selects the nearest within its radius",
  { exec = { "other = pools:alloc('Cube', 0, 108, 80) function act() other.visible = false end" } }, function()
    press "click:109,80"
    expect_seen "Cube#2"
    press "click:96,80"
    expect_seen "Cube#1"
    press "click:119,80"
    expect_nothing_selected()
    press "x click:114,80"
    expect_nothing_selected()
  end)

test("a click besides selects nothing, and other buttons are the game's", { out = "at\t300\t300\n" }, function()
  select_cube()
  press "click:300,300,3 click:790,790,3"
  expect_seen "Cube#1"
  press "click:300,300"
  expect_nothing_selected()
end)

test("the selected object is outlined, and is that of a cell of the map", function()
  expect(host.seen(86, 66) ~= OUTLINE)
  press "click:496,88"
  expect_seen("Cube#1", "live")
  equal({ host.seen(86, 66), host.seen(114, 94), host.seen(492, 83) }, { OUTLINE, OUTLINE, OUTLINE })
end)

-- The view is 200 points below the upper edge of the window.
test("it picks and outlines through the camera", { main = GAME .. [[
    width = 400, height = 200, scale = 'fit', draw = function(g) g:camera(200, 80, 2) end }]] }, function()
  press "click:400,400"
  expect_seen "Ball#1"
  equal({ host.seen(364, 364), host.seen(436, 436) }, { OUTLINE, OUTLINE }) -- radius 8, four times as large, and 4
  press "click:0,400"
  expect_seen "Cube#1"
  press "click:200,80"
  expect_nothing_selected()
end)

-- }==

-- {== Reading and writing ========================================================

test("an object's fields and story are read, and its relatives are links", { args = "--size 800x800 --trace" },
  function()
    select_cube()
    equal({ value "damage", value "x" }, { "3", "100" })
    expect_seen "allocated at main.lua:6, 0.00 s"
    click_on "Ball#2"
    expect_seen "parent "
    click_on "Cube#1"
    expect_seen "1 child "
  end)

test("a field is written by click, keys and Enter, and Escape or a click elsewhere leaves it as it was",
  { exec = { "function act() print(cube.damage, cube.armed, cube.name) end" }, out = "42\tfalse\tplain cube\n" },
  function()
    select_cube()
    click_on "damage"
    press { "text 42", "Return" }
    click_on "armed"
    press { "text wrong", "click:790,790" }
    equal(value "armed", "true")
    click_on "armed"
    press { "text false", { kind = "key_down", name = "Keypad Enter" } }
    click_on "name"
    press { "End", "text  cube", "Return" }
    click_on "name"
    press { "text other", "Escape" }
    equal(value "name", "plain cube")
    press { "x", "Escape" } -- this one is not about a field
    equal(#host.texts(), 0)
  end)

test("what is refused says so and can be put right", function()
  select_cube()
  click_on "damage"
  press { "text x", "Return" }
  expect_seen "'x' is no number"
  press { "Backspace", "text 7", "Return" }
  expect_unseen "no number"
  equal(value "damage", "7")
end)

test("tab goes on to the next field that can be written", function()
  select_cube()
  click_on "armed"
  press { "Tab", "text 8", "Tab", "text new", "Return" } -- past the bag, which is nil
  equal({ value "armed", value "damage", value "name" }, { "true", "8", "new" })
  click_on "bag"
  expect_seen "bag cannot be written here"
end)

test("while a field is written function keys are the player's, and others not the game's", { out = "key\ta\na\n" },
  function()
    select_cube()
    press { "a", "text a" }
    click_on "damage"
    press { "a space", "text b" }
    expect_unseen "fps"
    press "F2"
    expect_seen "fps"
  end)

-- }==

-- {== Ends =======================================================================

test("an object that ends is told of and its line closed",
  { args = "--size 800x800 --trace", out = "Cube#1 (live)\n",
    exec = { "function act() if cube.alive then cube:recycle() else print(pools:alloc 'Cube') end end" } }, function()
    select_cube()
    click_on "damage"
    press "move:300,300 wheel:0,1"
    expect_seen("Cube#1", "ended", "This life is over", "recycled at")
    expect(not seen "damage" and host.seen(86, 66) ~= OUTLINE)
    press "x" -- nothing is edited any more; another one in the same slot
    expect_seen("Cube#1", "ended")
  end)

test("a pool that is removed leaves nothing behind", { exec = { "function act() pools:remove 'Cube' end" } }, function()
  select_cube()
  click_on "damage"
  press "move:300,300 wheel:0,1 click:496,88" -- where the map was
  expect_seen "ended"
  press "PageDown"
  expect_seen "peak 2"
end)

test("without a selection origins are listed and lead to the oldest", { args = "--size 800x800 --trace",
  exec = { "function act() pools:alloc('Ball', 0, 300, 300) end" } }, function()
    press({}, 60)
    press("x", 20)
    local list <const> = {}
    for i, it in ipairs(host.texts()) do list[i] = it.text end
    local text <const> = table.concat(list, "|")
    expect(text:find "Live objects, by origin|main.lua:7|1 s|.*main.lua:6|1 s|  1 x Cube|.*|0 s|  1 x Ball$", text)
    click_on "1 x Cube"
    expect_seen "Cube#1"
  end)

test("slots that do not fit are reached by scrolling", {
  main = "local s = require 'spawnpool' s.class('Cube', { prealloc = 40000 }) s.pools:pool 'Cube' return {}",
}, function()
  expect_seen "slots 1 to 13728 of 40000"
  press "move:600,100 wheel:0,-1"
  expect_seen "slots 859 to 14586 of 40000" -- 6 rows of 143
end)

test("W over a field lists what wrote it, and Enter goes there in the timeline", { before = "",
  main = [[local spawnpool <const> = require 'spawnpool'
    spawnpool.class('Cube', { radius = 10, fields = { damage = 3 } })
    local cube, n = nil, 0
    return { load = function() cube = spawnpool.pools:alloc('Cube', 0, 100, 80) end, update = function()
      n = n + 1
      if n == 20 then cube.damage = 4 end
      if n == 40 then cube.damage = 5 end
    end }]] }, function()
    frames(60)
    press("F3 click:97,83", 12)
    local where <const> = seen "damage"
    press(("move:%d,%d w"):format(where.x + 2, where.y + 2), 60)
    expect_seen("Why Cube#1.damage?", "4 -> 5", "main.lua:7 in update")
    press("Down Return", 40)
    expect_seen "age 0.33 s"
    press "Escape"
    expect_unseen "Why Cube#1.damage?"
  end)

-- }==
