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

-- A test with the inspector open. `it`: as for `run`, and `act`, code for any key or turn of the wheel that reaches the
-- game.
local function test(name, it, fn)
  player.test(name, function()
    it.main, it.args = it.main or GAME .. "}", "--size 800x800 --no-watch " .. (it.args or "")
    it.exec, it.out = { it.act and "function act() " .. it.act .. " end" }, it.out or ""
    run(it, function()
      press(it.before or "F3")
      fn()
    end)
  end)
end

local GREY <const> = 0xa0a5b4
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

test("a pool is chosen by click and by keys", {}, function()
  expect_seen "peak 1" -- the first one: cubes
  click_on "Ball"
  expect_seen "peak 2"
  for _, row in ipairs { { "PageUp", 1 }, { "PageUp", 2 }, { "PageDown", 1 } } do
    press(row[1])
    expect_seen("peak " .. row[2])
  end
end)

test("a click in the world selects the nearest within its radius",
  { main = GAME:gsub("child =", "other = pools:alloc('Cube', 0, 108, 80)\n%0") .. "}", act = "other.visible = false" },
  function()
    press "click:109,80"
    expect_seen "Cube#2"
    press "click:96,80"
    expect_seen "Cube#1"
    press "click:119,80"
    expect_nothing_selected()
    press "x click:114,80"
    expect_nothing_selected()
  end)

test("small objects can be hit", { act = "ball.radius = 1" }, function()
  press "x click:205,80"
  expect_seen "Ball#1"
  press "click:207,80"
  expect_nothing_selected()
end)

test("a click besides selects nothing, and other buttons are the game's", { out = "at\t300\t300\n" }, function()
  select_cube()
  press "click:300,300,3 click:790,790,3"
  expect_seen "Cube#1"
  press "click:300,300"
  expect_nothing_selected()
end)

test("the selected object is outlined, and is that of a cell of the map", {}, function()
  expect(host.seen(86, 66) ~= OUTLINE)
  press "click:496,88"
  expect_seen("Cube#1", "live")
  equal({ host.seen(86, 66), host.seen(114, 94), host.seen(492, 83) }, { OUTLINE, OUTLINE, OUTLINE })
  for _, name in ipairs { "new", "old", "idle", "ending", "empty" } do equal(seen(name).color, GREY, name) end
end)

test("children and parents are links", {}, function()
  select_cube()
  click_on "Ball#2"
  expect_seen "parent "
  click_on "Cube#1"
  expect_seen "1 child "
end)

test("it moves aside from the object that it hides",
  { act = "cube.x = table.remove(places, 1)", main = GAME .. "load = function() places = { 700, 400, 100 } end }" },
  function()
    select_cube()
    local right <const> = seen("Cube#1").x
    expect(right > 400)
    press "x"
    expect(seen("Cube#1").x < 400)
    press "click:30,770" -- on the panel there
    press "x" -- beside both
    expect(seen("Cube#1").x < 400)
    press "x"
    equal(seen("Cube#1").x, right)
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

test("the fields and the story of the selected object are read", { args = "--trace" }, function()
  select_cube()
  equal({ value "damage", value "x" }, { "3", "100" })
  expect_seen "allocated at main.lua:6, 0.00 s"
end)

test("a field is written by click, keys and Enter",
  { act = "print(cube.damage, cube.armed, cube.name)", out = "42\tfalse\tplain cube\n" }, function()
    select_cube()
    click_on "damage"
    press { "text 42", "Return" }
    click_on "armed"
    press { "text wrong", "click:790,790" } -- beside all rows: it is left as it was
    equal(value "armed", "true")
    click_on "armed"
    press { "text false", { kind = "key_down", name = "Keypad Enter" } }
    click_on "name"
    press { "End", "text  cube", "Return" }
    equal(value "name", "plain cube")
    press "x"
  end)

test("a field is edited with the keys of the console, and Escape leaves it as it was", {}, function()
  select_cube()
  click_on "name"
  press { "text plain \u{e4} cube", "C-Left R-k C-w", "text er", "Return" }
  equal(value "name", "plain er")
  click_on "name"
  press { "text other", "Escape" }
  equal(value "name", "plain er")
  press "Escape" -- the next one is not about a field
  equal(#host.texts(), 0)
end)

-- Rows: keys, and the value when then a letter is typed.
test("a value is as if selected until a key moves the cursor or cuts", {}, function()
  select_cube()
  for _, row in ipairs { { "LShift", "_" }, { "Backspace", "_" }, { "Delete", "_" }, { "C-Backspace", "_" },
    { "C-Delete", "_" }, { "C-w", "_" }, { "C-u", "_" }, { "C-k", "_" }, { "Left", "_a bc" }, { "Right", "a bc_" },
    { "Home", "_a bc" }, { "End", "a bc_" }, { "C-Left", "a _bc" }, { "C-Right", "a bc_" }, { "C-a", "_a bc" },
    { "C-e", "a bc_" } } do
    click_on "name"
    press { "text a bc", "Return" }
    click_on "name"
    press { row[1] == "LShift" and { kind = "key_down", name = "Left Shift", mod = 1 } or row[1], "text _", "Return" }
    equal(value "name", row[2], row[1])
  end
end)

test("a long value moves by letters under the cursor", {}, function()
  select_cube()
  click_on "name"
  press { "text " .. ("x"):rep(40), "Home" }
  local letters <const> = #value "name"
  press("text " .. ("\u{e4}"):rep(8))
  equal(utf8.len(value "name"), letters)
end)

test("what is refused says so and can be put right", {}, function()
  select_cube()
  click_on "damage"
  press { "text x", "Return" }
  expect_seen "'x' is no number"
  press { "Backspace", "text 7", "Return" }
  expect_unseen "no number"
  equal(value "damage", "7")
end)

test("tab goes on to the next field that can be written", {}, function()
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
  { args = "--trace", act = "if cube.alive then cube:recycle() else print(pools:alloc 'Cube') end",
    out = "Cube#2 (live)\n" }, function()
    select_cube()
    click_on "damage"
    press "move:300,300 wheel:0,1"
    expect_seen("Cube#1", "ended", "This life is over", "recycled at")
    expect(not seen "damage" and host.seen(86, 66) ~= OUTLINE)
    press "x" -- nothing is edited any more; another one in the same slot
    expect_seen("Cube#1", "ended")
  end)

test("a line that is sent after the end is refused", { act = "cube:recycle()" }, function()
  select_cube()
  click_on "damage"
  press { "text 5", "move:300,300 wheel:0,1 Return" }
  expect_seen "the object is no longer live"
end)

test("a pool that is removed leaves nothing behind", { act = "pools:remove 'Cube'" }, function()
  select_cube()
  click_on "damage"
  press "move:300,300 wheel:0,1 click:496,88" -- where the map was
  expect_seen "ended"
  press "PageDown"
  expect_seen "peak 2"
end)

test("without a selection origins are listed and lead to the oldest", { args = "--trace",
  act = "pools:alloc('Ball', 0, 300, 300)" }, function()
    press({}, 60)
    press("x", 20)
    local list <const> = {}
    for i, it in ipairs(host.texts()) do list[i] = it.text end
    local text <const> = table.concat(list, "|")
    expect(text:find "Live objects, by origin|main.lua:7|1 s|.*main.lua:6|1 s|  1 x Cube|.*|0 s|  1 x Ball$", text)
    click_on "1 x Cube"
    expect_seen "Cube#1"
  end)

test("the wheel moves the list under the mouse",
  { main = GAME
    .. "load = function() for i = 1, 40 do spawnpool.class('Type' .. i) pools:pool('Type' .. i) end end }" },
  function()
    select_cube()
    press "move:100,100 wheel:0,-1" -- over the world
    expect_unseen "Type9"
    press "move:600,24 wheel:0,-1"
    expect_seen "Type9"
    local damage <const> = seen "damage"
    press(("move:600,%d wheel:0,-1"):format(math.floor(damage.y)))
    expect_unseen "damage"
    press("move:600,24 " .. ("wheel:0,-1 "):rep(20))
    expect_seen "Type40"
    press "PageDown"
    expect_unseen "Type40" -- the list has followed
  end)

-- }==

-- {== The map of the slots =======================================================

local COLORS <const> = { new = 0xbeff96, idle = 0x5c627a, empty = 0x222430, old = 0x459fc4 } -- old: after 10 s
local LEFT <const>, WIDTH <const> = 494, 286 -- of the map

local function distance(a, b)
  local sum = 0
  for shift = 0, 16, 8 do sum = sum + math.abs((a >> shift & 255) - (b >> shift & 255)) end
  return sum
end

-- How many of these cells have which state: by the pixel in the middle of each.
local function cells(count, side)
  local found <const> = { new = 0, old = 0, idle = 0, empty = 0 }
  local top <const> = math.floor(seen("peak").y) + 20
  for i = 0, count - 1 do
    local x <const>, y <const> = i % (WIDTH // side) * side, i // (WIDTH // side) * side
    local color <const> = host.seen(LEFT + x + side // 2, top + y + side // 2)
    for name, of_state in pairs(COLORS) do
      if distance(color, of_state) < 20 then found[name] = found[name] + 1 end
    end
  end
  return found
end

-- A game with one pool; a key runs the first, the second and so on of `acts`.
local function test_map(name, settings, acts, fn)
  test(name, { main = ([[local spawnpool <const> = require 'spawnpool'
    local pools <const> = spawnpool.pools
    local Cube <const>, n = spawnpool.class('Cube', { %s }), 0
    local acts <const> = { %s }
    pools:pool 'Cube'
    return { key_pressed = function() n = n + 1 acts[n]() end }]]):format(settings, acts) }, fn)
end

test_map("each slot is a cell in its colour", "prealloc = 40",
  "function() for i = 1, 25 do pools:alloc('Cube', i == 1 and 5 or 0) end end, function() pools.time_scale = 10 end",
  function()
    press("x", 2)
    equal(cells(256, 11), { new = 25, old = 0, idle = 15, empty = 24 })
    press("x", 60)
    equal(cells(256, 11), { new = 0, old = 24, idle = 16, empty = 24 })
  end)

-- Memory is reserved for 64 slots at a time.
test_map("slots that the limit forbids have no cell", "prealloc = 20, limit = 64",
  "function() Cube.limit = 1 end, function() Cube.limit = nil end", function()
    equal(cells(78, 11), { new = 0, old = 0, idle = 20, empty = 44 })
    expect_unseen "slots 1 to"
    press "x"
    equal(cells(26, 11), { new = 0, old = 0, idle = 20, empty = 0 }) -- the objects that there are
    press "x"
    equal(cells(256, 11).empty, 44)
  end)

test_map("large pools are shown as they are", "prealloc = 12000",
  "function() for i = 1, 12000 do pools:alloc 'Cube' end end", function()
    equal(cells(12032, 2).idle, 12000)
    press("x", 3)
    equal({ cells(12032, 2).idle, cells(12032, 2).new }, { 0, 12000 })
  end)

test_map("what does not fit is reached by scrolling", "prealloc = 40000", "", function()
  expect_seen "slots 1 to 13728 of 40000"
  press "move:600,100 wheel:0,-1"
  expect_seen "slots 859 to 14586 of 40000" -- 6 rows of 143
  press("move:600,100 " .. ("wheel:0,-9 "):rep(9))
  expect_seen " to 40000 of 40000"
  press("move:600,100 " .. ("wheel:0,9 "):rep(9))
  expect_seen "slots 1 to "
end)

test("a low window has room for the fields", {}, function()
  select_cube()
  host.window(480, 320)
  press({}, 2)
  expect_seen("armed", "bag", "damage", "name")
end)

test("it stands any window", {}, function()
  select_cube()
  click_on "name"
  press "text a rather long name that does not fit into the line at all, by no means"
  for _, size in ipairs { { 20, 600 }, { 600, 20 }, { 3000, 1000 }, { 1, 1 } } do
    host.window(table.unpack(size))
    press({}, 2)
  end
end)

-- }==

-- {== Why? =======================================================================

-- A test of what is said when somebody asks, after so many frames, what wrote the damage of the cube.
local function test_why(name, update, count, fn)
  player.test(name, { args = "--size 800x800 --no-watch", main = ([[local spawnpool <const> = require 'spawnpool'
    spawnpool.class('Cube', { radius = 10, fields = { damage = 3 } })
    local cube, n = nil, 0
    return { load = function() cube = spawnpool.pools:alloc('Cube', 0, 100, 80) end, update = function()
      n = n + 1
      %s
    end }]]):format(update) }, function()
      frames(count)
      press "F3 click:97,83"
      frames(12)
      local where <const> = seen "damage"
      press(("move:%d,%d w"):format(where.x + 2, where.y + 2), 1)
      fn()
      press "Escape"
      expect_unseen "Why Cube#1.damage?"
      expect_seen "damage"
    end)
end

test_why("W over a field lists what wrote it, and Enter goes there in the timeline",
  "if n == 20 then cube.damage = 4 end\nif n == 40 then cube.damage = 5 end", 60, function()
    frames(60)
    expect_seen("Why Cube#1.damage?", "4 -> 5", "main.lua:7 in update")
    press "Down Return"
    frames(40)
    expect_seen "age 0.33 s"
  end)

-- By the clock of the tests, a frame of the window searches 12 000 frames at most.
test_why("a long search shows how far it is, and Esc ends it", "", 13000, function()
  local title <const> = seen "Why Cube#1.damage?"
  local x <const>, y <const> = math.floor(title.x) + 1, math.floor(title.y) + 20
  local function is_lit() return host.seen(x, y) == 0x82e196 end
  expect(is_lit(), "%06x", host.seen(x, y))
  expect_unseen "nothing wrote it"
  press "Escape"
  expect_unseen "Why Cube#1.damage?"
  press("w", 12)
  expect(not is_lit())
  expect_seen("Why Cube#1.damage?", "nothing wrote it in the last minutes")
end)

-- }==
